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
      content: "New content appended here...",
      append,
    });
    assert.equal(session.action, "appended");
  }
  const entry = "\n---\n**14:30:15**\n\nNew content appended here...\n";
  assert.equal(
    readFileSync(file, "utf8"),
    `# Session Log - 2025-02-09\n\nEarlier content...\n${entry}${entry}`,
  );
  const { session } = await call<{ session: { filename: string } }>("log_session", {
    project: "p",
    content: "x",
    suffix: "Debugging Auth!",
  });
  assert.equal(session.filename, "2025-02-09-debugging-auth.md");
});
