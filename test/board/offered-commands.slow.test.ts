import { test } from "node:test";
import { openRoot } from "../fixtures/board.ts";
import { noBrowser } from "../fixtures/browser.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";

test("a shell reads a hostile project's name in the offered command as a name", {
  skip: noBrowser,
}, async (t) => {
  const name = "a; $(id) !x";
  const root = makeWorkspace(t, {
    [`${name}/tasks/001-a.md`]: "# A\n\nStatus: pending\n",
    [`${name}/plans/execution-plan.md`]: "# Plan\n\n## Current Status\n\n- Done: 001\n- Pending: none\n",
  });
  const { page } = await openRoot(t, root, { fragment: `/project?${new URLSearchParams({ name })}` });
  await page.getByText(`vibe-mcp plan '${name}' --fix`, { exact: true }).waitFor();
});
