import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

test("create_plan creates, then updates and keeps the frontmatter", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call, fail } = await connect(t, root);
  const first = await call<{ hash: string }>("create_plan", {
    project: "p",
    content: "---\nowner: me\n---\n# Plan\n",
  });
  assert.deepEqual(
    { ...first, hash: "" },
    { success: true, path: "p/plans/execution-plan.md", action: "created", indexed: true, hash: "" },
  );
  const second = await call<{ action: string }>("create_plan", {
    project: "p",
    content: "# Plan 2\n",
    expected_hash: first.hash,
  });
  assert.equal(second.action, "updated");
  assert.equal(
    readFileSync(join(root, "p/plans/execution-plan.md"), "utf8"),
    "---\nowner: me\n---\n# Plan 2\n",
  );
  assert.equal(
    (await fail("create_plan", { project: "p", content: "x", filename: "../x" })).code,
    "INVALID_PATH",
  );
});

test("create_plan replaces a plan, and says how to take that back; a hash that is given must be right", async (t) => {
  const path = "p/plans/execution-plan.md";
  const before = "# Plan\n\n## Decisions\n\nKeep them.\n";
  const root = makeWorkspace(t, { [path]: before });
  const { call, fail } = await connect(t, root);
  const plan = { project: "p", content: "# Short\n" };
  const { hash } = await call<{ hash: string }>("get_plan", { project: "p" });
  const wrong = await fail("create_plan", { ...plan, expected_hash: "0".repeat(64) });
  assert.equal(wrong.code, "CONFLICT");
  assert.match(wrong.message, /get_plan/);
  const missing = await fail("create_plan", { ...plan, filename: "other", expected_hash: hash });
  assert.equal(missing.code, "CONFLICT");
  assertTells(missing.message, ["expected_hash"]);
  assert.equal(readFileSync(join(root, path), "utf8"), before);
  for (const expected_hash of [hash, undefined]) {
    const { action, change, hint } = await call("create_plan", { ...plan, expected_hash });
    assert.equal(action, "updated");
    assert.equal(readFileSync(join(root, path), "utf8"), plan.content);
    assertTells(`${hint}`, ["Decisions", "restore_doc", "change"]);
    await call("restore_doc", { change });
    assert.equal(readFileSync(join(root, path), "utf8"), before);
  }
  assert.equal((await call("create_plan", { ...plan, content: before }))["hint"], undefined);
});

test("a replacement that brings frontmatter replaces that too", async (t) => {
  const path = "p/plans/b.md";
  const root = makeWorkspace(t, { [path]: "---\nowner: me\n---\n# B\n" });
  const { call } = await connect(t, root);
  const { hash } = await call<{ hash: string }>("get_plan", { project: "p", filename: "b" });
  const content = "---\ntags: [b]\n---\n# C\n";
  await call("create_plan", { project: "p", filename: "b", content, expected_hash: hash });
  assert.equal(readFileSync(join(root, path), "utf8"), content);
});
