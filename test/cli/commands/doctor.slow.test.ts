import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { SCHEMA_VERSION } from "../../../src/core/index/schema.ts";
import type { LeftOut } from "../../../src/core/notes/task/left-out.ts";
import { hashOf } from "../../../src/core/storage/read.ts";
import { processSpace, temporaryFor } from "../../../src/core/storage/temp-files.ts";
import type { Finding } from "../../../src/core/workspace/doctor/finding.ts";
import { checkNode } from "../../../src/core/workspace/doctor/machine.ts";
import { builtFile } from "../../fixtures/built.ts";
import { runCommand } from "../../fixtures/command.ts";
import { ON_WINDOWS } from "../../fixtures/disk.ts";
import { noGit } from "../../fixtures/machines.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { connect, makeWorkspace, temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

interface Reported extends Omit<Finding, "fix"> {
  fixable: boolean;
  fixed: boolean;
}

/** The findings of doctor, with the real clock. */
function doctor(t: TestContext, root: string, ...args: string[]) {
  const options = ["doctor", "--root", root, "--json", ...args];
  const { status, stdout, stderr } = runCommand(builtFile(t), options, {
    cwd: temporaryFolder(t),
    env: { PATH: process.env["PATH"], HOME: temporaryFolder(t) },
  });
  // The log reports what was fixed.
  if (!args.includes("--fix")) assert.equal(stderr, "");
  const { findings, left_out } = JSON.parse(stdout) as { findings: Reported[]; left_out: LeftOut[] };
  const of = (check: string) => findings.filter((finding) => finding.check === check);
  return { status, findings, left_out, of };
}

/** Doctor on a workspace with an index, with the real clock. */
function indexed(t: TestContext) {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const [file, cwd, home] = [builtFile(t), temporaryFolder(t), temporaryFolder(t)];
  const run = (args: string[], env: Record<string, string> = {}) =>
    runCommand(file, args, {
      cwd,
      env: { PATH: process.env["PATH"], HOME: home, USERPROFILE: home, VIBE_ROOT: root, ...env },
    });
  assert.equal(run(["reindex"]).status, 0);
  const doctor = (...words: string[]) => run(["doctor", ...words]);
  const row = (check: string) =>
    doctor()
      .stdout.split("\n")
      .find((line) => line.slice(9).startsWith(check)) ?? "";
  return { root, run, db: join(root, "index.db"), doctor, row };
}

/** The pid of a process that has ended. */
function deadProcess(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

test("a healthy workspace has no problems", (t) => {
  const { status, findings } = doctor(
    t,
    makeWorkspace(t, { "p/a.md": "# A\n", "p/tasks/001-x.md": "Status: done\n" }),
    "--project",
    "p",
  );
  assert.equal(status, 0);
  assert.deepEqual([...new Set(findings.map(({ state }) => state))], ["ok"]);
  const checks = [
    "node",
    "root",
    "permissions",
    "index",
    "documents",
    "history",
    "locks",
    "clock",
    "freshness",
    "project",
  ];
  assert.deepEqual(
    findings.map(({ check }) => check),
    checks,
  );
  const none = doctor(t, join(temporaryFolder(t), "none"));
  assert.equal(none.status, 0);
  assert.match(none.of("root")[0]?.remedy ?? "", /init my-project/);
});

test("damage of the history is a note that says what is lost", (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-x.md": "Status: pending\n" });
  runCommand(builtFile(t), ["status", "1", "done", "--project", "p", "--root", root], {
    cwd: root,
    env: { HOME: root },
  });
  const [whole] = doctor(t, root).of("history");
  assertTells(whole?.message, ["1", "0.0 MB"]);
  const history = join(root, ".vibe-mcp/history");
  for (const name of readdirSync(join(history, "log"))) appendFileSync(join(history, "log", name), "\n{torn");
  const files = readdirSync(join(history, "blobs"), { recursive: true, encoding: "utf8" });
  for (const name of files.filter((path) => path.length > 60))
    writeFileSync(join(history, "blobs", name), "x");
  const { status, of } = doctor(t, root);
  const [damaged] = of("history");
  assert.deepEqual([status, damaged?.state], [0, "note"]);
  assertTells(damaged?.message, ["Damaged", "1 line", "2 texts"]);
  assertTells(damaged?.remedy, ["No document"]);
});

test("verify says what of history and files is lost, and drops only a damaged text", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n\nzero\n", "p/b.md": "# B\n\nzero\n" });
  const { call } = await connect(t, root);
  for (const path of ["p/a.md", "p/b.md"])
    for (const text of ["one", "two", "three"])
      await call("update_doc", { path, content: `# N\n\n${text} of ${path}\n`, mode: "replace" });
  const blob = (at: string, text: string) => {
    const hash = hashOf(Buffer.from(text));
    return join(at, ".vibe-mcp/history/blobs", hash.slice(0, 2), hash);
  };
  const log = (at: string) => {
    const folder = join(at, ".vibe-mcp/history/log");
    return join(folder, readdirSync(folder)[0] ?? "");
  };
  const old = "# N\n\none of p/a.md\n";
  const cases: [what: string, damage: (at: string) => void, status: number, said: RegExp][] = [
    ["nothing", () => {}, 0, /^Nothing is lost: 6 changes/],
    ["an edit elsewhere", (at) => appendFileSync(join(at, "p/a.md"), "x"), 0, /^outside +p\/a\.md, about 20/],
    ["a note with another name", (at) => renameSync(join(at, "p/a.md"), join(at, "p/c.md")), 0, /^outside/],
    [
      "a note in a cloud",
      (at) => renameSync(join(at, "p/a.md"), join(at, "p/.a.md.icloud")),
      0,
      /^Nothing is lost/,
    ],
    ["no note", (at) => rmSync(join(at, "p/a.md")), 1, /^lost +p\/a\.md is gone/],
    ["an empty note", (at) => writeFileSync(join(at, "p/a.md"), ""), 1, /^lost +p\/a\.md is empty/],
    [
      "zero bytes",
      (at) => writeFileSync(join(at, "p/b.md"), Buffer.alloc(20)),
      1,
      /^lost +p\/b\.md has zero/,
    ],
    ["a torn line", (at) => appendFileSync(log(at), "\n{torn"), 1, /^damaged +1 line/],
    [
      "a line less",
      (at) => {
        const lines = readFileSync(log(at), "utf8").split("\n");
        writeFileSync(log(at), lines.toSpliced(2, 1).join("\n"));
      },
      0,
      /^outside +p\/a\.md/,
    ],
    ["no old text", (at) => rmSync(blob(at, old)), 1, /^missing +the text of p\/a\.md before/],
    ["a damaged text", (at) => writeFileSync(blob(at, old), "x"), 1, /^damaged +the old text .*verify --fix/],
  ];
  const verify = (at: string, ...args: string[]) =>
    runCommand(builtFile(t), ["verify", "--root", at, ...args], { cwd: at, env: { HOME: at } });
  for (const [what, damage, status, said] of cases) {
    const at = temporaryFolder(t);
    cpSync(root, at, { recursive: true });
    damage(at);
    const ran = verify(at);
    assert.match(ran.stdout, said, what);
    assert.equal(ran.status, status, what);
    if (what !== "a damaged text") continue;
    assert.equal(verify(at, "--fix").status, 1);
    assert.ok(!existsSync(blob(at, old)) && existsSync(blob(at, "# N\n\ntwo of p/a.md\n")));
    const { damaged, missing, whole } = JSON.parse(verify(at, "--json").stdout);
    assert.deepEqual([damaged, missing.length, whole], [[], 1, false]);
  }
});

test("notes that supersede each other in a circle are named", (t) => {
  const said = (path: string) => `---\nsuperseded_by: ${path}\n---\n# A\n`;
  const root = makeWorkspace(t, {
    "p/a.md": said("b.md"),
    "p/b.md": said("a.md"),
    "p/c.md": said("d.md"),
    "p/d.md": "# D\n",
  });
  const messages = doctor(t, root)
    .of("links")
    .map(({ message }) => message);
  assert.equal(messages.length, 1);
  assert.match(messages[0] ?? "", /circle: p\/a\.md, p\/b\.md\.$/);
});

test("the current project is named with the reason; if there is none, with a remedy", (t) => {
  const root = makeWorkspace(t, { "p/a.md": "x" });
  const project = (...args: string[]) => doctor(t, root, ...args).of("project")[0];
  assertTells(project("--project", "P")?.message, ["p", "--project"]);
  const unknown = project("--project", "shop");
  assert.equal(unknown?.state, "note");
  assertTells(unknown?.message, ["No", "--project", "'shop'"]);
  assertTells(unknown?.remedy, ["init shop", "--project", "VIBE_PROJECT"]);
  const unnamed = project();
  assert.equal(unnamed?.state, "note");
  assert.match(unnamed.message, /'vibe-test-\w+'/);
});

test("a root that is a file, and an old Node, are problems", (t) => {
  const root = makeWorkspace(t, { file: "x" });
  const { status, of } = doctor(t, join(root, "file"));
  assert.equal(status, 1);
  const [found] = of("root");
  assert.equal(found?.state, "problem");
  assertTells(found.message, [join(root, "file"), "folder"]);
  assert.equal(checkNode("v20.18.9").state, "problem");
  for (const version of ["v20.19.0", "v22.1.0", "v100.0.0"]) assert.equal(checkNode(version).state, "ok");
});

test("documents that are left out are named, with the reason and a remedy", (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/004-a.md": "Status: someday\n",
    "p/tasks/deep/4-b.md": "Status: done\n",
    "p/tasks/005-a.md": "Status: done\n",
    "p/archive/tasks/005-b.md": "Status: done\n",
    "p/tasks/006-a.md": "Status: done\n",
    "p/tasks/006-a (1).md": "Status: pending\n",
    "p/tasks/README.md": "x\n",
    "p/status.md": "# P\n",
    "p/status.sync-conflict-20260301-101500-ABCDEFG.md": "# P\n",
    "p/broken.md": "---\na: [\n---\nx",
    "p/latin.md": Buffer.from([0x61, 0xe9]),
  });
  if (!ON_WINDOWS) symlinkSync(temporaryFolder(t), join(root, "p", "outside"));
  const { status, findings, left_out, of } = doctor(t, root);
  assert.equal(status, 1);
  const said = findings.map(({ message }) => message).join("\n");
  for (const part of [
    /^2 tasks have the same number: p\/tasks\/004-a\.md, p\/tasks\/deep\/4-b\.md\.$/m,
    /^2 tasks have the same number: p\/archive\/tasks\/005-b\.md, p\/tasks\/005-a\.md\.$/m,
    /^p\/broken\.md: The frontmatter is not valid YAML \(line \d\): none of its fields is read\.$/m,
    /^Not plain UTF-8: p\/latin\.md \(is not valid UTF-8\)\./m,
    /^1 task without a known status: p\/tasks\/004-a\.md\.$/m,
    /^2 copies of notes that another program left: .*20260301-101500-ABCDEFG\.md of status\.md, p\/tasks\/006-a \(1\)\.md of 006-a\.md\./m,
    /^Among the tasks, but not counted: p\/tasks\/README\.md \(a page about the tasks\)\.$/m,
  ])
    assert.match(said, part);
  if (!ON_WINDOWS) {
    const leftOut = of("left-out").map(({ message }) => message);
    assertTells(
      leftOut.find((message) => message.startsWith("p/outside")),
      ["link"],
    );
  }
  const reasons = new Map(left_out.map(({ path, reason }) => [path, reason]));
  assert.equal(reasons.get("p/latin.md"), "is not valid UTF-8");
  assert.equal(reasons.get("p/tasks/004-a.md"), "no known status");
  assert.equal(reasons.get("p/tasks/006-a (1).md"), "a copy of 006-a.md that another program left");
  assert.equal(reasons.get("p/tasks/README.md"), "a page about the tasks");
  assertTells(reasons.get("p/broken.md"), ["YAML"]);
  for (const { state, remedy, check } of findings) if (state !== "ok") assert.ok(remedy, check);
});

test("--fix cleans up after dead processes and rebuilds a broken index, and touches nothing of living ones", (t) => {
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
  utimesSync(stale, 4_102_444_800, 4_102_444_800);
  const mine = temporaryFor(join(root, "p", "a.md"));
  const theirs = mine.replace(`-${process.pid}-`, `-${dead}-`);
  for (const file of [mine, theirs]) writeFileSync(file, "half");
  const before = doctor(t, root);
  assert.equal(before.status, 1);
  const fixable = before.findings.filter((finding) => finding.fixable).map(({ check }) => check);
  assert.deepEqual(fixable, ["index", "locks", "temporaries"]);
  assertTells(
    before
      .of("locks")
      .map(({ message }) => message)
      .join("\n"),
    ["in the future"],
  );
  assert.ok(existsSync(stale) && existsSync(theirs));
  const after = doctor(t, root, "--fix");
  assert.equal(after.status, 0, JSON.stringify(after.findings));
  assert.deepEqual(
    [stale, held, mine, theirs].map((file) => existsSync(file)),
    [false, true, true, false],
  );
  const locks = after.of("locks").map(({ message }) => message);
  assertTells(locks.join("\n"), [`process ${process.pid}`]);
  assert.match(doctor(t, root).of("index")[0]?.message ?? "", /1 document, .* in step/);
});

test("files from the future are named", (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n" });
  const time = new Date(Date.now() + 86_400_000);
  utimesSync(join(root, "p", "a.md"), time, time);
  assertTells(doctor(t, root).of("clock")[0]?.message, ["1", "future", "p/a.md"]);
});

/** Root ignores permissions, so tests run as `nobody`. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534 } : {};

test("missing permissions are a problem", { skip: ON_WINDOWS }, (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n", "p/tasks/001-a.md": "x", "index.db": "x" });
  const program = builtFile(t);
  const tasks = join(root, "p", "tasks");
  for (const folder of [root, dirname(program)]) chmodSync(folder, 0o755);
  chmodSync(tasks, 0);
  const { stdout, error } = spawnSync(process.execPath, [program, "doctor", "--root", root], {
    ...UNPRIVILEGED,
    encoding: "utf8",
    cwd: root,
    env: {},
  });
  chmodSync(tasks, 0o755);
  if (error !== undefined) return t.skip(`Node.js does not run as nobody here: ${error.message}`);
  assert.match(stdout, /^problem +permissions +Not readable and writable: .*p\/tasks/m);
  assert.match(stdout, /^problem +left-out .*p\/tasks: .*permission/m);
  assert.equal(readFileSync(join(root, "p", "a.md"), "utf8"), "# A\n");
});

test("doctor ends with the number of problems, and with the command that fixes them", (t) => {
  const { doctor, db } = indexed(t);
  assert.match(doctor().stdout, /^note +project .*\n.*\n\nNo problems; 1 note\.\n$/m);
  assert.match(doctor("--project", "p").stdout, /\n\nNo problems\.\n$/);
  writeFileSync(db, "torn");
  const broken = doctor();
  assert.equal(broken.status, 1);
  assert.match(broken.stdout, /\n\n1 problem; 1 note\. .*: node \S+ doctor --fix\n$/);
  const repaired = doctor("--fix");
  assert.equal(repaired.status, 0, repaired.stderr);
  assert.match(repaired.stdout, /^fixed +index .* damaged.*\.\n(?! {22})/m);
  assert.match(repaired.stdout, /\n\nNo problems; 1 note\.\n$/);
});

test("doctor --fix is refused in a read-only workspace", (t) => {
  const { run, db } = indexed(t);
  writeFileSync(db, "torn");
  const { status, stderr } = run(["doctor", "--fix"], { VIBE_READ_ONLY: "1" });
  assert.equal(status, 1);
  assertTells(stderr, ["read-only", "--read-only", "VIBE_READ_ONLY"]);
  assert.equal(readFileSync(db, "utf8"), "torn");
});

test("an index of another version is not reported as damaged", (t) => {
  const { row, db, doctor } = indexed(t);
  const bytes = readFileSync(db);
  const version = (number: number) => {
    bytes.writeUInt32BE(number, 60);
    writeFileSync(db, bytes);
  };
  version(SCHEMA_VERSION + 1);
  assert.match(row("index"), /^note .* newer version: .* in memory\.$/);
  assert.equal(doctor("--fix").status, 0);
  assert.deepEqual(readFileSync(db), bytes);
  version(SCHEMA_VERSION - 1);
  assert.match(row("index"), /^problem .* older version\.$/);
});

test("changes since the last sync are counted, and a folder in place of the index is named", (t) => {
  const { row, root, doctor } = indexed(t);
  assert.match(row("index"), /^ok .*: 1 document, [\d.]+ MB, in step/);
  writeFiles(root, { "p/b.md": "x", "p/c.md": "x" });
  assert.match(row("index"), /1 document, .*, 2 files changed/);
  mkdirSync(join(root, "folder"));
  const { stdout } = doctor("--db", join(root, "folder"));
  assert.match(stdout, /^problem +index .*folder .*regular file.* --db/m);
});

test("doctor says how changes are noticed, even if watching is off", (t) => {
  const { run } = indexed(t);
  const { stdout } = run(["doctor"], { VIBE_WATCH: "off" });
  assert.match(stdout, /^ok +freshness +No watching .*off.*1 files/m);
});

test("a lock without a readable owner is held by an unknown process", (t) => {
  const { row, root } = indexed(t);
  assert.match(row("locks"), /^ok .*No lock/);
  for (const owner of ["{", '{"pid": 1}', '{"host": 1, "pid": 1, "token": "x"}']) {
    writeFiles(root, { ".vibe-mcp/locks/p.lock": owner });
    assert.match(row("locks"), /an unknown process/, owner);
  }
});

test("a read-only workspace has no findings about its disk clock or task numbers", (t) => {
  const { run, root } = indexed(t);
  writeFiles(root, { "p/tasks/a.md": "Status: done\n", "p/tasks/b.md": "Status: done\n" });
  const { status, stdout } = run(["doctor"], { VIBE_READ_ONLY: "1" });
  assert.equal(status, 0);
  assert.doesNotMatch(stdout, /^\w+ +clock|have the same number/m);
});

test("an unreachable root is a problem, and is not created", { skip: ON_WINDOWS }, (t) => {
  const { run, root } = indexed(t);
  const far = join(root, "x".repeat(300));
  const { status, stdout } = run(["doctor"], { VIBE_ROOT: far });
  assert.equal(status, 1);
  assert.match(stdout, /^problem +root .*x .*\.\n +.* --root or VIBE_ROOT\.$/m);
  assert.ok(!existsSync(far));
});

test("a disk clock far from the machine's is a problem, in colour on a terminal", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/a.md": "# A\n" });
  const { status, stdout } = someone.onScreen(["doctor"]);
  assert.equal(status, 1);
  assert.ok(stdout.includes("\u001b[31mproblem "), stdout);
  assert.match(someone.inPipe(["doctor"]).stdout, /^problem +clock +.*\b\d+ s ahead/m);
});

test("a client that serves another root is named, with the command that connects it to this one", (t) => {
  const someone = person(t);
  const home = join(someone.cwd, "home");
  writeFiles(someone.root, { "p/a.md": "# A\n" });
  symlinkSync(someone.root, join(someone.cwd, "link"));
  const entry = (start: object) => JSON.stringify({ mcpServers: { vibe: start } });
  const clients = (file: string, start: object) => {
    writeFiles(someone.cwd, { [file]: entry(start) });
    const env = { HOME: home, USERPROFILE: home };
    const { stdout } = someone.inPipe(["doctor", "--root", someone.root], { env });
    return stdout.slice(stdout.indexOf("clients"));
  };
  const own = "home/.cursor/mcp.json";
  const other = join(home, "other");
  for (const start of [
    { command: "vibe-mcp", args: ["--root", "/first", "--root", other] },
    { command: "vibe-mcp", args: [`--root=${other}`], env: { VIBE_ROOT: someone.root } },
    { command: "npx", args: ["-y", "vibe-mcp"], env: { VIBE_ROOT: "~/other" } },
    { command: ["vibe-mcp", "--root", other] },
  ]) {
    const said = clients(own, start);
    assert.ok(said.includes(`Cursor serves another root: ${other}, not ${someone.root} (`), said);
    assert.match(said, /: vibe-mcp --root \S+ connect cursor\n/);
  }
  assert.ok(clients(own, { command: "vibe-mcp" }).includes(`another root: ${join(home, ".vibe")}, not`));
  for (const start of [
    { command: "vibe-mcp", args: ["--root", someone.root] },
    { command: "vibe-mcp", args: ["--root", join(someone.cwd, "link")] },
    { command: "vibe-mcp", args: ["--root", ""], env: { VIBE_ROOT: someone.root } },
    { type: "http", url: "https://notes.example.com/mcp" },
  ])
    assert.match(
      clients(own, start),
      /^clients +Cursor (?:starts|reaches) this server/,
      JSON.stringify(start),
    );
  const said = clients(".cursor/mcp.json", { command: "vibe-mcp" });
  assert.match(said, /: vibe-mcp --root \S+ connect cursor --here\n/);
});

test("broken links are noted, with the documents that were renamed or moved outside", (t) => {
  const { root, run, doctor, db } = indexed(t);
  writeFiles(root, {
    "p/a.md":
      "# A\n\n[[b]] [c](tasks/003-c.md) [d](plans/d.md#x)\n\n[e](none.md) `[[code]]` [web](https://example.org)\n",
    "p/b.md": "# B\n\n[[d]] [again](tasks/003-c.md) [self](#b) [[Dee]]\n",
    "p/tasks/003-c.md": "# Task: C\n\nStatus: done\n",
    "p/plans/d.md": "---\nalias: dee\n---\n# X\n",
  });
  const links = () => {
    const { findings } = JSON.parse(doctor("--json").stdout) as { findings: Finding[] };
    const found = findings.filter(({ check }) => check === "links");
    assert.ok(found.every(({ state }) => state === "note"));
    return found.map(({ message }) => message);
  };
  const [only] = links();
  assert.equal(links().length, 1);
  assertTells(only, ["1 broken link", "p/a.md:5 [e](none.md) (missing)"]);
  assert.equal(run(["reindex"]).status, 0);
  renameSync(join(root, "p/tasks/003-c.md"), join(root, "p/tasks/003-see.md"));
  mkdirSync(join(root, "p/archive"));
  renameSync(join(root, "p/plans/d.md"), join(root, "p/archive/d.md"));
  const [all, renamed, moved, ...others] = links();
  assert.deepEqual(others, []);
  assertTells(all, [
    "4 broken links",
    "p/a.md:3 [c](tasks/003-c.md) (missing)",
    "p/a.md:3 [d](plans/d.md#x) (missing)",
    "p/a.md:5 [e](none.md) (missing)",
    "1 more",
  ]);
  assertTells(renamed, ["p/tasks/003-c.md", "p/tasks/003-see.md", "2 links"]);
  assertTells(moved, ["p/plans/d.md", "p/archive/d.md", "1 link"]);
  // Without what the index knew, only the name tells.
  rmSync(db);
  assert.deepEqual(links().slice(1), [moved]);
});

test("links of another program's graph are followed where ours lead, and not judged", (t) => {
  const { root, run, doctor } = indexed(t);
  writeFiles(root, {
    "p/logseq/config.edn": "{}\n",
    "p/pages/day.md": "- [[AI/Agent]] and [[other]]\n",
    "p/pages/other.md": "- x\n",
    "q/a.md": "[[none]]\n",
  });
  const { stdout } = doctor();
  assert.match(stdout, /1 broken link: q\/a\.md/);
  assert.match(stdout, /'p' is a graph of Logseq/);
  const read = (path: string) => JSON.parse(run(["show", path, "--json"]).stdout) as Record<string, unknown>;
  assert.equal(read("p/pages/day.md")["broken_links"], undefined);
  assert.equal(Array.isArray(read("q/a.md")["broken_links"]), true);
  const renamed = run(["move", "p/pages/other.md", "p/pages/page.md", "--yes"]);
  assert.match(renamed.stderr, /'p' is a graph of Logseq, which alone knows all links to a page/);
  assert.equal(run(["move", "p/pages/other.md", "references/", "--yes"]).status, 0);
});

test("the command that doctor names repairs the links to a file that was renamed outside", (t) => {
  const { root, run, doctor } = indexed(t);
  writeFiles(root, { "p/a.md": "[c](plans/c.md) [[plans/c|x]]\n", "p/plans/c.md": "[a](../a.md)\n" });
  assert.equal(run(["reindex"]).status, 0);
  mkdirSync(join(root, "p/references/in"), { recursive: true });
  renameSync(join(root, "p/plans/c.md"), join(root, "p/references/in/new name.md"));
  const command = / move (p\/plans\/c\.md) "(p\/references\/in\/new name\.md)"/.exec(doctor().stdout);
  assert.ok(command !== null);
  const [, from = "", to = ""] = command;
  const shown = run(["move", from, to]);
  assert.equal(shown.status, 1);
  assert.match(
    shown.stdout,
    /^p\/references\/in\/new name\.md .*\np\/references\/in\/new name\.md:1 {2}\[a\]\(\.\.\/a\.md\) → \[a\]\(\.\.\/\.\.\/a\.md\)\n/,
  );
  assert.equal(run(["move", from, to, "--yes"]).status, 0);
  assert.equal(
    readFileSync(join(root, "p/a.md"), "utf8"),
    "[c](references/in/new%20name.md) [[references/in/new name|x]]\n",
  );
  assert.doesNotMatch(doctor().stdout, /broken link/);
  assert.match(run(["move", from, to]).stdout, /no link .*\n$/);
});

test("an index that git does not ignore is a note, and --fix adds the line", (t) => {
  const repository = temporaryFolder(t);
  writeFiles(repository, { ".git/HEAD": "ref: refs/heads/main\n", "notes/p/a.md": "# A\n" });
  const root = join(repository, "notes");
  const [found] = doctor(t, root).of("git");
  assert.deepEqual([found?.state, found?.fixable], ["note", true]);
  writeFileSync(join(repository, ".gitignore"), "*.db\n");
  assert.deepEqual(doctor(t, root).of("git"), []);
  writeFileSync(join(repository, ".gitignore"), "");
  writeFileSync(join(root, ".gitignore"), "mine");
  assert.equal(doctor(t, root, "--fix").of("git")[0]?.fixed, true);
  assert.equal(readFileSync(join(root, ".gitignore"), "utf8"), "mine\nindex.db*\n.vibe-mcp-*.tmp\n");
  assert.deepEqual(doctor(t, root).of("git"), []);
});

test("an ignore file that leads out of the repository is left alone", { skip: ON_WINDOWS }, (t) => {
  const [repository, outside] = [temporaryFolder(t), temporaryFolder(t)];
  writeFiles(repository, { ".git/HEAD": "x", "p/a.md": "# A\n" });
  writeFiles(outside, { target: "theirs\n" });
  symlinkSync(join(outside, "target"), join(repository, ".gitignore"));
  assert.equal(doctor(t, repository, "--fix").of("git")[0]?.fixed, false);
  assert.equal(readFileSync(join(outside, "target"), "utf8"), "theirs\n");
});

test("notes that git ignores are not merged by it", { skip: noGit }, (t) => {
  const repository = temporaryFolder(t);
  spawnSync("git", ["init", "--quiet", repository]);
  writeFiles(repository, { "notes/p/a.md": "x" });
  assert.equal(doctor(t, join(repository, "notes")).of("merge").length, 1);
  writeFiles(repository, { ".gitignore": "notes/\n" });
  assert.deepEqual(doctor(t, join(repository, "notes")).of("merge"), []);
});

test("what is still open after --fix is not called fixed, and what to do comes last, problems first", {
  skip: noGit,
}, (t) => {
  const repository = temporaryFolder(t);
  spawnSync("git", ["init", "--quiet", repository]);
  writeFiles(repository, { "p/a.md": "<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n" });
  // The clone's own attributes count more than the line that --fix adds.
  writeFileSync(join(repository, ".git", "info", "attributes"), "*.md -merge\n");
  const { findings, of } = doctor(t, repository, "--fix");
  assert.deepEqual(
    of("merge").map(({ state, fixed }) => [state, fixed]),
    [["note", false]],
  );
  const states = findings.filter(({ fixed }) => !fixed).map(({ state }) => state);
  const order = ["ok", "problem", "note"];
  assert.deepEqual(
    states,
    [...states].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
  );
  assert.deepEqual([...new Set(states)], order);
});

test("several clients that do not serve this root are one note", (t) => {
  const someone = person(t);
  const home = temporaryFolder(t);
  writeFiles(someone.root, { "p/a.md": "x" });
  writeFiles(home, { ".cursor/": "", ".codex/": "", ".gemini/": "" });
  const env = { HOME: home, USERPROFILE: home };
  someone.inPipe(["connect", "cursor", "--root", join(home, "example"), "--yes"], { env });
  const clients = () => {
    const { findings } = JSON.parse(someone.inPipe(["doctor", "--json"], { env }).stdout) as {
      findings: Finding[];
    };
    return findings.filter(({ check }) => check === "clients");
  };
  const [found, ...others] = clients();
  assert.deepEqual([found?.state, others], ["note", []]);
  assert.match(found?.message ?? "", /Cursor \(another root\), Codex, Gemini CLI/);
  const args = ["--root", join(home, "example")];
  const here = { mcpServers: { vibe: { command: "vibe-mcp", args } } };
  writeFiles(someone.cwd, { ".cursor/mcp.json": JSON.stringify(here) });
  const messages = clients().map(({ message }) => message);
  assert.ok(
    messages.includes("2 clients do not serve this root: Codex, Gemini CLI."),
    "the folder chose a root",
  );
  rmSync(join(someone.cwd, ".cursor"), { recursive: true });
  someone.inPipe(["connect", "codex", "--yes"], { env });
  assert.deepEqual(
    clients()
      .map(({ state }) => state)
      .sort(),
    ["note", "ok"],
  );
});

test("what a merge left between markers is a problem, with its lines", (t) => {
  const conflict = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n";
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": `---\ntitle: A\n${conflict}---\nStatus: done\n`,
    "p/git.md": `\`\`\`\n${conflict}\`\`\`\n`,
  });
  const { status, of } = doctor(t, root);
  const [finding, ...others] = of("conflicts");
  assert.match(finding?.message ?? "", / p\/tasks\/001-a\.md:3-7\.$/);
  assert.deepEqual(
    [status, finding?.state, finding?.fixable, others, of("frontmatter")],
    [1, "problem", false, [], []],
  );
});
