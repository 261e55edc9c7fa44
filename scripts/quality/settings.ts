import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "../../src/config/options.ts";
import { isCount } from "../shared.ts";

export const HELP = `Usage: npm run quality -- [options]

Asks judged questions of a workspace and reports how high the right documents come. The index is built anew in memory:
nothing is written. Without --root and --queries it takes the set of this repository (test/quality/).

  --root <folder>      The workspace
  --queries <file>     The questions, one JSON object per line: query, relevant (paths), and if wanted id, class, ignore
  --boost <0..1>       The power of the boosts (what users get)
  --limit-queries <n>  Only the first so many of each class
  --ablate             Instead: what each technique of the ranking contributes
  --evidence           Instead: questions made from the documents themselves, --sample <n> (100) of each kind
  --random <n>         Instead: so many random queries; without --root of a generated workspace of 10000 documents
  --documents <n>      How many documents to generate (10000)
  --seed <n>           The same number makes the same questions (1)
  --misses             Also list the questions whose right document was not first
  --json               Print the figures as JSON
  --help
`;

export interface Settings {
  help: boolean;
  /** Absolute. */
  root: string | undefined;
  queries: string | undefined;
  ablate: boolean;
  evidence: boolean;
  /** How many random queries. */
  random: number | undefined;
  boost: number | undefined;
  /** Of each class. */
  limit: number;
  sample: number;
  documents: number;
  seed: number;
  misses: boolean;
  json: boolean;
}

const OPTIONS = {
  root: { type: "string" },
  queries: { type: "string" },
  boost: { type: "string" },
  "limit-queries": { type: "string" },
  ablate: { type: "boolean", default: false },
  evidence: { type: "boolean", default: false },
  sample: { type: "string" },
  random: { type: "string" },
  documents: { type: "string" },
  seed: { type: "string" },
  misses: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** Throws UsageError, or the TypeError of an unknown flag. */
export function readSettings(args: string[]): Settings {
  const { values } = parseArgs({ args, options: OPTIONS });
  const { root, queries, boost, random, help, ablate, evidence, misses, json } = values;
  const number = (name: "limit-queries" | "sample" | "documents" | "seed", fallback: number) =>
    wholeNumber(`--${name}`, values[name]) ?? fallback;
  return {
    root: root === undefined ? undefined : folder(root),
    queries: queries === undefined ? undefined : resolve(queries),
    boost: fraction("--boost", boost),
    random: wholeNumber("--random", random),
    limit: number("limit-queries", Number.POSITIVE_INFINITY),
    sample: number("sample", 100),
    documents: number("documents", 10_000),
    seed: number("seed", 1),
    ...{ help, ablate, evidence, misses, json },
  };
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (isCount(text)) return Number(text);
  throw new UsageError(`${name} takes a whole number from 1 on, not ${JSON.stringify(text)}`);
}

function fraction(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new UsageError(`${name} takes a number from 0 to 1, not ${JSON.stringify(text)}`);
}

function folder(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path);
  throw new UsageError(`--root is not a folder: ${path}`);
}
