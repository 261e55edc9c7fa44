import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeWorkspace } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const SMALL = 300;
const MB = 1024 * 1024;

/** No word twice: the most expensive text to index. */
function words(length: number): string {
  let text = "";
  for (let n = 0; text.length < length; n++) text += `w${n.toString(36)} `;
  return text;
}

test("a start that is killed while it indexes a large document leaves less work for the next one", async (t) => {
  const small = Array.from({ length: SMALL }, (_, n) => [
    `z/notes/${n}.md`,
    `# ${n}\n\n${"word ".repeat(500)}`,
  ]);
  const large = words(4 * MB);
  const root = makeWorkspace(t, {
    ...Object.fromEntries(small),
    "a/notes/1.md": large,
    "a/notes/2.md": large,
  });
  const hasty = resolve("test/hostile/hasty.cjs");
  const first = await serve(t, root, { env: { NODE_OPTIONS: `--require ${JSON.stringify(hasty)}` } });
  let isDone = false;
  const lost = first.call("search", { query: "word" }).then(
    () => {
      isDone = true;
    },
    () => {},
  );
  while (!existsSync(join(root, "index.db")) && !isDone) await sleep(2);
  process.kill(first.pid, "SIGKILL");
  await lost;
  assert.equal(isDone, false, "it was killed before it was done");
  const second = await serve(t, root);
  const { stats } = await second.call<{ stats: Record<string, number> }>("reindex");
  assert.equal(stats["scanned"], SMALL + 2);
  assert.ok((stats["unchanged"] ?? 0) > 0, "what was indexed by then is not indexed again");
  assert.ok((stats["added"] ?? 0) > 0);
  const { results } = await second.call<{ results: { path: string }[] }>("search", { query: "w10" });
  assert.deepEqual(results.map(({ path }) => path).sort(), ["a/notes/1.md", "a/notes/2.md"]);
});
