import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { MUTATIONS, type Mutation } from "./mutate/mutations.ts";

/** A copy of the project: the sources themselves are never touched, however this ends. */
const place = mkdtempSync(join(tmpdir(), "vibe-mutate-"));
process.once("exit", () => rmSync(place, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
for (const name of ["src", "test", "scripts", "dist", "package.json", "tsconfig.json"])
  cpSync(name, join(place, name), { recursive: true });
symlinkSync(resolve("node_modules"), join(place, "node_modules"), "junction");

function passes(tests: readonly string[]): boolean {
  const args = ["--import", "tsx", "--import", "./test/fixtures/seed.ts", "--test", ...tests];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, args, { cwd: place, env: { ...env, TZ: "UTC" } }).status === 0;
}

/** Whether the tests fail on the mutated file. Throws when the line is not there any more: then the list is to be mended. */
function isCaught({ file, from, to, tests }: Mutation): boolean {
  const target = join(place, file);
  const source = readFileSync(target, "utf8");
  if (source.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
  writeFileSync(
    target,
    source.replace(from, () => to),
  );
  try {
    return !passes(tests);
  } finally {
    writeFileSync(target, source);
  }
}

if (!passes([...new Set(MUTATIONS.flatMap(({ tests }) => tests))]))
  throw new Error("the tests fail before anything is mutated");
let missed = 0;
for (const mutation of MUTATIONS) {
  const caught = isCaught(mutation);
  if (!caught) missed++;
  process.stdout.write(`${caught ? "caught" : "MISSED"}  ${mutation.what} (${mutation.file})\n`);
}
process.stdout.write(`${MUTATIONS.length - missed} of ${MUTATIONS.length} caught\n`);
process.exitCode = missed === 0 ? 0 : 1;
