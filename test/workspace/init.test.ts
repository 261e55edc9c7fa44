import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { initProject } from "../../src/core/workspace/init.ts";
import { makeWorkspace, open } from "../fixtures/workspace.ts";

test("a new project starts with a status page under its name", async (t) => {
  const { workspace } = open(t, makeWorkspace(t, {}));
  const { file, indexed } = await initProject(workspace, "F #");
  assert.equal(indexed, true);
  assert.match(
    readFileSync(join(file, "status.md"), "utf8"),
    /^# F # #\n\n## Current Status\n\nProject created on \d{4}-\d\d-\d\d\. .+\n\n## Decisions\n\n## Next\n\n(?:- .+\n)+$/,
  );
  assert.equal(workspace.read({ project: "F #", folder: "", filename: "status.md" }).facts.title, "F #");
});

test("a project is made once, and never in place of the index", async (t) => {
  const { workspace } = open(t, makeWorkspace(t, { "shop/": "" }));
  await assert.rejects(initProject(workspace, "shop"), { code: "PROJECT_EXISTS" });
  await assert.rejects(initProject(workspace, "index.db"), { code: "INVALID_PATH" });
});
