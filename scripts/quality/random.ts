import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { DEFAULT_DAMPING } from "../../src/index/boosts.ts";
import { search } from "../../src/index/search.ts";
import { UserError } from "../../src/lib/errors.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { time } from "../bench/measure.ts";
import { createVocabulary } from "../bench/vocabulary.ts";
import { inMs } from "./report.ts";
import { percentile } from "./score.ts";

const SYNTAX =
  'AND OR NOT NEAR NEAR( ( ) ((( ))) " "" * ** ^ + - : , { } heading: title:( -content: {title,name}: NEAR(a,2) "a"* \' ; -- % \\ \0';
const SCRIPTS =
  "認証 認証トークン ﾄｰｸﾝ が か\u3099 库存 검색 검 ค้นหา พบ မြန်မာ ភាសា खोज поиск Ελλάδα بحث חיפוש node.js C++ foo-bar user@host.example " +
  "10:30 2026-06-15 v1.0.21 getUserProfile what's ñandú sesio\u0301n ﬁle Ⅻ ①② ａｂｃ";
const SIGNS = "😀 👩‍👩‍👧 🇪🇸 ❤️ ☎ \u200b \u200d \ufeff \u202e \u0301 \ufe0f \ue000 𠮷 🫠";
const MOST_WORDS = 5000;

/** Texts that nobody would write and programs do: bytes, operators, scripts, emoji, and words of the benchmark's corpus. */
export function randomQueries(seed: number, count: number): string[] {
  const piece = anyPiece();
  const spaced = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(" "));
  const glued = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  const long = fc.tuple(fc.array(piece, { minLength: 1, maxLength: 40 }), fc.integer({ min: 2, max: 80 }));
  const repeated = long.map(([pieces, times]) => `${pieces.join(" ")} `.repeat(times));
  const query = fc.oneof(
    { arbitrary: spaced, weight: 12 },
    { arbitrary: glued, weight: 6 },
    { arbitrary: repeated, weight: 1 },
  );
  return fc.sample(query, { seed, numRuns: count });
}

function anyPiece(): fc.Arbitrary<string> {
  const { ranked } = createVocabulary(1);
  const oneOf = (texts: string) => fc.constantFrom(...texts.split(" "));
  return fc.oneof(
    { arbitrary: fc.nat(MOST_WORDS).map(ranked), weight: 4 },
    { arbitrary: oneOf(SYNTAX), weight: 4 },
    { arbitrary: oneOf(SCRIPTS), weight: 3 },
    { arbitrary: oneOf(SIGNS), weight: 1 },
    { arbitrary: fc.string({ unit: "binary", maxLength: 8 }), weight: 1 },
    { arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString()), weight: 1 },
    {
      arbitrary: fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes).toString("utf16le")),
      weight: 1,
    },
  );
}

export interface RandomRun {
  queries: number;
  /** Refused as INVALID_QUERY: nothing in them could be searched. */
  refused: number;
  errors: { query: string; message: string }[];
  /** Milliseconds. */
  latency: { median: number; p95: number };
  /** The queries that took longest, the longest first. */
  slowest: { query: string; taken: number }[];
}

const SHOWN = 5;
const RESULTS = 20;
const SNIPPET_CHARS = 300;

/** Asks each query of an index that is in step; nothing between the query and the engine hides an error. */
export function runRandom(workspace: Workspace, queries: readonly string[], now: Date): Promise<RandomRun> {
  const textOf = (path: string) => readFileSync(join(workspace.root, path), "utf8");
  const rest = { filter: {}, limit: RESULTS, now: now.getTime(), damping: DEFAULT_DAMPING, textOf };
  return workspace.query((db) => {
    const errors: RandomRun["errors"] = [];
    let refused = 0;
    const times = queries.map((query) => {
      const ask = () => {
        for (const result of search(db, { query, ...rest }).results) result.snippet(SNIPPET_CHARS);
      };
      const taken = time(() => {
        const message = failureOf(ask);
        if (message === "INVALID_QUERY") refused++;
        else if (message !== undefined) errors.push({ query, message });
      });
      return { query, taken };
    });
    const taken = times.map((one) => one.taken);
    const slowest = times.toSorted((a, b) => b.taken - a.taken).slice(0, SHOWN);
    const latency = { median: percentile(taken, 0.5), p95: percentile(taken, 0.95) };
    return { queries: queries.length, refused, errors, latency, slowest };
  });
}

function failureOf(run: () => void): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.code;
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

export function renderRandom({ queries, refused, errors, latency, slowest }: RandomRun): string {
  const lines = [
    `${queries} random queries: ${errors.length} failed, ${refused} were refused (INVALID_QUERY).`,
    `A search took ${inMs(latency.median)} (median), ${inMs(latency.p95)} (95th percentile). The slowest:`,
    ...slowest.map(({ query, taken }) => `${inMs(taken).padStart(9)}  ${shapeOf(query)}`),
    ...errors.slice(0, SHOWN).map(({ query, message }) => `   failed  ${message}: ${shapeOf(query)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function shapeOf(query: string): string {
  const start = JSON.stringify([...query].slice(0, 80).join(""));
  return `${query.length} characters, ${query.split(/\s+/).length} words: ${start}`;
}
