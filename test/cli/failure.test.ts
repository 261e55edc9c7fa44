import assert from "node:assert/strict";
import { test } from "node:test";
import { person } from "../fixtures/terminal.ts";
import { writeFiles } from "../fixtures/workspace.ts";

test("an error names the command to type next, and leaves what was named like a tool alone", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "list_tasks/notes.md": "x", "my p/notes.md": "x" });
  const failure = (...words: string[]) => someone.inPipe(words).stderr;
  assert.equal(
    failure("show", "9", "--project", "list_tasks"),
    "vibe-mcp: Task '9' not found in project 'list_tasks'. Run `vibe-mcp tasks list_tasks` to see its tasks.\n",
  );
  assert.equal(
    failure("show", "my p/read_doc.md"),
    "vibe-mcp: File 'read_doc.md' not found in project 'my p'. " +
      'Run `vibe-mcp projects "my p"`, or search, to see what exists.\n',
  );
});

test("a script reads the error as the tools give it", (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "p/notes.md": "x" });
  const { error } = JSON.parse(someone.inPipe(["show", "9", "--project", "p", "--json"]).stdout);
  assert.equal(error.message, "Task '9' not found in project 'p'. Call list_tasks to see its tasks.");
});
