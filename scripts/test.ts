import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { withFolder } from "./shared.ts";

/** The processes that the everyday tests share: starting tsx for each file costs more than most of them do. */
const GROUPS = 12;

/**
 * Runs the everyday tests; with `--all`, those in `*.slow.test.ts` too: browsers, dozens of programs, kills, load and long runs. With parts of paths, all
 * tests whose path contains one, each file in a process of its own. The everyday tests try properties less often.
 */
const { values, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false } },
});
const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((name) => join("test", name))
  .filter(
    (name) => name.endsWith(".test.ts") && (parts.length === 0 || parts.some((part) => name.includes(part))),
  )
  .sort();

const isSlow = (file: string) => file.endsWith(".slow.test.ts");

/** A file that runs those tests one after the other, each under its name. */
function writeGroup(folder: string, number: number, group: readonly string[]): string {
  const entry = join(folder, `${number}.test.mjs`);
  const lines = group.map((file) => {
    const [name, url] = [file, pathToFileURL(resolve(file)).href].map((text) => JSON.stringify(text));
    return `suite(${name}, () => import(${url}));`;
  });
  writeFileSync(entry, ['import { suite } from "node:test";', ...lines, ""].join("\n"));
  return entry;
}

function entriesIn(folder: string): string[] {
  if (parts.length > 0) return files;
  const shared = files.filter((file) => !isSlow(file));
  const groups = Array.from({ length: GROUPS }, (_, n) => shared.filter((_, at) => at % GROUPS === n));
  return [
    ...groups.map((group, n) => writeGroup(folder, n, group)),
    ...files.filter((file) => values.all && isSlow(file)),
  ];
}

function run(entries: readonly string[]): number {
  const loaders = ["--import", "tsx", "--import", "./test/fixtures/seed.ts"];
  // One more than the cores of a small machine: much of the time tests wait for other processes.
  const flags = ["--test", "--test-reporter=spec", "--test-concurrency=3"];
  const isEveryday = parts.length === 0 && !values.all;
  const env = { ...process.env, TZ: "UTC", ...(isEveryday && { EVERYDAY: "1" }) };
  return (
    spawnSync(process.execPath, [...loaders, ...flags, ...entries], { stdio: "inherit", env }).status ?? 1
  );
}

if (files.length === 0) throw new Error("no test file found");
process.exitCode = await withFolder("test", async (folder) => run(entriesIn(folder)));
