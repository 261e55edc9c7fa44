import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

/** Runs every `test/**.test.ts` (or those whose path contains an argument) and fails if there is none. */
const { positionals: parts } = parseArgs({ allowPositionals: true });
const files = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((name) => join("test", name))
  .filter(
    (name) => name.endsWith(".test.ts") && (parts.length === 0 || parts.some((part) => name.includes(part))),
  )
  .sort();
if (files.length === 0) {
  console.error("no test file found");
  process.exit(1);
}
const loaders = ["--import", "tsx", "--import", "./test/fixtures/seed.ts"];
// One more than the cores of a small machine: much of the time tests wait for other processes.
const run = spawnSync(
  process.execPath,
  [...loaders, "--test", "--test-reporter=spec", "--test-concurrency=3", ...files],
  {
    stdio: "inherit",
    env: { ...process.env, TZ: "UTC" },
  },
);
process.exit(run.status ?? 1);
