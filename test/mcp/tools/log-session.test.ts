import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

const clock = { now: () => new Date(2025, 1, 9, 14, 30, 15) };

test("log_session writes the formats of the reference, and always appends to an existing note", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root, { clock });
  const answer = await call("log_session", { project: "p", content: "Earlier content..." });
  assert.deepEqual(answer, {
    success: true,
    session: { filename: "2025-02-09.md", path: "p/sessions/2025-02-09.md", action: "created" },
    indexed: true,
  });
  const file = join(root, "p/sessions/2025-02-09.md");
  assert.equal(readFileSync(file, "utf8"), "# Session Log - 2025-02-09\n\nEarlier content...\n");
  for (const append of [true, false]) {
    const { session } = await call<{ session: { action: string } }>("log_session", {
      project: "p",
      content: `New content appended ${append}`,
      append,
    });
    assert.equal(session.action, "appended");
  }
  const entry = (append: boolean) => `\n---\n**14:30:15**\n\nNew content appended ${append}\n`;
  assert.equal(
    readFileSync(file, "utf8"),
    `# Session Log - 2025-02-09\n\nEarlier content...\n${entry(true)}${entry(false)}`,
  );
  const { session } = await call<{ session: { filename: string } }>("log_session", {
    project: "p",
    content: "x",
    suffix: "Debugging Auth!",
  });
  assert.equal(session.filename, "2025-02-09-debugging-auth.md");
});

test("a note that this session just wrote is not written again", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root, { clock });
  const log = (content: string) => call<{ hint?: string }>("log_session", { project: "p", content });
  assert.equal((await log("again")).hint, undefined);
  assert.match(`${(await log("again\n")).hint}`, /not added again/);
  await Promise.all([log("between"), log("between")]);
  await log("again");
  const text = readFileSync(join(root, "p/sessions/2025-02-09.md"), "utf8");
  assert.deepEqual([text.split("again").length, text.split("between").length], [3, 2]);
});
