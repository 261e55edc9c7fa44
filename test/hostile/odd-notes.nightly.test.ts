import assert from "node:assert/strict";
import { test } from "node:test";
import { someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace } from "../fixtures/workspace.ts";
import { pings } from "./pings.ts";
import { serve } from "./server.ts";

const CHARS = 30_000;
/** Tens of times what a call takes on an idle machine: only what is out of all proportion takes longer on a busy one. */
const MOST_WAIT_MS = 4_000;
const TRIES = 3;

const lines = (line: (number: number) => string) => {
  let text = "";
  for (let number = 1; text.length < CHARS; number++) text += line(number);
  return text;
};

/** Notes that are nothing but one thing. */
const NOTES: Record<string, string> = {
  steps: `## Steps\n${lines((number) => `${number}. [ ] step ${number}\n`)}`,
  "one step": `## Steps\n${lines(() => "- [ ] step\n")}`,
  criteria: `## Acceptance Criteria\n${lines((number) => `- [ ] ${number}\n`)}`,
  dependencies: `## Context\n- Dependencies: ${lines((number) => `${number}-task, `)}\n`,
  conflicts: lines((number) => `<<<<<<< a\n${number}\n=======\n${-number}\n>>>>>>> b\n`),
  "conflicts without an end": lines(() => "<<<<<<< a\n"),
  headings: lines((number) => `## Heading ${number}\n`),
  "one heading": lines(() => "## Steps\n"),
  decisions: lines((number) => `## Decisions\n- ${number}\n## Next\n- ${number}\n`),
  links: lines((number) => `[a](b${number}.md) [[c${number}]] `),
  definitions: lines((number) => `[r${number}]: x${number}.md\n`),
  ticks: lines((number) => `${"`".repeat(number % 300)} `),
  fences: lines(() => "```\n"),
  comments: lines(() => "<!-- "),
  rows: `| a | b |\n|---|---|\n${lines(() => "| x | y |\n")}`,
  brackets: lines(() => "![["),
  fields: `---\n${lines((number) => `k${number}: v\n`)}---\n`,
  "fields without an end": `---\n${lines(() => "a: b\n")}`,
  identifiers: lines((number) => `get_user_profile_${number} getUserProfile${number} `),
  "one word": lines(() => "aB_"),
};

const task = (text: string) =>
  text.startsWith("---\n")
    ? `${text}# Task: T\n\nStatus: pending\n`
    : `# Task: T\n\nStatus: pending\n\n${text}`;

const P = { project: "p" };
const CALLS: [tool: string, args: Record<string, unknown>][] = [
  ["search", { query: "step word title decisions" }],
  ["read_doc", { path: "p/tasks/001-odd.md" }],
  ["list_projects", P],
  ["list_tasks", P],
  ["get_plan", P],
  ["get_briefing", { ...P, focus: "1" }],
  ["claim_task", { ...P, task: "1", agent: "a" }],
  ["update_task", { ...P, task: "1", agent: "a", done_steps: [1] }],
  ["update_task", { ...P, task: "1", agent: "a", dependencies: ["2"], priority: "high" }],
  ["update_task_status", { ...P, task: "1", status: "done", agent: "a" }],
  ["update_doc", { ...P, folder: "", filename: "status.md", content: "x", mode: "append" }],
  ["update_doc", { ...P, folder: "", filename: "status.md", frontmatter: { a: 1 } }],
  ["log_session", { ...P, content: "## Decisions\n- x" }],
  ["move_doc", { path: "p/tasks/002-plain.md", to_filename: "002-moved.md" }],
  ["archive_tasks", { ...P, tasks: ["1"] }],
  ["history", { path: "p/status.md" }],
];

for (const [what, note] of someOf(Object.entries(NOTES))) {
  test(`a note of nothing but ${what} keeps no other call waiting`, async (t) => {
    let waits: string[] = [];
    for (let round = 0; round < TRIES; round++) {
      const root = makeWorkspace(t, {
        "p/tasks/001-odd.md": task(note),
        "p/tasks/002-plain.md": "# Task: Plain\n\nStatus: pending\n",
        "p/plans/execution-plan.md": `# Plan\n\n## Current Status\n${note}`,
        [`p/sessions/${new Date().toISOString().slice(0, 10)}.md`]: note,
        "p/status.md": note,
      });
      const server = await serve(t, root);
      waits = [];
      for (const [name, args] of CALLS) {
        // What a tool refuses, it refuses in time.
        const { longest } = await pings(server, server.client.callTool({ name, arguments: args }));
        if (longest >= MOST_WAIT_MS) waits.push(`${name} ${JSON.stringify(args)}: ${Math.round(longest)} ms`);
      }
      if (waits.length === 0) return;
    }
    assert.deepEqual(waits, []);
  });
}
