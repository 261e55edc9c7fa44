import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** One line of the sources made wrong, and the tests that must notice. */
interface Mutation {
  what: string;
  file: string;
  /** Stands in the file exactly once. */
  from: string;
  to: string;
  tests: string[];
}

const MUTATIONS: Mutation[] = [
  {
    what: "gate: what a link leads to is inside the root",
    ...{ file: "src/files/gate.ts", from: "if (!isInside(realRoot, file)) throw invalidPath(path);", to: "" },
    tests: ["test/files/gate.test.ts"],
  },
  {
    what: "gate: hidden names and '..' are refused",
    ...{ file: "src/files/gate.ts", from: 'part === "" || part.startsWith(".")', to: 'part === ""' },
    tests: ["test/files/gate.test.ts"],
  },
  {
    what: "lock: a lock that is taken is not taken again",
    file: "src/files/locks.ts",
    from: `    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;`,
    to: `    await link(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return true;`,
    tests: ["test/files/locks.test.ts"],
  },
  {
    what: "lock: the lock of a dead process is given up, of a living one kept",
    ...{ file: "src/files/locks.ts", from: "!isAlive(owner.pid)", to: "isAlive(owner.pid)" },
    tests: ["test/files/locks.test.ts"],
  },
  {
    what: "write: a created file never replaces one that is there",
    file: "src/files/write.ts",
    from: "    await link(temporary, file);",
    to: "    await rename(temporary, file);",
    tests: ["test/files/write.test.ts"],
  },
  {
    what: "write: the last moment before a replacement is asked",
    file: "src/files/write.ts",
    from: "    stillWanted();\n    try {",
    to: "    try {",
    tests: ["test/files/write.test.ts"],
  },
  {
    what: "status edit: what follows the value stays",
    file: "src/domain/status-edit.ts",
    ...{ from: "text.slice(line.valueEnd);", to: "text.slice(line.valueEnd + 1);" },
    tests: ["test/domain/status-edit.test.ts"],
  },
  {
    what: "recovery: the checksum of the index is compared",
    file: "src/index/image.ts",
    from: "if (trailer.readUInt32LE(16) !== crc32(file.subarray(0, length))) return undefined;",
    to: "",
    tests: ["test/index/image.test.ts", "test/workspace/mirror.test.ts"],
  },
  {
    what: "recovery: an index that breaks is made anew and asked again",
    file: "src/workspace/workspace.ts",
    ...{ from: "if (!(error instanceof SqliteError)) throw error;", to: "throw error;" },
    tests: ["test/workspace/mirror.test.ts"],
  },
  {
    what: "recovery: a scan that fails is no deletion",
    file: "src/workspace/sync.ts",
    ...{ from: 'if (scan.failed.includes("")) return () => true;', to: "" },
    tests: ["test/workspace/mirror.test.ts"],
  },
];

/** A copy of the project: the sources themselves are never touched, however this ends. */
const place = mkdtempSync(join(tmpdir(), "vibe-mutate-"));
process.once("exit", () => rmSync(place, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
for (const name of ["src", "test", "scripts", "dist", "package.json", "tsconfig.json"])
  cpSync(name, join(place, name), { recursive: true });
symlinkSync(resolve("node_modules"), join(place, "node_modules"), "junction");

function passes(tests: readonly string[]): boolean {
  const args = ["--import", "tsx", "--import", "./test/support/seed.ts", "--test", ...tests];
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
