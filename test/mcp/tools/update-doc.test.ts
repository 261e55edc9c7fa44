import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolAnswer } from "../../../src/core/mcp/tool.ts";
import type { listTasksTool } from "../../../src/core/mcp/tools/list-tasks.ts";
import type { updateDocTool } from "../../../src/core/mcp/tools/update-doc.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

const NAME = { project: "p", folder: "references", filename: "notes.md" };
const PATH = "p/references/notes.md";

type Answer = ToolAnswer<typeof updateDocTool>;

test("update_doc on a CRLF file with a BOM and commented frontmatter changes only what was asked", async (t) => {
  const before =
    "\uFEFF---\r\n# who\r\nowner: 'max' # the boss\r\ntags: [a,   b]\r\nstatus: draft # not yet\r\n---\r\n# Notes\r\n\r\n## One\r\n\r\nfirst\r\n\r\n## Two\r\n\r\nlast without newline";
  const root = makeWorkspace(t, { [PATH]: before });
  const { call } = await connect(t, root);
  const text = () => readFileSync(join(root, PATH), "utf8");
  await call("update_doc", { ...NAME, frontmatter: { status: "final" } });
  const one = before.replace("status: draft # not yet", "status: final # not yet");
  assert.equal(text(), one);
  await call("update_doc", { ...NAME, section: "One", content: "changed\nlines" });
  const two = one.replace("first", "changed\r\nlines");
  assert.equal(text(), two);
  await call("update_doc", { ...NAME, frontmatter: { owner: null, reviewed: "2026-01-02" } });
  const three = two
    .replace("owner: 'max' # the boss\r\n", "")
    .replace("# not yet\r\n", "# not yet\r\nreviewed: 2026-01-02\r\n");
  assert.equal(text().replaceAll(/(["'])2026-01-02\1/g, "2026-01-02"), three);
});

test("new content keeps the old frontmatter unless it brings its own", async (t) => {
  const root = makeWorkspace(t, { [PATH]: "---\ntags: [a]\n---\n# Old\n" });
  const { call } = await connect(t, root);
  const text = () => readFileSync(join(root, PATH), "utf8");
  const answer: Answer = await call("update_doc", { ...NAME, content: "# New\n" });
  assert.equal(text(), "---\ntags: [a]\n---\n# New\n");
  assert.deepEqual([answer.success, answer.path, answer.indexed], [true, PATH, true]);
  assert.notEqual(answer.previous_hash, answer.new_hash);
  await call("update_doc", { ...NAME, content: "---\nowner: me\n---\n# Own\n" });
  assert.equal(text(), "---\nowner: me\n---\n# Own\n");
});

const BROKEN = [
  "---\ntitle: Fix: x\nstatus: pending\npriority: high\n---\n",
  "---\ntags:\n\t- a\nstatus: pending\npriority: high\n---\n",
  '+++\nstatus = "pending"\n+++\n',
];

for (const block of BROKEN) {
  test(`frontmatter that YAML refuses stays, whatever is changed: ${JSON.stringify(block)}`, async (t) => {
    const file = `${block}# Task: A\n\nStatus: pending\n\n## Steps\n- [ ] a\n`;
    const path = "p/tasks/001-a.md";
    const root = makeWorkspace(t, { [path]: file, [PATH]: `${block}# N\n\nold\n` });
    const { call } = await connect(t, root);
    const text = (name: string) => readFileSync(join(root, name), "utf8");
    const { tasks }: ToolAnswer<typeof listTasksTool> = await call("list_tasks", { project: "p" });
    assert.match(tasks[0]?.problem ?? "", /^The frontmatter is not .*ead/);
    assert.equal(tasks[0]?.priority, block.startsWith("+++") ? undefined : "high");
    const { problem } = await call("read_doc", { path });
    assert.equal(problem, tasks[0]?.problem);
    await call("update_doc", { path: PATH, content: "# N\n\nnew\n" });
    assert.equal(text(PATH), `${block}# N\n\nnew\n`);
    await call("update_task", { project: "p", task: "1", done_steps: [1] });
    await call("update_task_status", { project: "p", task: "1", status: "done" });
    const done = (before: string) => before.replaceAll(/(?<=status: )pending/gi, "done");
    assert.equal(text(path), done(file).replace("[ ]", "[x]"));
    const answer = await call("update_doc", { path: PATH, frontmatter: { tags: ["b"], owner: "ana" } }).catch(
      String,
    );
    if (block.includes("tags") || block.startsWith("+++"))
      assert.match(String(answer), /cannot be changed.*whole content/);
    else assert.equal(text(PATH), `${block.replace(/---\n$/, "tags: [b]\nowner: ana\n---\n")}# N\n\nnew\n`);
  });
}

test("append adds to the end of the file or of a section", async (t) => {
  const root = makeWorkspace(t, { [PATH]: "# N\n\n## A\n\nx\n\n## B\n\ny" });
  const { call } = await connect(t, root);
  const text = () => readFileSync(join(root, PATH), "utf8");
  await call("update_doc", { ...NAME, section: "## A", mode: "append", content: "more" });
  assert.match(text(), /## A\n\nx\n+more\n\n## B\n\ny$/);
  await call("update_doc", { ...NAME, mode: "append", content: "end" });
  assert.match(text(), /\ny\n+end/);
});

test("a section that another heading has too is changed only by a name of its own", async (t) => {
  const before = "# N\n\n## A\n\n### C\na\n\n## B\n\n### C\nb\n";
  const root = makeWorkspace(t, { [PATH]: before });
  const { call, fail } = await connect(t, root);
  for (const mode of ["replace", "append"])
    for (const create of [false, true]) {
      const args = { ...NAME, section: "C", content: "x", mode, create };
      assertTells((await fail("update_doc", args)).message, ["A > C", "B > C"]);
    }
  for (const args of [
    { section: "B > C" },
    { section: "C (2)" },
    { filename: "notes.md#B#C" },
    { filename: "notes#c-1" },
  ]) {
    writeFileSync(join(root, PATH), before);
    const { path } = await call("update_doc", { ...NAME, ...args, content: "x" });
    assert.equal(path, PATH);
    assert.equal(readFileSync(join(root, PATH), "utf8"), before.replace("b\n", "x\n"));
  }
});

const LONG = Array.from({ length: 1500 }, (_, n) => `Line ${n}: some words, so that it is long enough.`);
const LINES = "# N\n\nfirst\n\nsecond\n\n## A\n\nx\n\n[... as before, unchanged]\n";

const SECTIONS = "# N\n\nfirst\n\n## A\n\na\n\n## B\n\nb\n\n## C\n\nc\n\n## D\n\nd\n";

/** What would replace a text, and is only a part of it. */
const PARTS: [why: string, before: string, content: string][] = [
  ["the beginning", LINES, "# N\n\nfirst\n"],
  ["the beginning up to the middle of a line", LINES, "# N\r\n\r\nfirst\r\n\r\nsec"],
  ...[
    "…",
    "[... rest unchanged ...]",
    "<!-- omitted -->",
    "(el resto sigue igual)",
    "（以下省略）",
    "The rest as before.",
  ].map((line): [string, string, string] => [line, SECTIONS, `# N\n\n## A\n\nnew\n\n${line}\n`]),
  ["in the middle", SECTIONS, "# N\n\n## A\n\na, changed\n\n*etc.*\n\n## D\n\nd\n"],
  ["at the start", SECTIONS, "[as before]\n\n## D\n\nd, changed\n"],
  ["with CRLF", SECTIONS.replaceAll("\n", "\r\n"), "# N\n\n## A\n\nnew\n\n…\n"],
  ["under lines", "N\n===\n\nA\n---\n\na\n\nB\n---\n\nb\n\nC\n---\n", "N\n===\n\nA\n---\n\n…\n"],
];

/** Whole texts that look a little like it, and what went then. */
const WHOLE: [content: string, went: RegExp][] = [
  [`${SECTIONS}\n…\n`, /^$/],
  [SECTIONS.replace("c\n", "…\n"), /^$/],
  ["# N\n\nOne page of prose now.\n", /^9 of 10 lines and the sections A, B, C, D went/],
  ["# N\n\n## Summary\n\nAll in one place.\n", /sections A, B, C, D/],
  ["# N\n\n## A\n\na\n\n## D\n\nd\n", /sections B, C went/],
  ["# N\n\n## A\n\n- new\n- lines\n", /sections B, C, D went/],
  [SECTIONS.replace("## C", "## See"), /^$/],
  [SECTIONS.replace("first\n\n", ""), /^$/],
  [SECTIONS.toUpperCase().replaceAll("\n", "\r\n"), /^$/],
];

test("the beginning of a text does not replace the whole, nor does a line in the place of sections", async (t) => {
  const plan = "p/plans/execution-plan.md";
  for (const [why, before, content] of PARTS) {
    const root = makeWorkspace(t, { [PATH]: before, [plan]: before });
    const { call, fail } = await connect(t, root);
    const { code, message } = await fail("update_doc", { ...NAME, content });
    assert.equal(code, "CONFLICT", why);
    assertTells(message, ["section", "append", "expected_hash"]);
    assert.equal((await fail("create_plan", { project: "p", content })).code, "CONFLICT");
    for (const path of [PATH, plan]) assert.equal(readFileSync(join(root, path), "utf8"), before, why);
    const { hash } = await call<{ hash: string }>("get_plan", { project: "p" });
    for (const [tool, name] of [
      ["update_doc", NAME],
      ["create_plan", { project: "p" }],
    ] as const)
      await call(tool, { ...name, content, expected_hash: hash });
  }
  for (const [content, went] of WHOLE) {
    const { call } = await connect(t, makeWorkspace(t, { [PATH]: SECTIONS }));
    const { hint = "" } = await call<Answer>("update_doc", { ...NAME, content });
    assert.match(hint, went);
  }
});

test("a write says what it took away, and how to take that back", async (t) => {
  const steps = Array.from({ length: 9 }, (_, at) => `${at + 1}. [${at < 4 ? "x" : " "}] s${at}\n`).join("");
  const task = `---\ntags: [db]\n---\n# Task: A\n\nStatus: blocked\n\n## Objective\no\n\n## Steps\n${steps}`;
  const list = `# N\n\n## Decisions\n${Array.from({ length: 12 }, (_, at) => `- d${at}\n`).join("")}\n## Next\nn\n`;
  const cases: [path: string, before: string, args: object, facts: [string, ...string[]]][] = [
    [PATH, list, { section: "Decisions", content: "- d" }, ["12", "16 lines", "restore_doc"]],
    [PATH, list, { content: "- d" }, ["16", "16 lines", "Decisions, Next", "restore_doc"]],
    [PATH, list.replaceAll("\n", "\r\n"), { section: "Next", content: "…" }, ["none"]],
    [
      PATH,
      "# 計画\n\n## 決定事項\n- 甲\n\n## 次\n乙\n",
      { content: "# 計画\n\n## 次\n乙\n" },
      ["決定事項", "restore_doc"],
    ],
    [
      TASK_PATH,
      task,
      { content: "Waits for keys." },
      ["Objective, Steps", "status blocked", "9 of 9 steps", "restore_doc"],
    ],
    [TASK_PATH, task, { content: task.replaceAll("[x]", "[ ]") }, ["4 ticks"]],
    [TASK_PATH, task, { content: task.replace("tags: [db]", "owner: me") }, ["tag db"]],
    [TASK_PATH, task, { frontmatter: { status: "pending", tags: ["db", "x"] } }, ["Status", "'pending'"]],
  ];
  for (const [path, before, args, facts] of cases) {
    const root = makeWorkspace(t, { [path]: before });
    const { call } = await connect(t, root);
    const { hint = "none" } = await call<Answer>("update_doc", { path, ...args });
    assertTells(hint, facts);
    const [, change] = /restore_doc \{change: "(\w+)"\}/.exec(hint) ?? [];
    if (facts.includes("restore_doc")) await call("restore_doc", { change });
    if (facts.includes("restore_doc")) assert.equal(readFileSync(join(root, path), "utf8"), before);
  }
});

test("the new text of a section leaves its neighbours where they are", async (t) => {
  const before = "# N\n\n## A\n\n### Fixed\na\n\n## B\n\n### Fixed\nb\n\n## C\nc\n";
  const root = makeWorkspace(t, { [PATH]: before });
  const { call, fail } = await connect(t, root);
  for (const content of [
    "## B\nnew\n\n## C\nc\n",
    "# N\n\n## B\nnew",
    "new\n\n## c ##\n",
    "new\n\nC\n---\n",
  ]) {
    const { code, message } = await fail("update_doc", { ...NAME, section: "B", content });
    assert.equal(code, "CONFLICT");
    assert.match(message, /## [cC]|# N/);
  }
  assert.equal(readFileSync(join(root, PATH), "utf8"), before);
  const content = "## B\n\n### Fixed\nx\n\n### C\ny\n\n```md\n## C\n```";
  await call("update_doc", { ...NAME, section: "B", content });
});

test("a whole text in one Markdown fence is taken out of it, unless the note is a block of code", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root);
  const note = "# N\n\nold\n";
  const cases: [before: string, content: string, expected: string][] = [
    [note, "```markdown\n# N\n\nnew\n```", "# N\n\nnew\n"],
    [note, "~~~md\r\n# M\r\n~~~\r\n", "# M\n"],
    [note, "```\n# N\n\nnew\n```\n", "# N\n\nnew\n"],
    [note, "````md\n# N\n\n```js\nx\n```\n````", "# N\n\n```js\nx\n```\n"],
    ...["```sh\n# N\n```\n", "```\nls\n```\n", "```md\na\n```\n\nb\n\n```md\nc\n```\n"].map(
      (content): [string, string, string] => [note, content, content],
    ),
    ["```md\n# N\n```\n", "```md\n# M\n```\n", "```md\n# M\n```\n"],
  ];
  for (const [before, content, expected] of cases) {
    writeFileSync(join(root, "p/a.md"), before);
    const { hint = "" } = await call<{ hint?: string }>("update_doc", { path: "p/a.md", content });
    assert.equal(readFileSync(join(root, "p/a.md"), "utf8"), expected);
    assert.equal(/fence/.test(hint), content !== expected, content);
  }
});

test("what a session just added to the end of a place is not added again", async (t) => {
  const root = makeWorkspace(t, { [PATH]: "# N\n\n## Log\n- old\n\n## End\ne\n" });
  let now = new Date("2026-05-04T10:00:00Z");
  const clock = { now: () => now };
  const { call } = await connect(t, root, { clock });
  const add = (section: string | undefined, content: string) =>
    call<Answer>("update_doc", { ...NAME, section, mode: "append", content });
  const count = (line: string) => readFileSync(join(root, PATH), "utf8").split(line).length - 1;
  for (const section of ["Log", undefined, "End"]) {
    assert.equal((await add(section, `- ${section}`)).hint, undefined);
    const { hint, previous_hash, new_hash } = await add(section, `\n- ${section}\n`);
    assertTells(hint, ["not added again"]);
    assert.deepEqual([count(`- ${section}`), previous_hash], [1, new_hash]);
  }
  await add("Log", "- between");
  await add("Log", "- Log");
  assert.equal(count("- Log"), 2);
  now = new Date("2026-05-04T10:05:00Z");
  await add("Log", "- Log");
  await (await connect(t, root, { clock })).call("update_doc", {
    ...NAME,
    section: "Log",
    mode: "append",
    content: "- Log",
  });
  assert.equal(count("- Log"), 4);
});

const PAGED = `${LONG.join("\n")}\n\n## Tail\n\nThe end.\n`;
const GUIDE = "# Guide\r\n\r\n## Setup\r\nInstall it.\r\n\r\n## Old\r\nNo longer true.\r\n";

/** What a client reads of a text, and what it then gives for the whole. */
const READ: [why: string, before: string, reads: object[], content: string, isTaken: boolean][] = [
  ["a page", PAGED, [{}], PAGED.slice(0, 40_000).replace("3:", "three:"), false],
  [
    "a page to its last line",
    PAGED,
    [{}],
    PAGED.slice(0, 40_000).replace(/.*$/, "").replace("3:", "three:"),
    false,
  ],
  ["all pages", PAGED, [{}, { offset: 40_000 }], PAGED.slice(0, 40_000), true],
  ["a page, given whole", PAGED, [{}], PAGED.replace("3:", "three:"), true],
  ["a section", GUIDE, [{ section: "Setup" }], "# A guide\n\n## Setup\nInstall it.\n", false],
  ["a section, with another end", GUIDE, [{ section: "Setup" }], "# Guide\n\n## Setup\nRun it.\n", true],
  ["the last section", GUIDE, [{ section: "Old" }], "# Guide\n\n## Old\nNo longer true.\n", true],
  ["a section, then all", GUIDE, [{ section: "Setup" }, {}], "# Guide\n\n## Setup\nInstall it.\n", true],
  ["all, then a section", GUIDE, [{}, { section: "Setup" }], "# Guide\n\n## Setup\nInstall it.\n", true],
];

for (const [why, before, reads, content, isTaken] of READ)
  test(`a text that ends with the part that was read replaces no whole: ${why}`, async (t) => {
    const root = makeWorkspace(t, { [PATH]: before });
    const { call, fail } = await connect(t, root);
    let expected_hash = "";
    for (const part of reads)
      expected_hash = (await call<{ hash: string }>("read_doc", { ...NAME, ...part })).hash;
    const write = { ...NAME, content, expected_hash };
    if (isTaken) await call("update_doc", write);
    else {
      assertTells((await fail("update_doc", write)).message, ["only a part", "section", "to its end"]);
      assert.equal((await fail("update_doc", { ...NAME, content })).code, "CONFLICT");
      // Another client read nothing in part.
      const other = await connect(t, root);
      await other.call("update_doc", write);
    }
    assert.notEqual(readFileSync(join(root, PATH), "utf8"), before);
  });

test("an empty content is not given, except for a section or the exact file", async (t) => {
  const root = makeWorkspace(t, { [PATH]: LINES });
  const { call, fail } = await connect(t, root);
  const text = () => readFileSync(join(root, PATH), "utf8");
  assert.match((await fail("update_doc", { ...NAME, content: "" })).message, /nothing to change/);
  await call("update_doc", { ...NAME, content: "", frontmatter: { owner: "ana" } });
  assert.equal(text(), `---\nowner: ana\n---\n${LINES}`);
  await call("update_doc", { ...NAME, section: "A", content: "" });
  assert.match(text(), /second\n\n## A\n+$/);
});

test("create makes a section that is missing, at the end, and changes one that is there", async (t) => {
  const root = makeWorkspace(t, { [PATH]: "# N\n\n## A\n\nx" });
  const { call, fail } = await connect(t, root);
  const text = () => readFileSync(join(root, PATH), "utf8");
  const add = { ...NAME, content: "- Postgres", mode: "append", create: true };
  assert.equal(
    (await fail("update_doc", { ...add, create: false, section: "Decisions" })).code,
    "INVALID_ARGUMENT",
  );
  await call("update_doc", { ...add, section: "Decisions", content: "## Decisions\n\n- Postgres" });
  assert.match(text(), /x\n\n## Decisions\n\n- Postgres\n?$/);
  await call("update_doc", { ...add, section: "decisions", content: "- Redis" });
  assert.match(text(), /## Decisions\n\n- Postgres\n- Redis\n?$/);
  await call("update_doc", { ...add, section: "### Why\nnot", content: "x" });
  assert.match(text(), /- Redis\n\n### Why not\n\nx\n?$/);
});

test("a section is found by every name that is read as the same, and no heading is made beside it", async (t) => {
  const sections: [there: string, named: string, path: string][] = [
    ["Decisiones", "Decisions", "p/status.md"],
    ["決定事項", "## Decisions", "p/status.md"],
    ["Decision log", "decisiones tomadas", "p/references/n.md"],
    ["✅ Criterios de aceptación:", "Acceptance Criteria", TASK_PATH],
    ["Lo que hice", "Done", "p/sessions/2026-03-01.md"],
  ];
  const files = sections.map(([there, , path]) => [path, `# N\n\n## ${there}\n- Uno\n\n### Más\n`]);
  for (const [at, [there, section, path]] of sections.entries()) {
    const root = makeWorkspace(t, Object.fromEntries([files[at] ?? []]));
    const { call } = await connect(t, root);
    const heading = `## ${section.replace("## ", "")}`;
    for (const content of ["- Dos", `${heading}\n\n- Tres`, `#${heading}\n- Cuatro`])
      await call("update_doc", { path, section, mode: "append", content, create: true });
    const text = readFileSync(join(root, path), "utf8");
    const added = `- Dos\n- Tres\n\n#${heading}\n- Cuatro\n`;
    assert.equal(text, `# N\n\n## ${there}\n- Uno\n\n### Más\n\n${added}`, section);
  }
});

test("a name that several sections are read as is not guessed, and a session's words count in sessions alone", async (t) => {
  const text = "# N\n\n## Decisiones\n\n## 決定事項\n\n## Lo que hice\n";
  const { fail } = await connect(t, makeWorkspace(t, { [PATH]: text }));
  const several = await fail("update_doc", { ...NAME, section: "Decisions", content: "x" });
  assertTells(several.message, ["N > Decisiones", "N > 決定事項"]);
  assert.match(
    (await fail("update_doc", { ...NAME, section: "Done", content: "x" })).message,
    /has no section 'Done'/,
  );
});

test("expected_hash takes 16 to 64 digits in any letter case, and says so for anything else", async (t) => {
  const root = makeWorkspace(t, { [PATH]: "one\n" });
  const { call, fail } = await connect(t, root);
  const whole = createHash("sha256").update("one\n").digest("hex");
  const update = { ...NAME, content: "one\n" };
  for (const expected_hash of [whole, whole.slice(0, 16), whole.slice(0, 30).toUpperCase()]) {
    const { previous_hash, new_hash }: Answer = await call("update_doc", { ...update, expected_hash });
    assert.deepEqual([previous_hash, new_hash], [whole.slice(0, 16), whole.slice(0, 16)]);
  }
  for (const expected_hash of [whole.slice(0, 15), `${whole}0`, "the last one, please"]) {
    const { code, message } = await fail("update_doc", { ...update, expected_hash });
    assert.equal(code, "INVALID_ARGUMENT");
    assertTells(message, ["expected_hash", "16", "64"]);
  }
  assert.equal((await fail("update_doc", { ...update, expected_hash: "0".repeat(16) })).code, "CONFLICT");
});

test("expected_hash lets only the first of two updates through", async (t) => {
  const root = makeWorkspace(t, { [PATH]: "one\n" });
  const { call, fail } = await connect(t, root);
  const { hash } = await call<{ hash: string }>("read_doc", NAME);
  const { new_hash }: Answer = await call("update_doc", { ...NAME, content: "two\n", expected_hash: hash });
  const error = await fail("update_doc", { ...NAME, content: "three\n", expected_hash: hash });
  assert.equal(error.code, "CONFLICT");
  assert.equal(error.details["hash"], new_hash);
  assert.equal(readFileSync(join(root, PATH), "utf8"), "two\n");
});

test("an impossible change is refused, and the file stays unchanged", async (t) => {
  const root = makeWorkspace(t, {
    [PATH]: Buffer.from([0x23, 0x20, 0xff, 0x0a]),
    "p/references/ok.md": "# A\n",
  });
  const { fail } = await connect(t, root);
  assert.equal((await fail("update_doc", { ...NAME, content: "x" })).code, "CONFLICT");
  assert.deepEqual([...readFileSync(join(root, PATH))], [0x23, 0x20, 0xff, 0x0a]);
  const ok = { ...NAME, filename: "ok.md" };
  const nothing = await fail("update_doc", ok);
  assert.equal(nothing.code, "INVALID_ARGUMENT");
  assertTells(nothing.message, ["content", "frontmatter"]);
  const half = await fail("update_doc", { ...ok, section: "A", frontmatter: { a: 1 } });
  assert.match(half.message, /^'section' needs 'content'/);
  assert.equal((await fail("update_doc", { ...ok, section: "Zzz", content: "x" })).code, "INVALID_ARGUMENT");
  assert.equal((await fail("update_doc", { ...ok, filename: "no.md", content: "x" })).code, "FILE_NOT_FOUND");
  assert.equal((await fail("update_doc", { ...ok, content: "x", mode: "prepend" })).code, "INVALID_ARGUMENT");
  writeFileSync(join(root, "p/references/ok.md"), "---\na: [\n---\nx");
  assert.equal((await fail("update_doc", { ...ok, frontmatter: { a: 1 } })).code, "INVALID_ARGUMENT");
  assert.equal(readFileSync(join(root, "p/references/ok.md"), "utf8"), "---\na: [\n---\nx");
});

test("lines appended by another program during an update are not lost", async (t) => {
  const root = makeWorkspace(t, { "p/references/a.md": "start\n" });
  const { client } = await connect(t, root);
  const file = join(root, "p/references/a.md");
  const name = { project: "p", folder: "references", filename: "a.md" };
  let conflicts = 0;
  for (let round = 0; round < 40; round++) {
    const update = client.callTool({
      name: "update_doc",
      arguments: { ...name, mode: "append", content: `ours ${round}` },
    });
    appendFileSync(file, `theirs ${round}\n`);
    if ((await update).isError === true) conflicts++;
  }
  const text = readFileSync(file, "utf8");
  assert.equal(text.match(/^theirs \d+$/gm)?.length, 40);
  assert.equal(text.match(/^ours \d+$/gm)?.length, 40 - conflicts);
});

const TASK = { project: "p", folder: "tasks", filename: "001-a.md" };
const TASK_PATH = "p/tasks/001-a.md";

test("a status set in the frontmatter of a task is set in its Status line too, and nothing else", async (t) => {
  const body =
    "# Task: A\r\n\r\n```\r\nStatus: fake\r\n```\r\n\r\n**Status**: wip <!-- since May -->\r\n\r\nStatus: x";
  const root = makeWorkspace(t, { [TASK_PATH]: `\uFEFF${body}` });
  const { call } = await connect(t, root);
  const set = (status: string | null) => call<Answer>("update_doc", { ...TASK, frontmatter: { status } });
  const { hint } = await set("done");
  assertTells(hint, ["Status", "'done'"]);
  const expected = `\uFEFF---\r\nstatus: done\r\n---\r\n${body.replace("wip", "done")}`;
  assert.equal(readFileSync(join(root, TASK_PATH), "utf8"), expected);
  assert.equal((await set("done")).hint, undefined);
  assert.equal((await set(null)).hint, undefined);
  assert.equal(readFileSync(join(root, TASK_PATH), "utf8"), `\uFEFF${body.replace("wip", "done")}`);
});

test("of the two statuses of a task, the one that an edit changes wins", async (t) => {
  const root = makeWorkspace(t, { [TASK_PATH]: "" });
  const { call } = await connect(t, root);
  const task = (front: string | null, line: string | null) =>
    `${front === null ? "" : `---\nstatus: ${front}\n---\n`}# Task: A\n${line === null ? "" : `\nStatus: ${line}\n`}`;
  const cases: [before: string, args: object, after: string, hint?: RegExp][] = [
    // The frontmatter is kept, and the content has a newer status.
    [
      task("pending", "pending"),
      { content: task(null, "done") },
      task("done", "done"),
      /frontmatter is now 'done'/,
    ],
    [task("pending", null), { content: task(null, "wip") }, task("in-progress", "wip"), /frontmatter is now/],
    [task("pending", null), { content: task(null, "someday") }, task("someday", "someday"), /'someday'/],
    // The whole file is sent, with one of the two changed, or both.
    [
      task("pending", "pending"),
      { content: task("done", "pending") },
      task("done", "done"),
      /line now says 'done'/,
    ],
    [
      task("pending", "pending"),
      { content: task("pending", "done") },
      task("done", "done"),
      /frontmatter is now/,
    ],
    [
      task("pending", "pending"),
      { content: task("done", "blocked") },
      task("done", "done"),
      /line now says 'done'/,
    ],
    // What the caller names wins over the text.
    [
      task("pending", "pending"),
      { content: task(null, "blocked"), frontmatter: { status: "done" } },
      task("done", "done"),
      /line now says 'done'/,
    ],
    [task(null, "pending"), { frontmatter: { status: "done" } }, task("done", "done"), /line now says/],
    [task("done", "pending"), { frontmatter: { status: "done" } }, task("done", "done"), /line now says/],
    // Nothing to settle.
    [task(null, null), { frontmatter: { status: "done" } }, task("done", null)],
    [task("done", "completed"), { content: "end", mode: "append" }, `${task("done", "completed")}\nend\n`],
    [task("done", "pending"), { content: "end", mode: "append" }, `${task("done", "pending")}\nend\n`],
    [task("done", "pending"), { frontmatter: { owner: "me" } }, task("done\nowner: me", "pending")],
  ];
  for (const [before, args, after, hint] of cases) {
    writeFileSync(join(root, TASK_PATH), before);
    const answer = await call<Answer>("update_doc", { ...TASK, ...args });
    assert.equal(readFileSync(join(root, TASK_PATH), "utf8"), after);
    assert.match(answer.hint ?? "", hint ?? /^$/);
  }
});

test("the frontmatter of a task takes only the known statuses, that of other documents any", async (t) => {
  const root = makeWorkspace(t, { [TASK_PATH]: "# Task: A\n", [PATH]: "# N\n\nStatus: pending\n" });
  const { call, fail } = await connect(t, root);
  for (const status of ["on fire", "", 1, ["done"], { is: "done" }, false]) {
    const error = await fail("update_doc", { ...TASK, frontmatter: { status } });
    assert.equal(error.code, "INVALID_STATUS");
    assert.match(error.message, /pending, in-progress, review, done, blocked/);
  }
  assert.equal(readFileSync(join(root, TASK_PATH), "utf8"), "# Task: A\n");
  await call("update_doc", { ...TASK, frontmatter: { estado: "✅ Hecho" } });
  assert.equal(readFileSync(join(root, TASK_PATH), "utf8"), "---\nestado: done\n---\n# Task: A\n");
  assert.equal(
    (await call<Answer>("update_doc", { ...NAME, frontmatter: { status: "draft" } })).hint,
    undefined,
  );
  assert.equal(readFileSync(join(root, PATH), "utf8"), "---\nstatus: draft\n---\n# N\n\nStatus: pending\n");
});

test("dependencies that an edit adds and that do not exist are reported", async (t) => {
  const text = "# Task: A\n\nStatus: pending\n\n## Context\n- Dependencies: 007\n";
  const root = makeWorkspace(t, { [TASK_PATH]: text, [PATH]: text });
  const { call } = await connect(t, root);
  const edit = (content: string) => call<Answer>("update_doc", { ...TASK, section: "Context", content });
  const { missing_dependencies, hint } = await edit("- Dependencies: 007, 042, 001");
  assert.deepEqual(missing_dependencies, ["042"]);
  assert.match(hint ?? "", /no task 042/);
  assert.equal((await edit("- Dependencies: 007, 042")).missing_dependencies, undefined);
  const other = await call<Answer>("update_doc", { ...NAME, content: text.replace("007", "042") });
  assert.equal(other.missing_dependencies, undefined);
});

test("a document that does not exist is refused with create_doc and the nearest names", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { [PATH]: "x", [TASK_PATH]: "x" }));
  const missing = await fail("update_doc", { ...NAME, filename: "note.md", content: "x" });
  assert.equal(missing.code, "FILE_NOT_FOUND");
  assert.match(missing.message, /create_doc creates it\. Call list_projects/);
  assert.deepEqual(missing.details.suggestions, ["notes.md"]);
  const task = await fail("update_doc", { ...TASK, filename: 42, content: "x" });
  assert.match(task.message, /Task '42' not found.*list_tasks/);
});

test("a task goes by its number too", async (t) => {
  const root = makeWorkspace(t, { [TASK_PATH]: "x" });
  const { call } = await connect(t, root);
  for (const filename of [1, "1", "001", "001-a"]) {
    const { path } = await call<Answer>("update_doc", { ...TASK, filename, content: `${filename}` });
    assert.equal(path, TASK_PATH);
    assert.equal(readFileSync(join(root, TASK_PATH), "utf8"), `${filename}`);
  }
});

test("exact gives the file these bytes, for the version that was read", async (t) => {
  const path = "p/tasks/001-a.md";
  const before = "---\nstatus: pending\n---\n# Task: A\r\n\nStatus: pending\r\n";
  const root = makeWorkspace(t, { [path]: before });
  const { call, fail } = await connect(t, root);
  const text = () => readFileSync(join(root, path), "utf8");
  const { hash } = await call("read_doc", { path });
  const exact = { path, exact: true, expected_hash: hash };
  const content = "\uFEFF# Task: A\n\nStatus: done\r\nmixed\rends";
  for (const wrong of [
    { path, exact: true, content },
    { ...exact },
    { ...exact, content, section: "A" },
    { ...exact, content, mode: "append" },
    { ...exact, content, frontmatter: { a: 1 } },
  ])
    assert.equal((await fail("update_doc", wrong)).details["argument"], "exact");
  assert.equal(text(), before);
  const answer: Answer = await call("update_doc", { ...exact, content });
  assert.equal(text(), content);
  assert.equal((await fail("update_doc", { ...exact, content: "x" })).code, "CONFLICT");
  const next = "---\nstatus: pending\n---\n# Task: A\n\nStatus: done\n";
  await call("update_doc", { ...exact, expected_hash: answer.new_hash, content: next });
  assert.equal(text(), next);
});

test("supersedes and confirmed need no other change, and a repeat adds nothing", async (t) => {
  const [old, now] = ["p/references/old.md", "p/references/notes.md"];
  const before = { [old]: "---\nowner: max\n---\n# Old\n", [now]: "---\nreplaces: 7\n---\n# New\n" };
  const root = makeWorkspace(t, before);
  const { call, fail } = await connect(t, root, { clock: { now: () => new Date(2026, 10, 28, 10) } });
  const text = (path: string) => readFileSync(join(root, path), "utf8");
  for (const _ of [1, 2])
    await call("update_doc", { path: now, supersedes: "references/old.md", project: "p" });
  assert.equal(text(old), "---\nowner: max\nsuperseded_by: '[notes](notes.md)'\n---\n# Old\n");
  assert.equal(text(now), "---\nreplaces: [7, '[old](old.md)']\n---\n# New\n");
  await call("update_doc", { path: old, confirmed: true });
  assert.match(text(old), /^confirmed: '?2026-11-28'?$/m);
  const itself = await fail("update_doc", { path: now, supersedes: now });
  assert.equal(itself.code, "INVALID_ARGUMENT");
  assert.equal((await fail("update_doc", { path: now, confirmed: false })).code, "INVALID_ARGUMENT");
});
