import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { DEFAULT_DAMPING } from "../../src/index/boosts.ts";
import { UserError } from "../../src/lib/errors.ts";
import { search } from "../../src/search/search.ts";
import type { Workspace } from "../../src/workspace/workspace.ts";
import { cpuTime } from "../bench/measure.ts";
import { createVocabulary } from "../bench/vocabulary.ts";
import { inMs } from "../shared.ts";
import { percentile } from "./score.ts";

const SYNTAX =
  'AND OR NOT NEAR NEAR( ( ) ((( ))) " "" * ** ^ + - : , { } heading: title:( -content: {title,name}: NEAR(a,2) "a"* \' ; -- % \\ \0';
const SCRIPTS =
  "認証 認証トークン ﾄｰｸﾝ が か\u3099 库存 검색 검 ค้นหา พบ မြန်မာ ភាសា खोज поиск Ελλάδα بحث חיפוש node.js C++ foo-bar user@host.example " +
  "10:30 2026-06-15 v1.0.21 getUserProfile what's ñandú sesio\u0301n ﬁle Ⅻ ①② ａｂｃ";
const SIGNS = "😀 👩‍👩‍👧 🇪🇸 ❤️ ☎ \u200b \u200d \ufeff \u202e \u0301 \ufe0f \ue000 𠮷 🫠";
const FREQUENT_WORDS = 5000;
/** What costs most: repetition, many prefixes, many words, long quotes. */
const COSTLY = ['"a"* 库存 ①② खोज', '"a"*', "s* OR", "NEAR(s* t*) OR", "getUserProfil", "する"];
const JOINTS = [" ", " OR ", " AND ", " NOT ", "* ", "* OR ", "xq ", " + "] as const;
const FRAMES = [
  ["", ""],
  ['"', '"'],
  ["NEAR(", ", 200)"],
  ["content:(", ")"],
] as const;

/** Queries that only programs send: bytes, operators, scripts, emoji, words of the benchmark's corpus, and costly ones. */
export function randomQueries(seed: number, count: number): string[] {
  const piece = anyPiece();
  const spaced = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(" "));
  const glued = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
  const long = fc.tuple(fc.array(piece, { minLength: 1, maxLength: 40 }), fc.integer({ min: 2, max: 80 }));
  const repeated = long.map(([pieces, times]) => `${pieces.join(" ")} `.repeat(times));
  const query = fc.oneof(
    { arbitrary: costlyQuery(), weight: 1 },
    { arbitrary: spaced, weight: 12 },
    { arbitrary: glued, weight: 6 },
    { arbitrary: repeated, weight: 1 },
  );
  return fc.sample(query, { seed, numRuns: count });
}

function costlyQuery(): fc.Arbitrary<string> {
  const { ranked } = createVocabulary(1);
  const start = fc.tuple(fc.nat(200).map(ranked), fc.integer({ min: 1, max: 12 }));
  const words = fc.array(
    start.map(([word, letters]) => word.slice(0, letters)),
    { minLength: 1, maxLength: 60 },
  );
  const listed = fc.tuple(words, fc.constantFrom(...JOINTS), fc.constantFrom(...FRAMES));
  const repeated = fc.tuple(fc.constantFrom(...COSTLY), fc.integer({ min: 1, max: 80 }));
  return fc.oneof(
    { arbitrary: repeated.map(([text, times]) => `${text} `.repeat(times)), weight: 1 },
    { arbitrary: listed.map(([all, joint, [open, close]]) => open + all.join(joint) + close), weight: 4 },
  );
}

function anyPiece(): fc.Arbitrary<string> {
  const { ranked } = createVocabulary(1);
  const oneOf = (texts: string) => fc.constantFrom(...texts.split(" "));
  return fc.oneof(
    { arbitrary: fc.nat(FREQUENT_WORDS).map(ranked), weight: 4 },
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
  /** Milliseconds of processor time of a search and its snippets. */
  cost: { median: number; p99: number; max: number };
  /** The slowest queries, worst first. */
  slowest: { query: string; taken: number }[];
}

const SHOWN = 5;
const RESULTS = 20;
const SNIPPET_CHARS = 300;

/** Runs each query directly on a current index, so that nothing hides an error. */
export function runRandom(workspace: Workspace, queries: readonly string[], now: Date): Promise<RandomRun> {
  const textOf = (path: string) => readFileSync(join(workspace.root, path), "utf8");
  const rest = { filter: {}, limit: RESULTS, now: now.getTime(), damping: DEFAULT_DAMPING, textOf };
  return workspace.index.query((db) => {
    const errors: RandomRun["errors"] = [];
    let refused = 0;
    const times = queries.map((query) => {
      const ask = () => void search(db, { query, ...rest, snippetChars: SNIPPET_CHARS });
      const taken = cpuTime(() => {
        const message = failureOf(ask);
        if (message === "INVALID_QUERY") refused++;
        else if (message !== undefined) errors.push({ query, message });
      });
      return { query, taken };
    });
    const taken = times.map((one) => one.taken);
    const slowest = times.toSorted((a, b) => b.taken - a.taken).slice(0, SHOWN);
    const cost = {
      median: percentile(taken, 0.5),
      p99: percentile(taken, 0.99),
      max: percentile(taken, 1),
    };
    return { queries: queries.length, refused, errors, cost, slowest };
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

export function renderRandom({ queries, refused, errors, cost, slowest }: RandomRun): string {
  const lines = [
    `${queries} random queries: ${errors.length} failed, ${refused} refused (INVALID_QUERY).`,
    `Processor time of a search: ${inMs(cost.median)} (median), ${inMs(cost.p99)} (99th percentile), ${inMs(cost.max)} (maximum). The slowest:`,
    ...slowest.map(({ query, taken }) => `${inMs(taken).padStart(9)}  ${shapeOf(query)}`),
    ...errors.slice(0, SHOWN).map(({ query, message }) => `   failed  ${message}: ${shapeOf(query)}`),
  ];
  return `${lines.join("\n")}\n`;
}

function shapeOf(query: string): string {
  const start = JSON.stringify([...query].slice(0, 80).join(""));
  return `${query.length} characters, ${query.split(/\s+/).length} words: ${start}`;
}
