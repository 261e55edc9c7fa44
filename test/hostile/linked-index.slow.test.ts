import assert from "node:assert/strict";
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const posix = { skip: process.platform === "win32" };

test("a workspace whose index is a link overwrites nothing", posix, async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n\nnarwhal\n" });
  const keys = join(temporaryFolder(t), "authorized_keys");
  const missing = join(temporaryFolder(t), "not-there-yet");
  for (const [target, content] of [
    [keys, ""],
    [keys, "CREATE VIRTUAL TABLE chunks_fts"],
    [missing, undefined],
  ] as const) {
    if (content !== undefined) writeFileSync(target, content);
    const place = makeWorkspace(t, {});
    mkdirSync(join(place, "p"));
    writeFileSync(join(place, "p", "a.md"), readFileSync(join(root, "p", "a.md")));
    symlinkSync(target, join(place, "index.db"));
    const { call, close, logged } = await serve(t, place);
    assert.equal((await call("search", { query: "narwhal" }))["total_matches"], 1);
    await call("create_doc", { project: "p", folder: "notes", filename: "b.md", content: "x" }).catch(
      () => {},
    );
    await close();
    assert.ok(lstatSync(join(place, "index.db")).isSymbolicLink());
    if (content !== undefined) assert.equal(readFileSync(target, "utf8"), content);
    else assert.throws(() => lstatSync(target), { code: "ENOENT" });
    assert.match(logged().join("\n"), /index\.db .*link to '.*'\. .*--db/);
  }
});

test("--db does not change another program's database", async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "# A\n\nnarwhal\n" });
  const db = join(temporaryFolder(t), "notes.sqlite");
  const bytes = Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(4080, "chunks_fts ")]);
  writeFileSync(db, bytes);
  const { call, close, logged } = await serve(t, root, { args: ["--db", db] });
  assert.equal((await call("search", { query: "narwhal" }))["total_matches"], 1);
  await close();
  assert.deepEqual(readFileSync(db), bytes);
  assert.match(logged().join("\n"), /notes\.sqlite is not an index .*stays/);
});
