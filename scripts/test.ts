import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { SEED } from "../test/fixtures/num-runs.ts";
import { LOADERS, withFolder } from "./shared.ts";

/**
 * Runs the everyday tests; with `--all`, those in `*.slow.test.ts` too: browsers, many programs, kills, load and long runs; with
 * `--nightly`, those in `*.nightly.test.ts` too, and everything as often as it says. With parts of paths, all tests whose path
 * contains one, each file in a process of its own. A file that fails beside others is tried once more alone, and said to be flaky if
 * it passes: on a busy machine a program or a browser may be late. The night tries nothing twice.
 */
const { values, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false }, nightly: { type: "boolean", default: false } },
});

/** The processes that tests share: starting tsx for each file costs more than most of them do. */
const EVERYDAY_GROUPS = 8;
const SLOW_GROUPS = 8;
/** Each with one browser, for all files of the group. */
const BROWSER_GROUPS = 2;

/** Closes the browser at the end of a group, not of its first file. */
const BROWSER = resolve("test", "fixtures", "browser.ts");

const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((name) => join("test", name))
  .filter((name) => name.endsWith(".test.ts"))
  .sort();

const kindOf = (file: string) => /\.(slow|nightly)\.test\.ts$/.exec(file)?.[1] ?? "everyday";

const usesBrowser = (file: string) => /fixtures\/b(?:rowser|oard)\.ts"/.test(readFileSync(file, "utf8"));

const isChosen = (file: string) =>
  values.nightly || kindOf(file) === "everyday" || (values.all && kindOf(file) === "slow");

/** A file that runs those tests one after the other, each under its name. */
function writeGroup(folder: string, name: string, group: readonly string[], first?: string): string {
  const entry = join(folder, `${name}.test.mjs`);
  const lines = group.map((file) => {
    const [title, url] = [file, urlOf(file)].map((text) => JSON.stringify(text));
    return `suite(${title}, () => import(${url}));`;
  });
  const loaded = first === undefined ? [] : [`await import(${JSON.stringify(urlOf(first))});`];
  writeFileSync(entry, ['import { suite } from "node:test";', ...loaded, ...lines, ""].join("\n"));
  return entry;
}

function urlOf(file: string): string {
  return pathToFileURL(resolve(file)).href;
}

/** Each group loads `first`, if that is given, before its files. */
type Deal = [name: string, count: number, first?: string];

function deal(folder: string, all: readonly string[], [name, count, first]: Deal): string[] {
  return Array.from({ length: count }, (_, n) => all.filter((_, at) => at % count === n))
    .filter((group) => group.length > 0)
    .map((group, n) => writeGroup(folder, `${name}-${n}`, group, first));
}

/** The longest first: node runs them by their names. */
function entriesIn(folder: string): string[] {
  const chosen = files.filter(isChosen);
  const everyday = chosen.filter((file) => kindOf(file) === "everyday");
  const slow = chosen.filter((file) => kindOf(file) !== "everyday");
  const inBrowser = slow.filter(usesBrowser);
  const others = slow.filter((file) => !inBrowser.includes(file));
  return [
    ...deal(folder, inBrowser, ["1-browser", BROWSER_GROUPS, BROWSER]),
    ...deal(folder, others, ["2-slow", SLOW_GROUPS]),
    ...deal(folder, everyday, ["3-everyday", EVERYDAY_GROUPS]),
  ];
}

/** Twice the cores of a small machine: much of the time tests wait for other processes. */
const AT_ONCE = 4;

function run(entries: readonly string[], flags: readonly string[] = [], atOnce = AT_ONCE): number {
  if (entries.length === 0) throw new Error("no test file found");
  const env = { ...process.env, TZ: "UTC", FC_SEED: `${SEED}`, ...(values.nightly && { NIGHTLY: "1" }) };
  const spec = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
  const args = [...LOADERS, "--test", `--test-concurrency=${atOnce}`, ...spec, ...flags, ...entries];
  const status = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;
  if (status !== 0) console.error(`drawn by lot with FC_SEED=${SEED}`);
  return status;
}

function runAll(folder: string): number {
  const results = join(folder, "results.tap");
  const status = run(entriesIn(folder), ["--test-reporter=tap", `--test-reporter-destination=${results}`]);
  const failed = [...readFileSync(results, "utf8").matchAll(/^not ok \d+ - (.+)$/gm)].map(
    ([, name = ""]) => name,
  );
  const isKnown = failed.length > 0 && failed.every((name) => files.includes(name));
  if (status === 0 || values.nightly || !isKnown) return status;
  console.error(`\nonce more, alone: ${failed.join(", ")}\n`);
  const again = run(failed, [], 1);
  if (again === 0) console.error(`flaky: ${failed.join(", ")}`);
  return again;
}

const named = files.filter((file) => parts.some((part) => file.includes(part)));
process.exitCode = parts.length > 0 ? run(named) : await withFolder("test", async (folder) => runAll(folder));
