import { statSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "../../src/core/config/options.ts";

export const HELP = `Usage: npm run quality -- [options]

Runs judged queries on a workspace and reports how high the right documents rank. The index is built in memory; nothing is
written. Without --root and --queries it uses the set of this repository (test/quality/).

  --root <folder>      The workspace
  --queries <file>     The queries, one JSON object per line: query, relevant (paths), optionally id, class, ignore
  --set <name>         A public set (locomo, xquad, code, docs), from its files in --data <folder>
  --boost <0..1>       The strength of the boosts (default: the server's)
  --misses             Also list the queries whose right document was not first
  --explain            The same, with what the ranking saw in the document that was wanted and in the first one
  --json               Print JSON
`;

export type Settings = ReturnType<typeof readSettings>;

const OPTIONS = {
  root: { type: "string" },
  queries: { type: "string" },
  set: { type: "string" },
  data: { type: "string", default: "." },
  boost: { type: "string" },
  misses: { type: "boolean", default: false },
  explain: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

/** Throws UsageError, or the TypeError of an unknown flag. */
export function readSettings(args: string[]) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const { root, queries, boost, help, misses, explain, json } = values;
  if ((root === undefined) !== (queries === undefined))
    throw new UsageError("--root and --queries go together");
  return {
    root: root === undefined ? undefined : folder("--root", root),
    queries: queries === undefined ? undefined : resolve(queries),
    set: values.set,
    data: folder("--data", values.data),
    boost: fraction("--boost", boost),
    help,
    misses,
    explain,
    json,
  };
}

function fraction(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new UsageError(`${name} must be a number from 0 to 1, not ${JSON.stringify(text)}`);
}

function folder(name: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path);
  throw new UsageError(`${name} must be a folder; ${path} is not one`);
}
