import assert from "node:assert/strict";
import { chmodSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { escapeName } from "../../src/core/lib/escape.ts";
import { scanWorkspace } from "../../src/core/storage/walk.ts";
import { replaceCall } from "../fixtures/disk.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";
import { hostileItems, type Item, place } from "./folder.ts";
import { report } from "./runs.ts";
import { type Served, serve } from "./server.ts";

interface Found {
  results: { project: string; folder: string; filename: string; path: string }[];
}

/** How often the log names a place, or a folder above it. */
function namings({ logged }: Served, item: Item): number {
  const path = escapeName(`p/${item.path}`);
  const places = logged().flatMap((line) => /warn:? (.*?): /.exec(line)?.[1] ?? []);
  return places.filter((named) => path === named || path.startsWith(`${named}/`)).length;
}

async function checkItem(server: Served, item: Item): Promise<void> {
  const query = item.find;
  const { results } = await server.call<Found>("search", { query, limit: 100 });
  const path = `p/${item.path}`;
  const hit = results.find((result) => result.path === path);
  if (item.expect !== "found") {
    assert.equal(hit, undefined, `${item.name} is indexed`);
    assert.equal(namings(server, item), 1, `${item.name} in the log`);
    return;
  }
  assert.ok(hit, `${item.name} is not found`);
  const { project, folder, filename } = hit;
  const word = new RegExp(query);
  let [text, offset] = ["", 0 as number | undefined];
  while (offset !== undefined) {
    const page: { content: string; next_offset?: number } = await server.call("read_doc", {
      project,
      folder,
      filename,
      offset,
    });
    text += page.content;
    offset = page.next_offset;
  }
  assert.match(text, item.reads ?? word, `${item.name} is not read`);
}

test("the built server finds and reads, or names, everything in a folder", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const items = someOf(hostileItems()).filter((item) => place(join(root, "p"), item));
  const before = new Map(items.map(({ path }) => [path, bytesOf(join(root, "p", path))]));
  for (const start of ["first", "second"]) {
    const server = await serve(t, root);
    for (const item of items) await checkItem(server, item);
    assert.equal(server.logged().filter((line) => /unexpected|TypeError|Error:/.test(line)).length, 0, start);
    await server.close();
  }
  for (const [path, bytes] of before) assert.deepEqual(bytesOf(join(root, "p", path)), bytes, path);
  const counts = ["found", "named"].map(
    (kind) => `${items.filter(({ expect }) => expect === kind).length} ${kind}`,
  );
  report(t, "hostile files and names, two starts each", items.length, `${counts.join(", ")}; all unharmed`);
});

/** Undefined for anything but a regular file. */
function bytesOf(file: string): Buffer | undefined {
  return lstatSync(file).isFile() ? readFileSync(file) : undefined;
}

test("an unreadable document is named once and stays indexed until it can be read", {
  skip: process.platform === "win32" && "Windows keeps no permission bits",
}, async (t) => {
  const root = makeWorkspace(t, {
    "p/closed/a.md": "wallaby",
    "p/closed.md": "wallaby",
    "p/open.md": "wallaby",
    "shut/a.md": "wallaby",
  });
  const count = async ({ call }: Served) =>
    (await call<{ total_matches: number }>("search", { query: "wallaby" })).total_matches;
  const first = await serve(t, root);
  assert.equal(await count(first), 4);
  await first.close();
  chmodSync(root, 0o755);
  const closed = ["p/closed", "p/closed.md", "shut"].map((path) => join(root, path));
  for (const file of closed) chmodSync(file, 0);
  // The size differs from the indexed one, so that the file has to be read, and cannot be.
  writeFileSync(join(root, "p", "closed.md"), "numbat and wallaby");
  const server = await serve(t, root, { unprivileged: true });
  assert.equal(await count(server), 4);
  assert.equal(await count(server), 4);
  for (const path of ["p/closed", "p/closed.md", "shut"]) {
    const lines = server.logged().filter((line) => line.includes(` ${path}: not readable`));
    assert.equal(lines.length, 1, `${path}: ${server.logged().join("\n")}`);
  }
  const { code } = await server.fail("read_doc", { project: "p", folder: "", filename: "closed.md" });
  assert.equal(code, "FILESYSTEM_ERROR");
  for (const file of closed) chmodSync(file, 0o755);
  assert.equal(
    (await server.call<{ total_matches: number }>("search", { query: "numbat" })).total_matches,
    1,
  );
  report(t, "a file and folders that may not be read", 3, "named once, kept in the index");
});

test("a folder of a million entries is walked completely", (t) => {
  const root = makeWorkspace(t, { "p/full/found.md": "x", "p/full/sub/too.md": "y" });
  replaceCall(t, "readdirSync", (real) => (...args) => {
    const entries = real(...args) as { name: string }[];
    const [first] = entries;
    if (!String(args[0]).endsWith("full") || first === undefined) return entries;
    const like = (name: string) => Object.assign(Object.create(first), { name });
    const crowd = Array.from({ length: 1_000_000 }, (_, n) => like(n % 20 === 0 ? `${n}.md` : `${n}.txt`));
    return [...entries.slice(0, 1), ...crowd, ...entries.slice(1)];
  });
  const { files, failed } = scanWorkspace(root);
  assert.deepEqual(files.map(({ path }) => path).sort(), ["p/full/found.md", "p/full/sub/too.md"]);
  assert.deepEqual(failed, []);
  report(t, "a folder of a million entries", 1, "walked to its end");
});
