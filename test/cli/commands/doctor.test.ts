import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { processSpace } from "../../../src/storage/process.ts";
import { temporaryFor } from "../../../src/storage/temp-files.ts";
import type { Finding } from "../../../src/workspace/doctor/finding.ts";
import { checkNode } from "../../../src/workspace/doctor/machine.ts";
import { builtFile } from "../../fixtures/built.ts";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

interface Reported extends Omit<Finding, "fix"> {
  fixable: boolean;
  fixed: boolean;
}

/** Runs the built file with the real clock. */
function doctor(t: TestContext, root: string, ...args: string[]) {
  const options = ["doctor", "--root", root, "--json", ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtFile(t), ...options], {
    encoding: "utf8",
    cwd: temporaryFolder(t),
    env: { PATH: process.env["PATH"], HOME: temporaryFolder(t) },
  });
  // What is mended is told in the log.
  if (!args.includes("--fix")) assert.equal(stderr, "");
  const { findings } = JSON.parse(stdout) as { findings: Reported[] };
  const of = (check: string) => findings.filter((finding) => finding.check === check);
  return { status, findings, of };
}

/** The number of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

test("a healthy workspace has nothing wrong, and every finding that is not fine has a remedy", (t) => {
  const { status, findings } = doctor(
    t,
    makeWorkspace(t, { "p/a.md": "# A\n", "p/tasks/001-x.md": "Status: done\n" }),
  );
  assert.equal(status, 0);
  assert.deepEqual([...new Set(findings.map(({ state }) => state))], ["ok"]);
  const checks = ["node", "root", "permissions", "index", "documents", "locks", "clock", "freshness"];
  assert.deepEqual(
    findings.map(({ check }) => check),
    checks,
  );
  const none = doctor(t, join(temporaryFolder(t), "none"));
  assert.equal(none.status, 0);
  assert.match(none.of("root")[0]?.remedy ?? "", /init my-project/);
});

test("a root that is a file, and an old Node, are problems", (t) => {
  const root = makeWorkspace(t, { file: "x" });
  const { status, of } = doctor(t, join(root, "file"));
  assert.equal(status, 1);
  assert.match(of("root")[0]?.message ?? "", /is not a folder/);
  assert.equal(checkNode("v20.18.9").state, "problem");
  for (const version of ["v20.19.0", "v22.1.0", "v100.0.0"]) assert.equal(checkNode(version).state, "ok");
});

test("what is left out is named with its reason and a remedy", (t) => {
  const root = makeWorkspace(t, {
    "loose.md": "x",
    "p/tasks/004-a.md": "Status: someday\n",
    "p/tasks/deep/4-b.md": "Status: done\n",
    "p/broken.md": "---\na: [\n---\nx",
    "p/latin.md": Buffer.from([0x61, 0xe9]),
  });
  if (!ON_WINDOWS) symlinkSync(temporaryFolder(t), join(root, "p", "outside"));
  const { status, findings, of } = doctor(t, root);
  assert.equal(status, 1);
  const said = findings.map(({ message }) => message).join("\n");
  for (const part of [
    /^loose\.md in the root itself/m,
    /^2 tasks have the same number: p\/tasks\/004-a\.md, p\/tasks\/deep\/4-b\.md\.$/m,
    /^p\/broken\.md: The frontmatter is not valid YAML \(line \d\)\.$/m,
    /^Not valid UTF-8: p\/latin\.md\./m,
    /^1 task without a known status: p\/tasks\/004-a\.md\.$/m,
  ])
    assert.match(said, part);
  if (!ON_WINDOWS)
    assert.match(
      of("left-out")
        .map(({ message }) => message)
        .join("\n"),
      /^p\/outside: a link out of/m,
    );
  for (const { state, remedy, check } of findings) if (state !== "ok") assert.ok(remedy, check);
});

test("--fix removes what ended processes left, rebuilds a broken index, and touches nothing that lives", (t) => {
  const root = makeWorkspace(t, {
    "p/a.md": "# A\n",
    ".vibe-mcp/locks/": "",
    "index.db": "SQLite format 3\0 torn",
  });
  const dead = deadProcess();
  const lock = (name: string, pid: number) => {
    const folder = join(root, ".vibe-mcp", "locks", `${name}.lock`);
    mkdirSync(folder);
    const file = join(folder, basename(temporaryFor(name)));
    writeFileSync(file, JSON.stringify({ host: hostname(), ...processSpace(), pid }));
    return file;
  };
  const [stale, held] = [lock("stale", dead), lock("held", process.pid)];
  const mine = temporaryFor(join(root, "p", "a.md"));
  const theirs = mine.replace(`-${process.pid}-`, `-${dead}-`);
  for (const file of [mine, theirs]) writeFileSync(file, "half");
  const before = doctor(t, root);
  assert.equal(before.status, 1);
  const fixable = before.findings.filter((finding) => finding.fixable).map(({ check }) => check);
  assert.deepEqual(fixable, ["index", "locks", "temporaries"]);
  assert.ok(existsSync(stale) && existsSync(theirs));
  const after = doctor(t, root, "--fix");
  assert.equal(after.status, 0, JSON.stringify(after.findings));
  assert.deepEqual(
    [stale, held, mine, theirs].map((file) => existsSync(file)),
    [false, true, true, false],
  );
  assert.match(
    after
      .of("locks")
      .map(({ message }) => message)
      .join("\n"),
    /is being written by process \d+/,
  );
  assert.match(doctor(t, root).of("index")[0]?.message ?? "", /1 document, .* in step/);
});

test("a file that is no index is kept when the index is made again", (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n", "index.db": "my own notes" });
  assert.equal(doctor(t, root, "--fix").of("index")[0]?.fixed, true);
  const { of } = doctor(t, root);
  assert.equal(of("index")[0]?.state, "ok");
});

test("files from the future are named", (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const time = new Date(Date.now() + 86_400_000);
  utimesSync(join(root, "p", "a.md"), time, time);
  assert.match(doctor(t, root).of("clock")[0]?.message ?? "", /^1 file changed in the future: p\/a\.md\.$/);
});

/** Root may do what permissions forbid; nobody may not. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534 } : {};

test("what the permissions forbid is a problem", { skip: ON_WINDOWS }, (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n", "p/tasks/001-a.md": "x", "index.db": "x" });
  const program = builtFile(t);
  const tasks = join(root, "p", "tasks");
  for (const folder of [root, dirname(program)]) chmodSync(folder, 0o755);
  chmodSync(tasks, 0);
  const { stdout, error } = spawnSync(process.execPath, [program, "doctor", "--root", root], {
    ...UNPRIVILEGED,
    ...{ encoding: "utf8", cwd: root, env: {} },
  });
  chmodSync(tasks, 0o755);
  if (error !== undefined) return t.skip(`nobody may run Node.js here: ${error.message}`);
  assert.match(stdout, /Not readable and writable: .*p\/tasks/);
  assert.match(stdout, /p\/tasks: not readable: the permission is missing/);
  assert.equal(readFileSync(join(root, "p", "a.md"), "utf8"), "# A\n");
});
