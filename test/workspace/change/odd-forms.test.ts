import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { numRuns } from "../../fixtures/num-runs.ts";
import { connect, makeWorkspace, writeFiles } from "../../fixtures/workspace.ts";

/** How people and other programs write frontmatter, and the text below it. */
const BLOCKS = [
  "",
  "\uFEFF",
  "---\n---\n",
  "---\nStatus: Todo\nPriority: P1\nTags:\n  - api\n  - ui\nupdated: 2026-02-09 # when\n---\n",
  "---\nstatus: [todo]\nowner:\n- max\ntags: api, ui\n---\n",
  '---\nowner: "[[Max]]"\ndue: "[[2026-12-01]]"\nstatus: "todo" # not yet\nblockedBy: [[002-b]]\n---\n',
  "---\ntags: #api\npriority:\ndue: 01/12/2026\n---\n",
  "---\nEstado: pendiente\nPrioridad: alta\n優先度: 低\n---\n",
  "---\ndescription: >-\n  long\n\n  text\nmeta:\n  status: done\nstatus: |\n  todo\n---\n",
  '---\n{\n  "status": "todo"\n}\n---\n',
  "---\n  status: todo\n  tags:\n  - api\n...\n",
  "---\ntitle: Fix: x\nstatus: todo\npriority: high\n---\n",
  "---\ncreated: <% tp.date.now() %>\nstatus: todo\nstatus: done\nowner: @max\n---\n",
  '+++\ntitle = "x"\nstatus = "todo"\n+++\n',
  '{\n  "title": "x",\n  "status": "todo"\n}\n',
  "---\r\nstatus: todo\r\ntags:\r\n  - api\r\n---\r\n",
  "---\nstatus: todo\ntags: [api]\n",
];
const BODIES = [
  "",
  "Words without a heading",
  "# Task: A\n\nStatus: todo\n\n## Context\n- Dependencies: 002-b\n\n## Steps\n1. [x] one\n2. [/] two ^id\n\n## Acceptance Criteria\n- [-] x 📅 2026-12-01\n- [ ] y\n",
  "A\n=\n\nSteps\n-----\n- [ ] a [due:: 2026-12-01]\n  - [X] b %% c %%\n- [?] c <% tp.x %>\n",
  "# A\n\n**Status**: `todo` <!-- c -->\n**Priority:** high\n**Tags:** #api #ui ^id\n**Depends on:** 002\n\nText.\n",
  "# A\n- Status: todo | Priority: P1 | Owner: max\n- Due date: 2026-12-01\n- Blocked by:\n  - [[002-b]]\n",
  "# 追加\n\n状態：未着手、優先度：高\n期限：2026-12-01\n\n## 手順\n- [ ] 一\n",
  "# A\n\n```yaml\nStatus: done\n```\n\nstatus:: todo\n\n> [!todo] Callout\n> - [ ] x\n\n![[embed]] $& [[002-b|b]]\n",
  "# A\r\n\r\nStatus: todo\r\n\r\n## Steps\r\n- [ ] a\r\n",
  "# A\n\n## Dependencies\n- [ ] 002-b\n- Node.js 20\n\n## Steps\n```js\nopen\n",
  "# A\n\nText <!-- open\n\nStatus:\nTags:",
];

const NOTE = "tasks/001-a.md";
const TASK = { task: "1" };
const PATH = { path: NOTE };
/** Each with the lines that may go: what it changes says them. */
const CHANGES: [tool: string, args: Record<string, unknown>, gone: RegExp][] = [
  ["update_task_status", { ...TASK, status: "blocked" }, /status|estado|状態|todo/i],
  ["update_task", { ...TASK, priority: null }, /priori|優先度/i],
  ["update_task", { ...TASK, due: "2031-01-02" }, /due|期限/i],
  ["update_task", { ...TASK, tags: ["x", "a/b"] }, /tags|- api|- ui/i],
  ["update_task", { ...TASK, dependencies: ["003"] }, /depend|block|002/i],
  ["update_task", { ...TASK, done_steps: [1] }, /\[.\]/],
  ["update_task", { ...TASK, open_criteria: [1] }, /\[.\]/],
  ["update_doc", { ...PATH, mode: "append", content: "more" }, /^(?:Words without a heading|Tags:)$/],
  ["update_doc", { ...PATH, section: "Steps", mode: "append", content: "more" }, /^(?!)/],
  ["update_doc", { ...PATH, frontmatter: { new: "no", day: "2031-01-02" } }, /^(?!)/],
  ["update_doc", { ...PATH, frontmatter: { status: null } }, /status|estado|^ {2}todo|^---|^[{}]$/i],
  ["update_doc", { ...PATH, content: "# New\n" }, /^/],
  ["move_doc", { ...PATH, to_filename: "001-b" }, /^/],
  ["move_doc", { ...PATH, to_folder: "archive" }, /^/],
  ["vault_create", { path: "scratch/x.txt", content: "x" }, /^(?!)/],
];

/** The notes of a project by their place in it. */
function notesIn(folder: string): Record<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const notes = names.filter((name) => /\.(?:md|txt)$/.test(name));
  return Object.fromEntries(notes.map((name) => [name, readFileSync(join(folder, name))]));
}

/** The lines of a text that another lacks, a byte order mark aside; fields in braces are compared without the commas between them. */
function lost(before: string, after: string): string[] {
  const isJson = /^(?:---\n)?\{\n/.test(before);
  const linesOf = (text: string) =>
    text
      .replace("\uFEFF", "")
      .replace(/^\{(\w.*)\}$/m, (_, fields: string) => fields.replaceAll(", ", "\n"))
      .split(/\r?\n/)
      .map((line) => (isJson ? line.replace(/,$/, "") : line));
  const left = linesOf(after);
  return linesOf(before).filter((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

test("whatever the form of a note, a tool changes what it was asked to, and an undo gives back every byte", async (t) => {
  const root = makeWorkspace(t, {});
  const { client, call } = await connect(t, root);
  let count = 0;
  const form = fc.tuple(fc.constantFrom(...BLOCKS), fc.constantFrom(...BODIES));
  const property = fc.asyncProperty(form, fc.constantFrom(...CHANGES), async (parts, [tool, args, gone]) => {
    const project = `p${++count}`;
    const text = parts.join("");
    const other = "# B\n\nStatus: todo\n\nSee [[001-a]].\n";
    writeFiles(root, { [`${project}/${NOTE}`]: text, [`${project}/tasks/002-b.md`]: other });
    const notes = () => notesIn(join(root, project));
    const before = notes();
    const place = args["path"] === undefined ? { project } : { path: `${project}/${args["path"]}` };
    const { isError } = await client.callTool({ name: tool, arguments: { ...args, ...place } });
    const after = notes();
    if (isError) assert.deepEqual(after, before);
    else if (tool.startsWith("update_")) {
      assert.deepEqual({ ...after, [NOTE]: null }, { ...before, [NOTE]: null });
      const now = String(after[NOTE]);
      assert.equal(now.startsWith("\uFEFF"), text.startsWith("\uFEFF"));
      // A block in braces becomes lines when a field of it changes.
      const lines = /^(?:---\n)?\{/.test(text) ? [] : lost(text, now);
      for (const line of lines) assert.match(line, gone, now);
    }
    if (isDeepStrictEqual(before, after)) return;
    const { versions } = await call<{ versions: { change: string }[] }>("history", { limit: 1 });
    await call("restore_doc", { change: versions[0]?.change ?? "" });
    assert.deepEqual(notes(), before);
  });
  await fc.assert(property, { numRuns: numRuns(300) });
});
