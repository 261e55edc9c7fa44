import assert from "node:assert/strict";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { blobMode, hasBlob, listBlobs, readBlob, saveBlob } from "../../src/core/history/blobs.ts";
import { isPruneDue, prune, purge } from "../../src/core/history/prune.ts";
import type { Operation } from "../../src/core/history/record.ts";
import { appendRecord } from "../../src/core/history/record-log.ts";
import { contentOf, hashOf } from "../../src/core/storage/read.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { readLog } from "../fixtures/history-log.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const open = () => [];
const NOW = Date.parse("2026-03-01T12:00:00Z");

const blobFile = (root: string, hash: string) =>
  join(root, ".vibe-mcp/history/blobs", hash.slice(0, 2), hash);
const logFolder = (root: string) => join(root, ".vibe-mcp/history/log");

/** Stores a version and its record, as if it had been written `age` milliseconds before. */
async function record(
  root: string,
  path: string,
  text: string | null,
  { age = 0, after = "a" as string | null } = {},
) {
  const bytes = Buffer.from(text ?? "");
  const before = text === null ? null : await saveBlob(root, path, contentOf(bytes));
  const time = new Date(NOW - age);
  if (before !== null) utimesSync(blobFile(root, before), time, time);
  const id = hashOf(Buffer.from(`${path}${text}${age}`)).slice(0, 12);
  const change = { path, before, after: after && hashOf(Buffer.from(after)), bytes: bytes.length };
  const who = { tool: "update_doc", client: "test", pid: 1 };
  const operation: Operation = { id, time: time.toISOString(), ...who, changes: [change] };
  appendRecord(root, operation);
  return operation;
}

const hashIn = ({ changes: [change] }: Operation) => change?.before ?? "";

test("stored bytes come back, and the same bytes are stored once", async (t) => {
  const root = temporaryFolder(t);
  const bytes = Buffer.from("\uFEFFa\r\nb".repeat(1000));
  const hash = await saveBlob(root, "p/a.md", contentOf(bytes));
  assert.equal(hash, hashOf(bytes));
  const old = new Date("2026-01-01");
  utimesSync(blobFile(root, hash), old, old);
  assert.equal(await saveBlob(root, "p/b.md", contentOf(bytes)), hash);
  assert.deepEqual(readBlob(root, hash), bytes);
  const [blob, ...others] = await listBlobs(root);
  assert.deepEqual(others, []);
  assert.ok((blob?.size ?? 0) < bytes.length / 10);
  assert.ok((blob?.mtime ?? 0) > old.getTime(), "it is young again");
});

test("damaged bytes are never returned, and replaced when the same bytes are stored again", async (t) => {
  const root = temporaryFolder(t);
  const bytes = Buffer.from("precious");
  const hash = await saveBlob(root, "p/a.md", contentOf(bytes));
  const whole = readFileSync(blobFile(root, hash));
  for (const damage of [whole.subarray(0, -2), Buffer.alloc(0), Buffer.from("nonsense")]) {
    writeFileSync(blobFile(root, hash), damage);
    assert.equal(readBlob(root, hash), "damaged");
    await saveBlob(root, "p/a.md", contentOf(bytes));
    assert.deepEqual(readBlob(root, hash), bytes);
  }
  assert.equal(readBlob(root, hashOf(Buffer.from("never stored"))), undefined);
});

test("stored bytes are as private as their file", { skip: ON_WINDOWS }, async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "secret" });
  const { chmodSync } = await import("node:fs");
  chmodSync(root, 0o755);
  chmodSync(join(root, "p/a.md"), 0o600);
  const hash = await saveBlob(root, "p/a.md", contentOf(Buffer.from("secret")));
  assert.equal(blobMode(root, hash), 0o600);
  chmodSync(join(root, "p/a.md"), 0o644);
  assert.equal(blobMode(root, await saveBlob(root, "p/a.md", contentOf(Buffer.from("open")))), 0o644);
});

test("a history folder that is a link is refused", { skip: ON_WINDOWS }, async (t) => {
  const [root, outside] = [temporaryFolder(t), temporaryFolder(t)];
  mkdirSync(join(root, ".vibe-mcp"));
  symlinkSync(outside, join(root, ".vibe-mcp", "history"));
  await assert.rejects(saveBlob(root, "p/a.md", contentOf(Buffer.from("x"))), /folder, .*link/);
  assert.deepEqual(readdirSync(outside), []);
});

/** Stores bytes without a record, as a process does that is killed before it writes one. */
async function place(root: string, text: string, age: number): Promise<string> {
  const hash = await saveBlob(root, "p/a.md", contentOf(Buffer.from(text)));
  const time = new Date(NOW - age);
  utimesSync(blobFile(root, hash), time, time);
  return hash;
}

test("a torn or foreign line costs no other one", async (t) => {
  const root = temporaryFolder(t);
  const first = await record(root, "p/a.md", "one");
  const log = join(logFolder(root), "2026-03-01.jsonl");
  appendFileSync(log, '\n{"id":"0123456789ab","time":"2026-0');
  const second = await record(root, "p/a.md", "two");
  appendFileSync(log, '\nnull\n[]\n{"id":"x","time":"t","tool":"t","client":"c","changes":[{"path":1}]}');
  const third = await record(root, "p/a.md", "three");
  assert.deepEqual(await readLog(root), { operations: [first, second, third], damaged: 4 });
});

test("what did not happen is not in the log", async (t) => {
  const root = temporaryFolder(t);
  const { id } = await record(root, "p/a.md", "one");
  const second = await record(root, "p/a.md", "two");
  appendRecord(root, { void: id, time: new Date(NOW).toISOString() });
  assert.deepEqual((await readLog(root)).operations, [second]);
});

test("the log keeps the order of its days", async (t) => {
  const root = temporaryFolder(t);
  const today = await record(root, "p/a.md", "two");
  const before = await record(root, "p/a.md", "one", { age: 2 * DAY });
  assert.deepEqual((await readLog(root)).operations, [before, today]);
});

test("pruning removes old days and the bytes that only they need", async (t) => {
  const root = temporaryFolder(t);
  const old = await record(root, "p/a.md", "old", { age: 10 * DAY });
  const shared = await record(root, "p/a.md", "shared", { age: 9 * DAY });
  await record(root, "p/b.md", "shared", { age: 2 * DAY });
  const fresh = await record(root, "p/a.md", "fresh", { age: 2 * DAY });
  await prune(root, { days: 7, bytes: 1e9 }, { now: NOW, open });
  assert.deepEqual((await readLog(root)).operations.map(({ id }) => id).includes(old.id), false);
  const kept = [old, shared, fresh].map((operation) => hasBlob(root, hashIn(operation)));
  assert.deepEqual(kept, [false, true, true]);
});

test("over its size the history loses its oldest bytes, but never the last version of a deleted file", async (t) => {
  const root = temporaryFolder(t);
  const texts = [1, 2, 3, 4, 5, 6].map((n) => `${n}`.repeat(4000) + hashOf(Buffer.from(`${n}`)).repeat(50));
  const operations: Operation[] = [];
  for (const [n, text] of texts.entries()) {
    const deleted = n === 0 ? { after: null } : {};
    operations.push(
      await record(root, n === 0 ? "p/gone.md" : "p/a.md", text, { age: (10 - n) * DAY, ...deleted }),
    );
  }
  const size = (await listBlobs(root))[0]?.size ?? 0;
  await prune(root, { days: 90, bytes: 3.5 * size }, { now: NOW, open });
  assert.deepEqual(
    operations.map((operation) => hasBlob(root, hashIn(operation))),
    [true, false, false, false, true, true],
  );
});

test("bytes younger than an hour stay, since their record may come", async (t) => {
  const root = temporaryFolder(t);
  const [young, old] = [await place(root, "young", HOUR - 1000), await place(root, "old", HOUR + 1000)];
  await prune(root, { days: 90, bytes: 0 }, { now: NOW, open });
  assert.deepEqual([hasBlob(root, young), hasBlob(root, old)], [true, false]);
});

test("pruning is due once an hour", async (t) => {
  const root = temporaryFolder(t);
  assert.equal(isPruneDue(root, NOW), false);
  assert.equal(existsSync(join(root, ".vibe-mcp")), false);
  await record(root, "p/a.md", "one");
  assert.equal(isPruneDue(root, NOW), false);
  assert.equal(isPruneDue(root, NOW + HOUR + 1000), true);
  await prune(root, { days: 90, bytes: 1e9 }, { now: NOW + HOUR + 1000, open });
  assert.equal(isPruneDue(root, NOW + HOUR + 2000), false);
});

test("purging a path leaves neither its name nor its bytes, and all else", async (t) => {
  const root = temporaryFolder(t);
  const secret = await record(root, "p/secret.md", "password");
  const shared = await record(root, "p/secret.md", "both");
  const other = await record(root, "p/other.md", "both");
  const later = await record(root, "p/secret.md", "again", { age: 3 * DAY });
  const [orphan, young] = [
    await place(root, "unrecorded", HOUR + 1000),
    await place(root, "young", HOUR - 1000),
  ];
  await purge(root, { path: "p/secret.md", now: NOW, open });
  assert.deepEqual(await readLog(root), { operations: [other], damaged: 0 });
  const kept = [secret, shared, later].map((operation) => hasBlob(root, hashIn(operation)));
  assert.deepEqual(kept, [false, true, false]);
  assert.deepEqual([hasBlob(root, orphan), hasBlob(root, young)], [false, true], "bytes without a record");
  for (const name of readdirSync(logFolder(root)))
    assert.doesNotMatch(readFileSync(join(logFolder(root), name), "utf8"), /secret/);
  const next = await record(root, "p/other.md", "next");
  assert.deepEqual((await readLog(root)).operations, [other, next]);
});

test("purging everything leaves no record and no bytes", async (t) => {
  const root = temporaryFolder(t);
  await record(root, "p/a.md", "one");
  await record(root, "p/b.md", "two", { age: 3 * DAY });
  await purge(root, { now: NOW, open });
  assert.deepEqual(await readLog(root), { operations: [], damaged: 0 });
  assert.deepEqual(await listBlobs(root), []);
  assert.equal(statSync(logFolder(root)).isDirectory(), true);
});
