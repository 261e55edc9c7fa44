import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { withLock } from "../../src/core/storage/locks.ts";
import { lockFile, locksOf } from "../fixtures/locks.ts";
import { ALICE, BOB, noUsers, programFor, TEAM, teamRoot } from "./team.ts";

const skip = noUsers();
const TASK = "# Task: A\n\nStatus: pending\n\n## Objective\n\nLetters\n";

/** A file of a team member, in a folder that the whole team may write to. */
function leave(root: string, path: string, { uid = ALICE, gid = TEAM, mode = 0o664 } = {}): string {
  const file = join(root, path);
  for (const folder of [dirname(dirname(file)), dirname(file)]) {
    mkdirSync(folder, { recursive: true });
    chownSync(folder, ALICE, TEAM);
    chmodSync(folder, 0o2775);
  }
  writeFileSync(file, TASK);
  chownSync(file, uid, gid);
  chmodSync(file, mode);
  return file;
}

const traits = (file: string) => {
  const { uid, gid, mode } = statSync(file);
  return [uid, gid, mode & 0o7777];
};

/** Runs `work` as another user, in this process. */
async function as<T>(t: TestContext, uid: number, work: () => Promise<T>): Promise<T> {
  const umask = process.umask(0o077);
  process.setegid?.(TEAM);
  process.seteuid?.(uid);
  const back = () => {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.umask(umask);
  };
  t.after(back);
  try {
    return await work();
  } finally {
    back();
  }
}

test("the first lock, under any umask, does not keep team members from locking", { skip }, (t) => {
  const root = teamRoot(t);
  const run = programFor(t, root);
  leave(root, "p/tasks/001-a.md");
  const umasks = [
    [ALICE, "077"],
    [BOB, "022"],
    [ALICE, "022"],
  ] as const;
  for (const [uid, umask] of umasks) {
    const { status, stderr } = run({ uid, umask }, "new", "Task", "--project", "p");
    assert.equal(status, 0, stderr);
  }
  assert.equal(readdirSync(join(root, "p", "tasks")).length, 4);
  for (const folder of [".vibe-mcp", ".vibe-mcp/locks"])
    assert.deepEqual(traits(join(root, folder)), [ALICE, TEAM, 0o2775]);
  assert.deepEqual(locksOf(root), []);
});

test("files that root makes belong to the owner of the workspace", { skip }, (t) => {
  const root = teamRoot(t);
  chmodSync(root, 0o755);
  const run = programFor(t, root);
  leave(root, "p/tasks/001-a.md");
  for (const uid of [0, ALICE]) {
    const { status, stderr } = run({ uid }, "new", "Task", "--project", "p");
    assert.equal(status, 0, stderr);
  }
  assert.deepEqual(traits(join(root, ".vibe-mcp", "locks")), [ALICE, TEAM, 0o755]);
});

test("a lock that a team member left behind is taken over by another", { skip }, async (t) => {
  const root = teamRoot(t);
  const run = programFor(t, root);
  leave(root, "p/tasks/001-a.md");
  await as(t, ALICE, () =>
    withLock(root, "p", async () => {
      lutimesSync(lockFile(root), 1, 1);
      process.seteuid?.(0);
      assert.equal(JSON.parse(readFileSync(lockFile(root), "utf8")).pid, process.pid);
      const { status, stderr } = run({ uid: BOB }, "status", "001", "done", "--project", "p");
      assert.equal(status, 0, stderr);
    }),
  );
  assert.deepEqual(locksOf(root), []);
});

test("a note keeps group and permissions when another team member changes it", { skip }, (t) => {
  const root = teamRoot(t);
  const run = programFor(t, root);
  const cases = [
    { uid: 0, mode: 0o640 },
    { uid: ALICE, mode: 0o600 },
    { uid: BOB, mode: 0o664 },
    { uid: BOB, mode: 0o660 },
  ];
  for (const { uid, ...left } of cases) {
    const file = leave(root, "p/tasks/001-a.md", left);
    const [, ...before] = traits(file);
    const { status, stderr } = run({ uid }, "status", "001", "done", "--project", "p");
    assert.equal(status, 0, stderr);
    assert.equal(readFileSync(file, "utf8"), TASK.replace("pending", "done"));
    assert.deepEqual(traits(file), [uid === BOB ? BOB : ALICE, ...before]);
    assert.deepEqual(readdirSync(join(root, "p", "tasks")), ["001-a.md"]);
  }
});

test("a note that may not be written, or of another group, is refused with advice, and stays unchanged", {
  skip,
}, (t) => {
  const root = teamRoot(t);
  const run = programFor(t, root);
  const refuse = (uid: number) => {
    const { status, stderr } = run({ uid }, "status", "001", "done", "--project", "p");
    assert.equal(status, 1);
    assert.match(stderr, /'001-a\.md' belongs to another user or group.*chmod g\+w/);
    assert.equal(readFileSync(file, "utf8"), TASK);
    assert.deepEqual(readdirSync(join(root, "p", "tasks")), ["001-a.md"]);
  };
  const file = leave(root, "p/tasks/001-a.md", { mode: 0o644 });
  refuse(BOB);
  // A group that its owner does not belong to.
  chownSync(file, ALICE, 61_000);
  refuse(ALICE);
});
