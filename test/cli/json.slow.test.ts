import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { COMMANDS } from "../../src/cli/command-table.ts";
import type { Tool } from "../../src/core/mcp/tool.ts";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { person } from "../fixtures/terminal.ts";
import { writeFiles } from "../fixtures/workspace.ts";

const TASK = "# Task: Add login\n\nStatus: pending\n\n## Steps\n1. [ ] Form\n";
const FILES = {
  "p/tasks/001-add-login.md": TASK,
  "p/tasks/002-done.md": TASK.replace("pending", "done"),
  "p/plans/execution-plan.md": "# Plan\n\n## Current Status\n- done: 001\n",
  "p/references/a.md": "[b](b.md)\n",
  "p/references/b.md": "B\n",
};

/** The commands that do what a tool does: in order, since they change the notes, with the fields that only people need. */
const TWINS: [words: string[], tool: string, own?: string[]][] = [
  [["search", "login"], "search"],
  [["search", "zebra"], "search"],
  [["projects"], "list_projects"],
  [["projects", "p"], "list_projects"],
  [["tasks", "p"], "list_tasks"],
  [["show", "p/references/a.md"], "read_doc"],
  [["plan", "p"], "get_plan"],
  [["brief", "p"], "get_briefing"],
  [["new", "Add logout", "--project", "p", "--after", "001"], "create_task"],
  [["claim", "p/tasks/001-add-login.md"], "claim_task"],
  [["tick", "p/tasks/001-add-login.md", "1"], "update_task"],
  [["assign", "p/tasks/003-add-logout.md", "ana"], "update_task"],
  [["priority", "p/tasks/003-add-logout.md", "high"], "update_task"],
  [["due", "p/tasks/003-add-logout.md", "-"], "update_task"],
  [["status", "p/tasks/001-add-login.md", "done"], "update_task_status"],
  [["archive", "p/tasks/002-done.md", "--dry-run"], "archive_tasks"],
  [["archive", "p/tasks/002-done.md"], "archive_tasks"],
  [["archive", "p/tasks/002-done.md", "--yes"], "archive_tasks"],
  [["log", "Done.", "--project", "p"], "log_session"],
  [["move", "p/references/b.md", "c", "--dry-run"], "move_doc"],
  [["move", "p/references/b.md", "c"], "move_doc"],
  [["move", "p/references/b.md", "c", "--yes"], "move_doc"],
  [["delete", "p/references/c.md"], "delete_doc"],
  [["delete", "p/references/c.md", "--yes"], "delete_doc"],
  [["history"], "history"],
  [["init", "q"], "init_project", ["linked", "connected"]],
  [["reindex"], "reindex"],
];

/** The schema of a tool's answer without room for other fields. */
function answerOf(name: string, own: readonly string[]): z.ZodType {
  const tool = allTools.find((one) => one.name === name) as Tool | undefined;
  assert.ok(tool?.output instanceof z.ZodObject, name);
  return z.strictObject({
    ...tool.output.shape,
    ...Object.fromEntries(own.map((key) => [key, z.unknown()])),
  });
}

test("--json prints what the tool for the same purpose answers", (t) => {
  const someone = person(t);
  writeFiles(someone.root, FILES);
  for (const [words, tool, own = []] of TWINS) {
    const { stdout, stderr } = someone.inPipe([...words, "--json"]);
    const { error } = answerOf(tool, own).safeParse(JSON.parse(stdout));
    assert.equal(error, undefined, `${words.join(" ")}: ${stderr}${error?.message}`);
  }
});

test("every command that prints JSON has its tool, or none", () => {
  const alone = [
    "undo",
    "connect",
    "plugin",
    "doctor",
    "verify",
    "demo",
    "merge",
    "capture",
    "import",
    "sync",
    "token",
    "renumber",
    "stale",
  ];
  const printing = COMMANDS.filter(({ options }) => options.some(({ flag }) => flag === "json"));
  const known = new Set([...TWINS.map(([[name]]) => name), ...alone]);
  assert.deepEqual(
    printing.map(({ name }) => name).filter((name) => !known.has(name)),
    [],
  );
});
