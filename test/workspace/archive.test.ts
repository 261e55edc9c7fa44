import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { archiveTasks } from "../../src/core/workspace/archive.ts";
import { makeWorkspace, open } from "../fixtures/workspace.ts";

const taskText = (status: string) => `# Task: T\n\nStatus: ${status}\n`;

test("a task that is reopened while its archiving waits for the lock stays", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": taskText("done"),
    "p/tasks/002-b.md": taskText("done"),
  });
  const { workspace } = open(t, root);
  const request = { before: "2100-01-01", restore: false, dryRun: false };
  let archiving: ReturnType<typeof archiveTasks> | undefined;
  await workspace.locked("p", async () => {
    archiving = archiveTasks(workspace, "p", request);
    // It has decided by then, and waits.
    await setTimeout(500);
    writeFileSync(join(root, "p/tasks/001-a.md"), taskText("pending"));
  });
  const result = await archiving;
  assert.deepEqual(
    result?.moved.map(({ from }) => from),
    ["p/tasks/002-b.md"],
  );
});
