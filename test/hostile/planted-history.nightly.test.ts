import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { deflateSync } from "node:zlib";
import { otherPaths, versionsOf } from "../../src/core/history/versions.ts";
import { builtFile } from "../fixtures/built.ts";
import { runCommand } from "../fixtures/command.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const skip = process.platform === "win32" && "links and pipes need privileges";
const NOW = "2026-11-20T10:00:00.000Z";
const BEFORE = "2020-01-01T00:00:00.000Z";
const ID = "0123456789ab";
const hash = (text: string) => createHash("sha256").update(text).digest("hex");

interface Planted {
  path: string;
  before: string | null;
  after: string | null;
}

/** A record as the server writes it, with the hashes of the texts. */
function record(changes: readonly Planted[], more: object = {}) {
  return {
    id: ID,
    time: NOW,
    tool: "update_doc",
    client: "x",
    pid: 1,
    changes: changes.map(({ path, before, after }) => ({
      path,
      before: before === null ? null : hash(before),
      after: after === null ? null : hash(after),
      bytes: before?.length ?? 0,
    })),
    ...more,
  };
}

function plantBlob(root: string, text: string): void {
  const folder = join(root, ".vibe-mcp/history/blobs", hash(text).slice(0, 2));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, hash(text)), deflateSync(text));
}

function plantJournal(root: string, journal: { id: string }, more = ""): void {
  const folder = join(root, ".vibe-mcp/history/journal");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${journal.id}.json`), `${JSON.stringify(journal)}${more}`);
}

function plantLog(root: string, records: readonly object[], day = "2026-11-20"): void {
  const folder = join(root, ".vibe-mcp/history/log");
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${day}.jsonl`), records.map((one) => `\n${JSON.stringify(one)}`).join(""));
}

function run(t: TestContext, root: string, ...args: string[]) {
  return runCommand(builtFile(t), [...args, "--root", root], {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: temporaryFolder(t), TZ: "UTC" },
  });
}

const NEW = { project: "p", folder: "references", filename: "new.md", content: "# New\n" };

test("a planted journal writes nothing through a time that is a path", { skip }, async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "mine\n" });
  const home = makeWorkspace(t, { "history.jsonl": "precious\n" });
  plantBlob(root, "old\n");
  plantJournal(root, record([{ path: "p/a.md", before: "old\n", after: "mine\n" }], { time: "a/history" }));
  mkdirSync(join(root, ".vibe-mcp/history/log"));
  symlinkSync(home, join(root, ".vibe-mcp/history/log/a"));
  const { call } = await serve(t, root);
  await call("create_doc", NEW);
  await call("update_doc", { project: "p", folder: "references", filename: "new.md", content: "# Newer\n" });
  assert.equal(readFileSync(join(home, "history.jsonl"), "utf8"), "precious\n");
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), "mine\n");
});

test("a planted journal replaces, removes and creates nothing; doctor names it and sets it aside", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "mine\n", "p/b.md": "mine\n" });
  plantBlob(root, "old\n");
  const changes = [
    { path: "p/a.md", before: "old\n", after: "mine\n" },
    { path: "p/b.md", before: null, after: "mine\n" },
    { path: "p/c.md", before: "old\n", after: null },
  ];
  plantJournal(root, record(changes));
  const { call } = await serve(t, root);
  await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "new\n" });
  await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "mine\n" });
  for (const name of ["a.md", "b.md"]) assert.equal(readFileSync(join(root, "p", name), "utf8"), "mine\n");
  assert.equal(existsSync(join(root, "p/c.md")), false);
  const file = join(root, `.vibe-mcp/history/journal/${ID}.json`);
  assert.match(run(t, root, "doctor").stdout, /problem +history .*1 interrupted change/);
  run(t, root, "doctor", "--fix");
  assert.equal(existsSync(file), true, "a young one may belong to a server on another machine that runs");
  utimesSync(file, 1, 1);
  assert.match(run(t, root, "doctor", "--fix").stdout, /fixed +history/);
  assert.equal(existsSync(file), false);
  assert.equal(readdirSync(join(root, ".vibe-mcp/history/aside")).length, 1);
  assert.doesNotMatch(run(t, root, "doctor").stdout, /interrupted change/);
});

test("a write beside hundreds of planted journals, and large ones, does what it says alone", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "mine\n" });
  const id = (n: number) => n.toString(16).padStart(12, "0");
  for (let n = 0; n < 300; n++)
    plantJournal(root, record([{ path: "p/a.md", before: "x", after: "y" }], { id: id(n) }));
  const many = Array.from({ length: 1500 }, (_, n) => ({ path: `p${n}/a.md`, before: null, after: "y" }));
  plantJournal(root, record(many, { id: id(5000) }));
  plantJournal(root, record(many, { id: id(5001) }), " ".repeat(27 * 2 ** 20));
  const { call } = await serve(t, root);
  await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "new\n" });
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), "new\n");
  assert.deepEqual(
    readdirSync(root).filter((name) => /^p\d/.test(name)),
    [],
  );
});

const day = () => `${new Date().toISOString().slice(0, 10)}.jsonl`;
const IN_THE_WAY: [what: string, make: (file: string) => void][] = [
  ["pipe", (file) => execFileSync("mkfifo", [file])],
  ["folder", (file) => mkdirSync(file)],
  ["link", (file) => symlinkSync("/dev/null", file)],
];

for (const [what, make] of IN_THE_WAY)
  test(`a ${what} in place of today's log is moved aside`, { skip }, async (t) => {
    const root = makeWorkspace(t, { "p/a.md": "one\n", ".vibe-mcp/history/log/": "" });
    const log = join(root, ".vibe-mcp/history/log");
    make(join(log, day()));
    const { call, logged } = await serve(t, root);
    await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "two\n" });
    const { versions } = await call<{ versions: object[] }>("history");
    assert.equal(versions.length, 1, logged().join("\n"));
    assert.equal(lstatSync(join(log, day())).isFile(), true);
    assert.equal(readdirSync(join(root, ".vibe-mcp/history/aside")).length, 1);
  });

const BAD_RECORDS: [what: string, record: object][] = [
  ["a time that is a path", { time: "../../etc" }],
  ["a day without a time", { time: "2026-11-20" }],
  ["an impossible time", { time: "2026-02-31T10:00:00.000Z" }],
  ["an id that is not one", { id: "\u001b]0;x\u0007" }],
  ["a tool with a line break", { tool: "a\nb" }],
  ["a client with a control character", { client: "\u001b[2J" }],
  ["a client that is too long", { client: "x".repeat(301) }],
  ["an outside project", { made: "../outside" }],
  ["another project", { made: "q" }],
  ["an odd mode", { changes: [{ path: "p/a.md", before: null, after: null, bytes: 0, mode: 0o4755 }] }],
  ["no changes", { changes: [] }],
  ...["../a.md", "/etc/passwd", "p/../../a.md", ".git/config", "p//a.md", "p/a\n.md", ""].map(
    (path): [string, object] => [
      `the path ${JSON.stringify(path)}`,
      { changes: [{ path, before: null, after: null, bytes: 0 }] },
    ],
  ),
  ["a hash that is none", { changes: [{ path: "p/a.md", before: "../x", after: null, bytes: 0 }] }],
];

test("a record that this program would not write is damaged, and unknown keys are dropped", async (t) => {
  const { parseRecord } = await import("../../src/core/history/record.ts");
  const good = record([{ path: "p/a.md", before: "x", after: "y" }]);
  for (const [what, bad] of BAD_RECORDS)
    assert.equal(parseRecord(JSON.stringify({ ...good, ...bad })), undefined, what);
  assert.deepEqual(parseRecord(JSON.stringify({ ...good, __proto__: 1, extra: "x", made: "p" })), {
    ...good,
    made: "p",
  });
  assert.deepEqual(parseRecord(JSON.stringify({ void: ID, time: NOW, extra: 1 })), { void: ID, time: NOW });
  assert.equal(parseRecord(JSON.stringify({ void: "x", time: NOW })), undefined);
  const root = makeWorkspace(t, { "p/a.md": "x" });
  plantLog(
    root,
    BAD_RECORDS.map(([, bad]) => ({ ...good, ...bad })),
  );
  const { stdout } = run(t, root, "history");
  assert.equal(stdout, "");
  assert.match(run(t, root, "doctor").stdout, new RegExp(`Damaged: ${BAD_RECORDS.length} lines`));
});

test("undo of a planted record removes no folder outside the root", { skip }, async (t) => {
  const outside = makeWorkspace(t, { "tasks/": "", "plans/": "" });
  const root = makeWorkspace(t, { "q/a.md": "x" });
  symlinkSync(outside, join(root, "p"));
  plantBlob(root, "old");
  plantLog(root, [record([{ path: "p/a.md", before: null, after: "x" }], { made: "p" })]);
  run(t, root, "undo", "--yes");
  assert.deepEqual(readdirSync(outside).sort(), ["plans", "tasks"]);
});

test("planted records whose texts are missing do not block undo", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n" });
  const { call, close } = await serve(t, root);
  await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "two\n" });
  await close();
  const time = new Date(Date.now() + 3_600_000).toISOString();
  plantLog(
    root,
    [record([{ path: "p/a.md", before: "never", after: "two\n" }], { time })],
    time.slice(0, 10),
  );
  const { status, stdout, stderr } = run(t, root, "undo", "--yes");
  assert.equal(status, 0, stderr);
  assert.match(`${stdout}${stderr}`, /cannot be undone/);
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), "one\n");
});

test("planted records of the future, or in its log, do not block undo; undo by id takes them", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "one\n" });
  const { call, close } = await serve(t, root);
  await call("update_doc", { project: "p", folder: "", filename: "a.md", content: "two\n" });
  await close();
  const changes = [{ path: "p/a.md", before: null, after: "other\n" }];
  plantLog(root, [record(changes), record(changes, { time: "2099-01-01T00:00:00.000Z" })], "2099-01-01");
  const { status, stdout, stderr } = run(t, root, "undo", "--yes");
  assert.equal(status, 0, stderr);
  assert.match(`${stdout}${stderr}`, / 1 change dated ahead .*undo 0123456789ab/);
  assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), "one\n");
  assert.match(run(t, root, "undo", ID, "--yes").stderr, /was changed since/);
});

test("the paths of a file that moved again and again are found by reading each move once", () => {
  let reads = 0;
  const [first] = versionsOf({ ...record([{ path: "p/b.md", before: "x", after: null }]) });
  assert.ok(first);
  const moves = Array.from({ length: 1000 }, (_, n) => ({
    ...first,
    moved_to: `p/b${n + 1}.md`,
    get path() {
      reads++;
      return `p/b${n}.md`;
    },
  }));
  assert.equal(otherPaths("p/b0.md", moves).length, 1000);
  assert.ok(reads <= 2 * moves.length, `${reads} reads`);
});

test("a text that unpacks without end is damaged", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "now\n" });
  const bomb = Buffer.alloc(200 * 2 ** 20);
  const name = createHash("sha256").update(bomb).digest("hex");
  const folder = join(root, ".vibe-mcp/history/blobs", name.slice(0, 2));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), deflateSync(bomb));
  const change = { path: "p/a.md", before: name, after: hash("now\n"), bytes: bomb.length };
  plantLog(root, [{ ...record([]), changes: [change] }]);
  const { fail } = await serve(t, root);
  const { code, message } = await fail("restore_doc", { path: "p/a.md", change: ID });
  assert.deepEqual([code, /damaged/.test(message)], ["FILE_NOT_FOUND", true]);
});

test("one start with a wrong clock does not remove the history", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "now\n" });
  plantBlob(root, "old\n");
  plantLog(
    root,
    [record([{ path: "p/a.md", before: "old\n", after: "now\n" }], { time: BEFORE })],
    "2020-01-01",
  );
  writeFileSync(join(root, ".vibe-mcp/history/pruned"), "");
  utimesSync(join(root, ".vibe-mcp/history/pruned"), 1, 1);
  const { call, close } = await serve(t, root);
  await call("list_projects");
  await close();
  assert.equal(existsSync(join(root, ".vibe-mcp/history/log/2020-01-01.jsonl")), true);
});
