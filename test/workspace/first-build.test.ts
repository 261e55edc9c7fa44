import assert from "node:assert/strict";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { countDocuments } from "../../src/index/catalog.ts";
import { serve } from "../hostile/server.ts";
import { makeWorkspace, open } from "../support/workspace.ts";

const MANY = 600;
const TAKEN = /another process has built the index meanwhile/;

function manyDocuments(t: TestContext): string {
  const text = "word ".repeat(2000);
  const files = Object.fromEntries(
    Array.from({ length: MANY }, (_, n) => [`p${n % 7}/${n}.md`, `# ${n}\n\n${text}`]),
  );
  return makeWorkspace(t, files);
}

function locksOf(root: string): string[] {
  const folder = join(root, ".vibe-mcp", "locks");
  return existsSync(folder) ? readdirSync(folder) : [];
}

test("of those that start at once without an index one builds it, and the others know what changed since", async (t) => {
  const root = manyDocuments(t);
  const all = [1, 2, 3, 4, 5].map(() => open(t, root));
  const counts = await Promise.all(
    all.map(async ({ workspace }, n) => {
      const first = await workspace.query(countDocuments);
      writeFileSync(join(root, "p1", `new-${n}.md`), "# new");
      return { first, second: await workspace.query(countDocuments) };
    }),
  );
  assert.equal(all.filter(({ logged }) => logged.some((line) => TAKEN.test(line))).length, 4);
  counts.sort((a, b) => a.first - b.first);
  for (const [n, { first, second }] of counts.entries()) assert.ok(first >= MANY + n && second > first);
  await Promise.all(all.map(({ workspace }) => workspace.close()));
  assert.deepEqual(locksOf(root), []);
});

test("a process that dies while it builds leaves the building to the next", async (t) => {
  const root = manyDocuments(t);
  const [dying, next] = await Promise.all([serve(t, root), serve(t, root)]);
  const lost = assert.rejects(dying.call("search", { query: "word" }));
  while (!locksOf(root).some((name) => name.endsWith(".lock"))) await sleep(2);
  const answer = next.call<{ total_matches: number }>("search", { query: "word" });
  process.kill(dying.pid, "SIGKILL");
  await lost;
  assert.equal((await answer).total_matches, MANY);
});

test("where no lock can be had everybody builds", async (t) => {
  const root = manyDocuments(t);
  writeFileSync(join(root, ".vibe-mcp"), "in the way");
  const both = [open(t, root), open(t, root)];
  assert.deepEqual(await Promise.all(both.map(({ workspace }) => workspace.query(countDocuments))), [
    MANY,
    MANY,
  ]);
  assert.ok(both.every(({ logged }) => !logged.some((line) => TAKEN.test(line))));
});

test("others are answered while a build is under way", async (t) => {
  const { client, call } = await serve(t, manyDocuments(t));
  const order: string[] = [];
  let others: Promise<void>[] | undefined;
  const answered = (name: string) => () => void order.push(name);
  const onprogress = () => {
    const read = () => call("read_doc", { project: "p1", folder: "", filename: "1.md" });
    others ??= [client.ping().then(answered("ping")), read().then(answered("read_doc"))];
  };
  const build = client.callTool({ name: "reindex", arguments: {} }, undefined, { onprogress });
  await build.then(answered("reindex"));
  await Promise.all(others ?? []);
  assert.deepEqual(order, ["ping", "read_doc", "reindex"]);
});
