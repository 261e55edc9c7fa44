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
import { withLock } from "../../src/files/locks.ts";
import { lockFile, locksOf } from "../files/locks.ts";
import { ALICE, BOB, noUsers, programFor, TEAM, teamRoot } from "./team.ts";

const skip = noUsers();
const TASK = "# Task: A\n\nStatus: pending\n\n## Objective\n\nLetters\n";

/** A file as one of the team left it, in a folder that all of them may write to. */
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

/** Runs `work` as somebody else, in this process. */
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

test("the first lock, under any umask, keeps no other user of the team from locking", { skip }, (t) => {
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

test("what root makes first belongs to the owner of the workspace", { skip }, (t) => {
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

test("the lock that one of the team left behind is taken over by another", { skip }, async (t) => {
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
