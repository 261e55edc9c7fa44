import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
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
  const late = { project: "p", content: "# Plan 3\n", expected_hash: first.hash };
  assert.equal((await fail("create_plan", late)).code, "CONFLICT");
  assert.equal((await fail("create_plan", { ...late, filename: "other" })).code, "CONFLICT");
  assert.equal(
    (await fail("create_plan", { project: "p", content: "x", filename: "../x" })).code,
    "INVALID_PATH",
  );
});
