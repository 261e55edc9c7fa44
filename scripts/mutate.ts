import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MUTATIONS, type Mutation } from "./mutate/mutations.ts";

const problems = MUTATIONS.flatMap(problemsOf);
for (const problem of problems) console.error(`mutate: ${problem}`);
if (problems.length > 0) process.exit(1);

/** A copy of the project, so that the sources are never touched. */
const place = mkdtempSync(join(tmpdir(), "vibe-mutate-"));
process.once("exit", () => rmSync(place, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
for (const name of ["src", "test", "scripts", "dist", "package.json", "tsconfig.json"])
  cpSync(name, join(place, name), { recursive: true });
symlinkSync(resolve("node_modules"), join(place, "node_modules"), "junction");

if (!passes([...new Set(MUTATIONS.flatMap(({ tests }) => tests))])) {
  console.error("mutate: the tests already fail without a mutation");
  process.exit(1);
}
const missed = MUTATIONS.filter((mutation) => {
  const isMissed = !isCaught(mutation);
  console.log(`${isMissed ? "MISSED" : "caught"}  ${mutation.what} (${mutation.file})`);
  return isMissed;
});
console.log(`${MUTATIONS.length - missed.length} of ${MUTATIONS.length} caught`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** What makes a mutation impossible: the list must follow the sources. */
function problemsOf({ what, file, from, to, tests }: Mutation): string[] {
  const count = existsSync(file) ? readFileSync(file, "utf8").split(from).length - 1 : 0;
  const missing = tests.filter((test) => !existsSync(test));
  return [
    ...(count === 1
      ? []
      : [`"${what}": ${file} must contain its text once, not ${count} times: ${from.trim()}`]),
    ...(from === to ? [`"${what}" changes nothing`] : []),
    ...missing.map((test) => `"${what}": there is no ${test}`),
  ];
}

function isCaught({ file, from, to, tests }: Mutation): boolean {
  const target = join(place, file);
  const source = readFileSync(target, "utf8");
  const [before, after] = source.split(from);
  writeFileSync(target, `${before}${to}${after}`);
  try {
    return !passes(tests);
  } finally {
    writeFileSync(target, source);
  }
}

function passes(tests: readonly string[]): boolean {
  const args = ["--import", "tsx", "--import", "./test/fixtures/seed.ts", "--test", ...tests];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, args, { cwd: place, env: { ...env, TZ: "UTC" } }).status === 0;
}
