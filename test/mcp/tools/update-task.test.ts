import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { planUndo } from "../../../src/core/history/undo.ts";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { updateTaskTool } from "../../../src/core/mcp/tools/update-task.ts";
import { undoStep } from "../../../src/core/workspace/undo.ts";
import { numRuns } from "../../fixtures/num-runs.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace, writeFiles } from "../../fixtures/workspace.ts";

type Answer = ToolAnswer<typeof updateTaskTool>;

const RUNS = numRuns(100);

interface Model {
  bom: boolean;
  ending: string;
  fields: [key: string, value: string][];
  heading: [before: string, after: string];
  title: string;
  objective: string;
  /** Null if there is no line for them. */
  dependencies: string[] | null;
  nested: boolean;
  steps: { before: string; done: boolean }[];
  filler: string;
}

type Changes = Record<string, unknown>;

/** Deep enough to lie inside an item of any other kind. */
const NESTED = "     - ";

const word = fc.stringMatching(/^[a-zé]{3,9}$/).filter((text) => text !== "none" && text !== "nada");
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" "));
const reference = fc.stringMatching(/^0[1-9]{2}-[a-z]{2,6}$/);
const references = fc.uniqueArray(reference, { maxLength: 4 });
const extra: [string, string][] = [
  ["custom", "{a: [1, 2]} # kept"],
  ["status", "pending"],
];

const anyStep = fc.record({
  before: fc.constantFrom("1. ", "- ", NESTED, "  1) ", "text\n\n* ", "```\n- [ ] code\n```\n- "),
  done: fc.boolean(),
});

/** Steps of which the first is not nested: directly under a heading, its indent would make it code. */
const steps = fc
  .array(anyStep, { maxLength: 6 })
  .map((all) =>
    all.map((step, at) => (at === 0 && step.before === NESTED ? { ...step, before: "- " } : step)),
  );

const anyModel: fc.Arbitrary<Model> = fc.record({
  bom: fc.boolean(),
  ending: fc.constantFrom("\n", "\r\n"),
  fields: fc.subarray([...extra, ["priority", "low"], ["due", "2026-01-01"], ["owner", "max"]]),
  heading: fc.constantFrom(["# Task: ", ""], ["# ", ""], ["#  Task 4:  ", " ##"], ["  # Tarea：", ""]),
  title: words,
  objective: words,
  dependencies: fc.option(references),
  nested: fc.boolean(),
  steps,
  filler: fc.constantFrom(
    "",
    "\n\n<!-- x -->\n- [ ] not a step\n\n",
    "  \n~~~\n## Steps\n~~~\nDue: *never*\t\n",
  ),
});

const anyChanges: fc.Arbitrary<Changes> = fc.record(
  {
    title: words,
    objective: words,
    dependencies: references,
    priority: fc.constantFrom("high", "low", null),
    due: fc.constantFrom("2026-01-01", "2027-02-03", null),
    owner: fc.option(word),
    tags: fc.uniqueArray(word, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

function render(model: Model): string {
  const { fields, heading, title, objective, dependencies, nested, steps, filler } = model;
  const block = fields.map(([key, value]) => `${key}: ${value}\n`).join("");
  const items = (dependencies ?? []).map((item) => `\n  - ${item}`).join("");
  const inline = ` ${(dependencies ?? []).join(", ") || "none"}`;
  const list = dependencies === null ? "" : `\n- Dependencies:${nested ? items : inline}`;
  const text = [
    block === "" ? "" : `---\n${block}---\n`,
    heading[0],
    title,
    heading[1],
    "\n\nStatus: pending\n\n## Objective\n",
    objective,
    "\n\n",
    "## Context\n- Files: `a.ts`",
    list,
    "\n\n## Steps\n",
    ...steps.map(({ before, done }) => `${before}[${done ? "x" : " "}] step\n`),
    "\n## Notes\n",
    filler,
    "- [ ] A criterion\nend",
  ].join("");
  return (model.bom ? "\uFEFF" : "") + text.replaceAll("\n", model.ending);
}

function withField(fields: Model["fields"], key: string, value: string | null): Model["fields"] {
  if (value === null) return fields.filter(([name]) => name !== key);
  if (!fields.some(([name]) => name === key)) return [...fields, [key, value]];
  return fields.map(([name, old]) => [name, name === key ? value : old]);
}

function apply(model: Model, changes: Changes): Model {
  const {
    title = model.title,
    objective = model.objective,
    dependencies: wanted,
  } = changes as Partial<Model>;
  const [done, open] = [changes["done_steps"] ?? [], changes["open_steps"] ?? []] as number[][];
  const steps = model.steps.map(({ before, done: was }, at) => {
    return { before, done: done?.includes(at + 1) ? true : open?.includes(at + 1) ? false : was };
  });
  const present = model.dependencies ?? [];
  const isSame = wanted === undefined || wanted?.join() === present.join();
  const list = isSame ? {} : { dependencies: wanted, nested: false };
  let { fields } = model;
  for (const key of ["priority", "due", "owner"] as const)
    if (key in changes) fields = withField(fields, key, changes[key] as string | null);
  if (changes["tags"] !== undefined) {
    const tags = changes["tags"] as string[];
    fields = withField(fields, "tags", tags.length === 0 ? null : `[${tags.join(", ")}]`);
  }
  return { ...model, title, objective, ...list, steps, fields } as Model;
}

test(`${RUNS} random edits change what a simple model of the file says, and no other byte`, async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root, { watch: false });
  const property = fc.asyncProperty(
    anyModel,
    anyChanges,
    fc.array(fc.nat(5)),
    async (model, changes, picks) => {
      const numbers = [...new Set(picks)].filter((at) => at < model.steps.length).map((at) => at + 1);
      const half = numbers.length >> 1;
      const all = { ...changes, done_steps: numbers.slice(half), open_steps: numbers.slice(0, half) };
      writeFiles(root, { "p/tasks/001-t.md": render(model) });
      const answer = await call<Answer>("update_task", { project: "p", task: "001-t", ...all });
      const file = join(root, answer.task.path);
      const written = readFileSync(file, "utf8");
      rmSync(file);
      assert.equal(written, render(apply(model, all)));
    },
  );
  await fc.assert(property, { numRuns: RUNS });
});

const TASK =
  "# Task: Old\n\nStatus: in-progress\n\n## Objective\nThat.\n\n## Context\n- Dependencies: [Two](002-b.md), 003\n\n" +
  "## Steps\n1. [ ] First\n   - [ ] Nested\n2. [x] Last\n";

test("update_task changes several parts at once, and says what changed", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-old.md": TASK,
    "p/tasks/002-b.md": "# Task: B\n\nStatus: done\n",
  });
  const { call } = await connect(t, root);
  const args = {
    done_steps: [1, 3],
    open_steps: [2],
    priority: "high",
    due: "2026-12-01",
    dependencies: ["2", "002-b"],
  };
  const answer = await call<Answer>("update_task", { project: "p", task: "1", ...args });
  assert.deepEqual(answer.changed, ["steps", "dependencies", "priority", "due"]);
  assert.deepEqual(answer.progress, { done: 2, total: 3 });
  assert.equal(answer.missing_dependencies, undefined);
  const expected = TASK.replace("[Two](002-b.md), 003", "2, [Two](002-b.md)")
    .replace("[ ] First", "[x] First")
    .replace("[ ] Nested", "[x] Nested")
    .replace("[x] Last", "[ ] Last");
  const read = () => readFileSync(join(root, "p/tasks/001-old.md"), "utf8");
  assert.equal(read(), `---\npriority: high\ndue: 2026-12-01\n---\n${expected}`);
  const again = await call<Answer>("update_task", { project: "p", task: "1", ...args });
  assert.match(again.hint ?? "", /like that already/);
  await call("update_task", { project: "p", task: "1", priority: null, due: null });
  assert.equal(read(), expected);
  const last = await call<Answer>("update_task", {
    project: "p",
    task: "1",
    done_steps: [2],
    dependencies: ["9"],
  });
  assert.match(last.hint ?? "", /All steps are done.*no task 9/s);
  assert.deepEqual(last.missing_dependencies, ["9"]);
});

test("a step that does not exist is refused with the steps there are, and nothing is changed", async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-old.md": TASK, "p/tasks/002-b.md": "# Task: B\n" });
  const { fail } = await connect(t, root);
  const update = (args: object) => fail("update_task", { project: "p", task: "1", ...args });
  const { code, message } = await update({ title: "New", done_steps: [1, 4] });
  assert.equal(code, "INVALID_ARGUMENT");
  assert.equal(
    message,
    "There is no step 4. The task has 3: 1. [ ] 'First'; 3. [ ] 'Nested'; 2. [x] 'Last'.",
  );
  assert.match(
    (await update({ done_steps: ["First"] })).message,
    /^Name each step by its number\. .*1\. \[ \] 'First'/,
  );
  assert.match((await update({ done_steps: [1], open_steps: [1] })).message, /Step 1 is in/);
  assert.match((await update({})).message, /nothing to change/);
  assert.equal((await update({ title: " " })).code, "INVALID_ARGUMENT");
  assert.match((await update({ title: "x".repeat(301) })).message, /'title' has 301 .*'objective'/);
  assertTells((await update({ done_steps: { 1: true } })).message, ["'done_steps'", "array", "numbers"]);
  assertTells((await update({ tags: { a: 1 } })).message, ["'tags'", "array", "strings"]);
  assert.match((await update({ due: "tomorrow" })).message, /'due' must be a day/);
  assert.match(
    (await fail("update_task", { project: "p", task: "2", done_steps: [1] })).message,
    /no checkboxes/,
  );
  assert.equal(readFileSync(join(root, "p/tasks/001-old.md"), "utf8"), TASK);
});

test("a task that no longer waits or belongs to someone is in unblocked", async (t) => {
  const text = "---\nowner: ana\nclaimed_until: 2999-01-01\n---\n# Task: A\n\nStatus: pending\n";
  const root = makeWorkspace(t, {
    "p/tasks/001-old.md": TASK.replace("in-progress", "pending"),
    "p/tasks/002-a.md": text,
  });
  const { call } = await connect(t, root);
  const free = await call<Answer>("update_task", { project: "p", task: "1", dependencies: [] });
  assert.deepEqual(free.unblocked, [{ number: "001", title: "Old", path: "p/tasks/001-old.md" }]);
  const given = await call<Answer>("update_task", {
    project: "p",
    task: "2",
    owner: null,
    agent: "ana",
  });
  assert.deepEqual(given.unblocked?.[0]?.path, "p/tasks/002-a.md");
  assert.equal(readFileSync(join(root, "p/tasks/002-a.md"), "utf8"), "# Task: A\n\nStatus: pending\n");
  assert.equal(
    (await call<Answer>("update_task", { project: "p", task: "2", tags: ["x"] })).unblocked,
    undefined,
  );
});

test("dependencies in a circle are named", async (t) => {
  const task = (dependencies: string, status = "pending") =>
    `# T\n\nStatus: ${status}\n\n## Context\n- Dependencies: ${dependencies}\n`;
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": task("1"),
    "p/tasks/002-b.md": task("001-a, 4"),
    "p/tasks/003-c.md": task("9, 2"),
    "p/tasks/004-d.md": task("1, 3", "done"),
  });
  const { call } = await connect(t, root);
  const hint = async (...dependencies: string[]) =>
    (await call<Answer>("update_task", { project: "p", task: "1", dependencies })).hint;
  assert.match((await hint("3")) ?? "", /^001 → 003 → 002 → 001: .* Remove/);
  assert.equal(await hint("4"), undefined);
  assert.match((await hint("4", "2")) ?? "", /^001 → 002 → 001: /);
  assert.equal(await hint("1"), undefined);
});

test("a new title renames the file, and the links to it follow; a taken name stays", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/sub/004-old.md": TASK,
    "p/tasks/5-five.md": "# Task: Five\n\n## Context\n- Dependencies: 004-old\n",
    "p/tasks/005-taken.md": "# Task: Taken\n",
  });
  const { call } = await connect(t, root);
  const answer = await call<Answer>("update_task", { project: "p", task: 4, title: "Diseñar it" });
  assert.deepEqual(
    [answer.task.path, answer.changed, answer.hint],
    ["p/tasks/sub/004-disenar-it.md", ["title"], undefined],
  );
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  assert.match(read("p/tasks/sub/004-disenar-it.md"), /^# Task: Diseñar it\n/);
  assert.match(read("p/tasks/5-five.md"), /Dependencies: 004-disenar-it/);
  rmSync(join(root, "p/tasks/5-five.md"));
  writeFiles(root, { "p/tasks/005-other.md": "# Task: Other\n" });
  const kept = await call<Answer>("update_task", { project: "p", task: "005-other", title: "Taken" });
  assert.match(kept.hint ?? "", /keeps its name: .*005-taken\.md.* already exists/);
  assert.match(read(kept.task.path), /^# Task: Taken\n/);
  assert.deepEqual(readdirSync(join(root, "p/tasks")).sort(), ["005-other.md", "005-taken.md", "sub"]);
});

test("a new title, other parts and the links are one change in the history", async (t) => {
  const files = {
    "p/tasks/004-old.md": TASK,
    "p/tasks/005-five.md": "# Task: Five\r\n\r\n## Context\r\n- Dependencies: 004-old\r\n",
  };
  const root = makeWorkspace(t, files);
  const { call, workspace } = await connect(t, root);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const args = { project: "p", task: "4", title: "New", done_steps: [1], priority: "high" };
  const answer = await call<Answer>("update_task", args);
  assert.deepEqual(
    [answer.task.path, answer.changed, answer.progress?.done],
    ["p/tasks/004-new.md", ["steps", "title", "priority"], 2],
  );
  assert.match(
    read("p/tasks/004-new.md"),
    /^---\npriority: high\n---\n# Task: New\n(?:.*\n)+1\. \[x\] First/,
  );
  assert.equal(read("p/tasks/005-five.md"), files["p/tasks/005-five.md"].replace("004-old", "004-new"));
  const { steps } = await planUndo(root, { count: 9, now: new Date() });
  assert.equal(steps.length, 1);
  for (const step of steps) await undoStep(workspace, step);
  for (const [path, text] of Object.entries(files)) assert.equal(read(path), text);
  assert.equal(existsSync(join(root, "p/tasks/004-new.md")), false);
});

test("a task that is not UTF-8 gets no new title, and keeps its name", async (t) => {
  const bytes = Buffer.concat([Buffer.from("# Task: A\n\nStatus: pending\n\n"), Buffer.from([0xff])]);
  const root = makeWorkspace(t, { "p/tasks/001-a.md": bytes });
  const { fail } = await connect(t, root);
  const { code, message } = await fail("update_task", { project: "p", task: "1", title: "B" });
  assert.equal(code, "CONFLICT");
  assertTells(message, ["UTF-8"]);
  assert.deepEqual(readFileSync(join(root, "p/tasks/001-a.md")), bytes);
});

test("criteria are ticked as steps are", async (t) => {
  const text = "# Task: A\n\nStatus: pending\n\n## Acceptance criteria\n- [ ] Fast\n- [x] Safe\n";
  const root = makeWorkspace(t, { "p/tasks/001-a.md": text, "p/tasks/002-b.md": "# Task: B\n" });
  const { call, fail } = await connect(t, root);
  const update = (args: object) => call<Answer>("update_task", { project: "p", task: "1", ...args });
  const ticked = await update({ done_criteria: [1, 2] });
  assert.deepEqual([ticked.lines, ticked.criteria], [["- [x] Fast"], { done: 2, total: 2 }]);
  assert.equal(readFileSync(join(root, "p/tasks/001-a.md"), "utf8"), text.replace("[ ]", "[x]"));
  assert.deepEqual((await update({ done_criteria: [2] })).lines, undefined);
  await update({ open_criteria: [1] });
  assert.equal(readFileSync(join(root, "p/tasks/001-a.md"), "utf8"), text);
  const wrong = (args: object) => fail("update_task", { project: "p", task: "1", ...args });
  assert.equal(
    (await wrong({ done_criteria: [3] })).message,
    "There is no criterion 3. The task has 2: 1. [ ] 'Fast'; 2. [x] 'Safe'.",
  );
  assert.match(
    (await wrong({ done_criteria: [1], open_criteria: [1] })).message,
    /^Criterion 1 is in 'done_criteria'/,
  );
  assert.match(
    (await wrong({ task: "2", done_criteria: [1] })).message,
    / criterion 1: .*no checkboxes .*'Acceptance Criteria'/,
  );
});

test("a tag in the text counts beside those of frontmatter, and goes only from the text", async (t) => {
  const body =
    "# Task: A\n\nStatus: pending\n\n## Steps\n- [ ] Call it #Area/API\n\nSee #123, `#no` and #fff. #ui\n";
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": `---\ntags: "#db, x"\n---\n${body}`,
    "p/b.md": "#ui\n",
  });
  const { call } = await connect(t, root);
  const update = (tags: string[]) => call<Answer>("update_task", { project: "p", task: "1", tags });
  const tagsNow = async (tag: string) => {
    const { tasks } = await call<{ tasks: { tags: string[] }[] }>("list_tasks", { project: "p", tag });
    return tasks.flatMap((one) => one.tags).join(" ");
  };
  const file = () => readFileSync(join(root, "p/tasks/001-a.md"), "utf8");
  for (const tag of ["#Area", "area/api", "db"]) assert.equal(await tagsNow(tag), "db x area/api ui");
  for (const tag of ["are", "area/", "no", "fff", "123"]) assert.equal(await tagsNow(tag), "");
  const { hint } = await update(["ui", "new"]);
  assertTells(hint, ["db", "x", "restore_doc", "#Area/API", "9"]);
  assert.equal(file(), `---\ntags: [new]\n---\n${body}`);
  assert.deepEqual((await update(["area/api", "#UI"])).changed, ["tags"]);
  assert.equal(file().slice(-body.length), body);
  const answer = await call<{ hint?: string }>("update_doc", { path: "p/b.md", frontmatter: { Tags: null } });
  assert.match(answer.hint ?? "", /'#ui \(line 1\)'/);
  for (const tag of ["area", "#area/API", "ui"]) {
    const { results } = await call<{ results: unknown[] }>("search", { query: "ui", tag });
    assert.equal(results.length, tag === "ui" ? 2 : 1, tag);
  }
});
