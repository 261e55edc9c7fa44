import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { allTools } from "../../src/core/mcp/tools/all.ts";
import { vaultTools } from "../../src/core/mcp/vault/all.ts";
import { wordsFor } from "../../src/core/mcp/words.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const KNOWN = [
  "search",
  "read_doc",
  "list_tasks",
  "create_doc",
  "update_doc",
  "claim_task",
  "move_doc",
  "log_session",
  "history",
  "reindex",
];

/** What a client hears that has `read_doc`, `search`, `tool_log_session` and `tool_reindex`. */
const SAID: [text: string, said: string][] = [
  ["Read it with read_doc. Then claim_task.", "Read it with read_doc."],
  ["Call list_tasks to see its tasks.", ""],
  ["Nothing is there. Call list_tasks, or search, to see what exists.", "Nothing is there."],
  [
    "Number 1 is also that of b: name these by file, or give one a free number with move_doc.",
    "Number 1 is also that of b: name these by file.",
  ],
  ["list_tasks shows them all; read_doc opens one.", "read_doc opens one."],
  ["claim_task takes one; the list shows all.", "The list shows all."],
  ["There is no plan 'x.md': create_doc writes one.", "There is no plan 'x.md'."],
  ["Write a plan with create_doc: there is none yet.", ""],
  ["Go on. Next: claim_task.", "Go on."],
  ["More: pass next_offset. Next: claim_task.", "More: pass next_offset."],
  ["At the end, log_session.", "At the end, tool_log_session."],
  ["File 'list_tasks of old. x.md' is not there.", "File 'list_tasks of old. x.md' is not there."],
  ["“claim_task it: now” waits. Call list_tasks.", "“claim_task it: now” waits."],
  ['Open `p/move_doc.md` with "update_doc".', 'Open `p/move_doc.md` with "update_doc".'],
  ["The project's notes and Ana's move_doc stay.", ""],
  ["> call claim_task\nCall claim_task.\n\nEnd", "> call claim_task\n\nEnd"],
  [
    "1. Start 001 - “A: b”: claim_task with project `p`. Next step: “x”.",
    "1. Start 001 - “A: b”. Next step: “x”.",
  ],
  ["There is no change 'x'. Call history to list the changes.", "There is no change 'x'."],
  ["This server keeps no history: use search.", "This server keeps no history: use search."],
  ["It is out of step: call reindex.", "It is out of step: call tool_reindex."],
  ["2. Call claim_task.\n3. Read.", "3. Read."],
  [
    "(Shortened: 5 characters are left out here. List all with list_tasks: project `p`, status x.)",
    "(Shortened: 5 characters are left out here.)",
  ],
  ["Kept. (See list_tasks.)", "Kept."],
];

test("a text names no tool that the client lacks, and keeps the rest", () => {
  const say = wordsFor(KNOWN, ["read_doc", "search", "tool_log_session", "tool_reindex"]);
  for (const [text, said] of SAID) assert.equal(say(text), said);
  const all = wordsFor(KNOWN, KNOWN);
  for (const [text] of SAID) assert.equal(all(text), text);
});

const SETS: Parameters<typeof connect>[2][] = [
  { tools: "core" },
  { tools: "read" },
  { tools: "write" },
  { tools: "vault" },
  { tools: "search,read_doc" },
  { tools: "update_doc" },
  { readOnly: true },
  { tools: "core", readOnly: true },
  { api: "v1" },
  { api: "v1", readOnly: true },
];

const FILES = {
  "p/status.md": "# P\n\n## Current Status\nx\n",
  "p/tasks/001-a.md": "# Task: A\n\nStatus: in-progress\n\n## Objective\na\n\n## Steps\n1. [ ] one\n",
  "p/tasks/002-b.md": "# Task: B\n\nStatus: pending\n",
  "p/tasks/003-c.md": "# Task: C\n\nStatus: whatever\n",
  "p/plans/execution-plan.md": `# Plan\n\n## Current Status\n- done: 001\n\n${"words ".repeat(15_000)}`,
  "p/sessions/2026-01-01.md": "# Session\n\n## Next\n- go on\n",
};

/** All texts of the sources that name a tool, with what they leave open. */
function sourceTexts(names: RegExp): string[] {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.ts$/.test(file),
  );
  const texts = files
    // The skill is only for clients that have all tools it names.
    .filter((file) => !/^(?:board|cli|sessions|setup)\b|\bskill\.ts$/.test(file))
    .flatMap(
      (file) => readFileSync(join("src", file), "utf8").match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [],
    );
  return texts.filter((text) => / /.test(text) && names.test(text)).map((text) => text.slice(1, -1));
}

/** Names of tools outside the marks of a quoted name. */
const unquoted = (text: string) => text.replace(/'[^']*'|`[^`]*`|“[^”]*”/g, "");

test("no text of a server names a tool that its client was not given", async (t) => {
  const known = [...allTools, ...vaultTools]
    .map(({ name }) => name as string)
    .filter((name) => name.includes("_"));
  const texts = sourceTexts(new RegExp(`\\b(?:${known.join("|")})\\b`));
  assert.ok(texts.length > 60, `${texts.length}`);
  for (const set of SETS) {
    const { client } = await connect(t, makeWorkspace(t, FILES), { current: "p", ...set });
    const { tools } = await client.listTools();
    const offered = tools.map(({ name }) => name);
    const missing = known.filter((name) => !offered.includes(name));
    const say = wordsFor(known, offered);
    const said = [client.getInstructions() ?? "", JSON.stringify(tools), ...texts.map(say)];
    for (const { name } of (await client.listPrompts()).prompts) {
      const { messages } = await client.getPrompt({ name, arguments: { project: "p" } });
      said.push(...messages.map(({ content }) => (content.type === "text" ? content.text : "")));
    }
    for (const name of offered)
      for (const project of ["p", "nope"]) {
        const wrong = { project, task: "9", folder: "nowhere", filename: "x", path: "nope/x.md" };
        const { inputSchema } = tools.find((tool) => tool.name === name) ?? assert.fail();
        const own = Object.entries(wrong).filter(([key]) => key in (inputSchema.properties ?? {}));
        const { content } = await client.callTool({ name, arguments: Object.fromEntries(own) });
        said.push(JSON.stringify(content));
      }
    const wrong = new RegExp(`\\b(?:${missing.join("|")})\\b`);
    for (const text of said) assert.doesNotMatch(unquoted(text), wrong, JSON.stringify(set));
    assert.ok(offered.includes("get_briefing") || !/^Start with/m.test(said[0] ?? ""));
  }
});
