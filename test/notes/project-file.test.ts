import assert from "node:assert/strict";
import test from "node:test";
import { listHeadings } from "../../src/markdown/sections.ts";
import { renderStatus } from "../../src/notes/project-file.ts";

test("a new project starts with a status page under its name", () => {
  const text = renderStatus("vibeMCP", "2025-02-09");
  assert.deepEqual(listHeadings(text), ["# vibeMCP", "## Current Status", "## Next"]);
  assert.match(text, /## Current Status\n\n.*2025-02-09/);
  assert.match(text, /^# vibeMCP\n\n## Current Status\n\n\S.*\n\n## Next\n\n(?:- .*\n)+$/);
});

test("a project whose name ends in a mark keeps it", () => {
  assert.equal(listHeadings(renderStatus("F #", "2025-02-09"))[0], "# F #");
});
