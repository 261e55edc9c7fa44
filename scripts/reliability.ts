import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { LOADERS, madeTable, say } from "./shared.ts";

/** A row of the table, as the tests in `test/hostile/` report it. */
interface Row {
  what: string;
  times: number;
  happened: string;
}

/** The tests, and their share of the runs. */
const TESTS = [
  { file: "test/hostile/folder.nightly.test.ts", share: 1 },
  { file: "test/hostile/interrupted.slow.test.ts", share: 0.5 },
  { file: "test/hostile/freshness.slow.test.ts", share: 1 },
  { file: "test/history/history.test.ts", share: 0.1 },
];

/** Rows that differ in such a detail alone are one. */
const DETAILS: readonly (readonly [RegExp, string])[] = [
  [/, (?:reported by the system|found by walking)$/, ", reported by the system or found by walking"],
];

const FULL = "1000";
const { values } = parseArgs({ options: { runs: { type: "string", default: FULL } } });
const rows = merged(TESTS.map(run).flatMap(rowsIn));
if (rows.length === 0) throw new Error("no test reported anything");
const lines = [
  "| what was thrown at it | how often | what happened |",
  "|---|---:|---|",
  ...rows.map(({ what, times, happened }) => `| ${what} | ${times} | ${happened} |`),
];
const table = lines.join("\n");
if (values.runs === FULL) madeTable("docs/contributing/rules.md", "reliability").write(table);
else say(`${table}\n`);

function run({ file, share }: (typeof TESTS)[number]): string {
  const RUNS = `${Math.round(Number(values.runs) * share)}`;
  const env = { ...process.env, TZ: "UTC", NIGHTLY: "1", RUNS };
  const options = { encoding: "utf8", env, maxBuffer: 2 ** 28 } as const;
  const { status, stdout } = spawnSync(process.execPath, [...LOADERS, "--test", file], options);
  if (status !== 0) throw new Error(`${file} fails:\n${stdout.slice(-4000)}`);
  return stdout;
}

function rowsIn(output: string): Row[] {
  if (/^# fail [1-9]/m.test(output)) throw new Error("a test failed: the table was not written");
  const found = output.matchAll(/^ *(?:#|ℹ) reliability (\{.*\})$/gm);
  return [...found].map(([, json = ""]) => JSON.parse(json) as Row);
}

function merged(rows: readonly Row[]): Row[] {
  const sums = new Map<string, Row>();
  for (const row of rows) {
    const what = DETAILS.reduce((text, [pattern, kind]) => text.replace(pattern, kind), row.what);
    const key = `${what}: ${row.happened}`;
    sums.set(key, { ...row, what, times: row.times + (sums.get(key)?.times ?? 0) });
  }
  return [...sums.values()];
}
