import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { VIBE_MCP_CLOCK, writeVibeMcp } from "../../fixtures/vibe-mcp-project.ts";
import { connect, dateFile, type Files, makeWorkspace } from "../../fixtures/workspace.ts";

const task = (status: string, rest = "") => `# Task\n\nStatus: ${status}\n${rest}`;
const numbered = (count: number, text: string, from = 1): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`p/tasks/${String(from + at).padStart(3, "0")}-x.md`, text]),
  );

/** The briefing at the start of a session on project `p`. */
async function brief(t: TestContext, files: Files, focus?: string): Promise<string> {
  const { call } = await connect(t, makeWorkspace(t, files));
  const { text } = await call<{ text: string }>("get_briefing", { project: "p", ...(focus && { focus }) });
  return text;
}

test("get_briefing gives the text of session_start", async (t) => {
  const root = makeWorkspace(t, {});
  writeVibeMcp(root);
  const { client, call } = await connect(t, root, { clock: VIBE_MCP_CLOCK });
  for (const focus of [undefined, "004", "FTS5"]) {
    const args = { project: "vibeMCP", ...(focus !== undefined && { focus }) };
    const { messages } = await client.getPrompt({ name: "session_start", arguments: args });
    const content = messages[0]?.content;
    const answer = await call("get_briefing", { project: "vibemcp", focus });
    assert.deepEqual(answer, { project: "vibeMCP", text: content?.type === "text" ? content.text : "" });
  }
});

test("get_briefing costs little, is read-only, and names the projects that exist", async (t) => {
  const { client, fail } = await connect(t, makeWorkspace(t, { "alpha/": "" }), { readOnly: true });
  const tool = (await client.listTools()).tools.find(({ name }) => name === "get_briefing");
  const cost = `${tool?.name}${tool?.description}${JSON.stringify(tool?.inputSchema)}`.length / 4;
  assert.ok(cost <= 90, `${cost}`);
  const error = await fail("get_briefing", { project: "alhpa" });
  assert.equal(error.code, "PROJECT_NOT_FOUND");
  assert.deepEqual(error.details.suggestions, ["alpha"]);
});

test("a blocked task names three of its open dependencies and counts the others", async (t) => {
  const files = {
    ...numbered(5, task("pending")),
    "p/tasks/009-last.md": task("blocked", "\n## Context\n\n- Dependencies: 001, 002, 003, 004, 005\n"),
  };
  const text = await brief(t, files);
  assert.match(text, /Unblock .*: finish 001 \(pending\), .*ready.* and 003 .* and 2 more\./);
});

test("a task with all its steps checked off asks for verification", async (t) => {
  const files = { "p/tasks/001-x.md": task("in-progress", "\n## Steps\n\n- [x] one\n- [x] two\n") };
  assert.match(
    await brief(t, files),
    /Continue .* \(2\/2 steps completed\): claim_task .*\. All its steps .*verify/,
  );
  const open = { "p/tasks/001-x.md": task("in-progress", "\n## Steps\n\n- [x] one\n- [ ]\n") };
  assert.doesNotMatch(await brief(t, open), /checked off/);
});

test("when all tasks are done, the next step is to agree on what comes next", async (t) => {
  const text = await brief(t, numbered(2, task("done")));
  assert.match(text, /\d\. All tasks are done/);
  assert.doesNotMatch(
    await brief(t, { ...numbered(2, task("done")), ...numbered(1, task("blocked"), 3) }),
    /All tasks/,
  );
});

test("twenty tasks of each status are shown, ten without a standard one, and the others counted", async (t) => {
  const text = await brief(t, {
    ...numbered(23, task("in-progress", "\n## Objective\n\nFor a reason.\n")),
    ...numbered(24, task("someday"), 100),
  });
  assert.match(text, /^And 3 more\. .*list_tasks/m);
  assert.match(text, /^And 14 more\. .*list_tasks/m);
  assert.match(text, /\*\*Objective:\*\*\n> For a reason\./);
});

test("an ambiguous, an unclear and a missing dependency say so", async (t) => {
  const files = {
    "p/tasks/001-a.md": task("done"),
    "p/tasks/deep/001-b.md": task("pending"),
    "p/tasks/002-c.md": task("someday"),
    "p/tasks/003-d.md": task("blocked", "\n## Context\n\n- Dependencies: 001, 002, 004\n"),
  };
  const text = await brief(t, files);
  assert.match(text, /\*\*Depends on:\*\* “001” \(\w+\), 002 \(status unclear\), “004” \(no such task\)/);
});

test("a focus that matches nothing says so", async (t) => {
  const text = await brief(t, { "p/notes.md": "# Notes\n" }, "tasks/");
  assert.match(text, /^Focus: “tasks\/”$/m);
  assert.match(text, /No task .*nothing .*“tasks\/”\./);
});

test("a focus in the text above the first heading is shown without a heading", async (t) => {
  const text = await brief(t, { "p/notes.md": "The axolotl smiles.\n\n# Later\n\nNothing.\n" }, "axolotl");
  assert.match(text, /### `p\/notes\.md` - [^\n]*\n\n> The axolotl smiles\./);
});

test("an empty session note is called empty, and a long list of folders is shortened", async (t) => {
  const folders = Array.from({ length: 22 }, (_, at) => [`p/f${10 + at}/a.md`, "x"]);
  const sessions = {
    "p/sessions/2025-01-02.md": "# Session\n\nx\n",
    "p/sessions/2025-01-01.md": "# Session\n",
  };
  const text = await brief(t, { ...Object.fromEntries(folders), ...sessions });
  assert.match(text, /### 2025-01-01 \(`p\/sessions\/2025-01-01\.md`\)\n\n\(empty\)/);
  assert.match(text, / 1, …\)$/m);
});

const PLAN = "# Plan\n\n## Current Status\nAs of May.\n- done: 001\n- pending: 002\n\n## Next\nShip it.\n";

test("a plan that agrees with the tasks is quoted whole", async (t) => {
  const files = { "p/tasks/001-a.md": task("done"), "p/tasks/002-b.md": task("pending") };
  const text = await brief(t, { ...files, "p/plans/execution-plan.md": PLAN });
  assert.ok(text.includes("> - done: 001\n> - pending: 002\n"), text);
  assert.ok(!text.includes("Out of date"));
});

/** A plan under Current Status as written, and as quoted with the tasks 001 (done), 002 (done) and 003 (pending). */
const STALE: [lines: string, quoted: string][] = [
  ["- done: 001, 002\n- pending: 003", "> - done: 001, 002\n> - pending: 003"],
  [
    "As of May.\n- done: 001\n- pending: 002, 003\nAsk Ana.",
    "> As of May.\n> - done: 001\n> - pending: 002, 003\n(**Out of date**: listed under pending, but done: 002.)\n> Ask Ana.",
  ],
  [
    "- done: 2\n- pending: 4\n  (waits for legal: ask Ana)",
    "> - done: 2\n> - pending: 4\n(**Out of date**: pending: 4 in the plan, 1 in fact.)\n>   (waits for legal: ask Ana)",
  ],
  [
    "- done: 001, 002, 042",
    "(**Out of date**: pending, but not listed: 003.)\n> # Plan\n>\n> ## Current Status\n> - done: 001, 002, 042\n(**Out of date**: listed under done, but no such task: 042.)",
  ],
  [
    "- done: 2\n- blocked: the vendor has not answered, ask Bo on Friday",
    "> - done: 2\n> - blocked: the vendor has not answered, ask Bo on Friday",
  ],
];
for (const [lines, quoted] of STALE) {
  test(`a plan is quoted whole, and marked where it is out of date: ${JSON.stringify(lines)}`, async (t) => {
    const files = {
      "p/tasks/001-a.md": task("done"),
      "p/tasks/002-b.md": task("done"),
      "p/tasks/003-c.md": task("pending"),
    };
    const plan = `# Plan\n\n## Current Status\n${lines}\n\n## Next\nShip it.\n`;
    const text = await brief(t, { ...files, "p/plans/execution-plan.md": plan });
    const shown = text.slice(text.indexOf("## Execution Plan"), text.indexOf("## Active Tasks"));
    assert.ok(shown.includes(quoted), shown);
    assert.ok(shown.includes("> # Plan\n") && shown.includes("> ## Next\n> Ship it.\n"), shown);
    assert.equal(shown.includes("Out of date"), quoted.includes("Out of date"));
  });
}

test("many differences of a line are counted", async (t) => {
  const files = Object.fromEntries(
    ["one", "two", "three", "four", "five"].map((status, at) => [`p/tasks/00${at + 1}-x.md`, task(status)]),
  );
  const plan = "## Current Status\n- done: 001, 002, 003, 004, 005\n";
  const text = await brief(t, { ...files, "p/plans/execution-plan.md": plan });
  assert.match(text, /'one': 001; .*'two': 002; .*'three': 003; and 2 more differences\.\)\n/);
});

test("a focus names a task by its number, name or path", async (t) => {
  const files = { "p/tasks/003-add-login.md": task("pending"), "p/tasks/030-other.md": task("pending") };
  const { call } = await connect(t, makeWorkspace(t, files));
  for (const focus of ["003", "3", 3, "#3", "003-add-login", "tasks/003-add-login.md"]) {
    const { text } = await call<{ text: string }>("get_briefing", { project: "p", focus });
    assert.match(text, /^Focus: Task 003 - /m);
  }
});

/** Notes as another program may leave them: long texts, long lines, steps without end. */
const LONG = {
  paragraphs: "A paragraph that goes on for a while.\n\n".repeat(500),
  "one line": "word ".repeat(4_000),
  quotes: 'A "long" line \\ of text.\n'.repeat(800),
  steps: `## Steps\n${"- [ ] a step that takes a day\n".repeat(300)}`,
};
for (const [kind, long] of Object.entries(LONG)) {
  test(`a briefing has 3,000 tokens or as many as it may, with the work in progress: ${kind}`, async (t) => {
    const steps = "\n## Steps\n1. [x] one\n2. [ ] two\n3. [ ] three\n";
    const work = (n: number) =>
      task(
        "in-progress",
        `\n## Objective\nDo number ${n}.\n${steps}\n## Context\n- Dependencies: 009\n\n## Notes\n${long}`,
      );
    const { call } = await connect(
      t,
      makeWorkspace(t, {
        "p/tasks/001-a.md": work(1),
        "p/tasks/002-b.md": work(2),
        "p/tasks/009-z.md": task("pending"),
        "p/status.md": `# P\n\n${long}`,
        "p/plans/execution-plan.md": `# Plan\n\n${long}`,
        "p/sessions/2026-01-01.md": `## Done\n${long}`,
        ...numbered(100, task("done"), 100),
      }),
    );
    for (const max_tokens of [undefined, 300, 800, 3_000, 9_000]) {
      const { text } = await call<{ text: string }>("get_briefing", { project: "p", max_tokens });
      assert.ok(text.length <= 4 * (max_tokens ?? 3_000), `${max_tokens}: ${text.length}`);
      if (max_tokens !== undefined && max_tokens < 3_000) continue;
      for (const part of ["Do number 1.", "Do number 2.", "009 (pending)", "2. two", "3. three"])
        assert.ok(text.includes(part), `${max_tokens}: ${part}`);
      assert.match(text, /read_doc: path `p\/tasks\/001-a\.md`/);
      assert.doesNotMatch(text, /1\. one/);
    }
  });
}

test("a small project is briefed in full, and a smaller budget than 300 tokens is refused", async (t) => {
  const files = { "p/tasks/001-a.md": task("in-progress", "\n## Notes\nThe whole text.\n") };
  const { call, fail } = await connect(t, makeWorkspace(t, files));
  const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
  assert.match(text, /> The whole text\./);
  assert.equal((await fail("get_briefing", { project: "p", max_tokens: 299 })).code, "INVALID_ARGUMENT");
});

test("a status page that cannot be whole has the room that nothing else needs", async (t) => {
  const page = (lines: number) => `# P\n\n${"A line of the page.\n".repeat(lines)}`;
  const lengths: number[] = [];
  for (const lines of [1_000, 300]) {
    const text = await brief(t, { "p/status.md": page(lines), "p/notes.md": "# Notes\n" });
    assert.equal(text.includes("(Shortened: "), lines === 1_000);
    lengths.push(text.length);
  }
  const [short = 0, whole = 0] = lengths;
  assert.ok(short > 11_000 && whole > 6_000, `${lengths}`);
});

test("overdue tasks come first and are marked; priority, due date and claim are shown", async (t) => {
  const of = (fields: string, status = "pending") => `---\n${fields}\n---\n# Task: T\n\nStatus: ${status}\n`;
  const root = makeWorkspace(t, {
    "p/tasks/001-high.md": of("priority: high\ndue: 2026-03-01"),
    "p/tasks/002-late.md": of("priority: low\ndue: 2026-02-28"),
    "p/tasks/003-now.md": of("owner: ana\nclaimed_until: 2026-03-01T13:00Z", "in-progress"),
    "p/tasks/004-lapsed.md": of("owner: ben\nclaimed_until: 2026-03-01T11:00Z", "in-progress"),
  });
  const { call } = await connect(t, root, { clock: { now: () => new Date("2026-03-01T12:00:00Z") } });
  const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
  assert.match(text, /1\. 002 - .T. \(ready, low priority, overdue since 2026-02-28\)/);
  assert.match(text, /2\. 001 - .T. \(ready, high priority, due 2026-03-01\)/);
  assert.match(text, /\*\*Owner:\*\* .ana., claimed until 2026-03-01T13:00Z/);
  assert.match(text, /\*\*Owner:\*\* .ben., .* 2026-03-01T11:00Z/);
});

test("a task that another agent holds is offered to that agent alone, and free ones are to be claimed", async (t) => {
  const of = (fields: string, status = "pending") =>
    `---\n${fields}\n---\n# Task: T\n\nStatus: ${status}\n\n## Steps\n- [ ] Go\n`;
  const actionsFor = async (files: Record<string, string>) => {
    const paths = Object.entries(files).map(([name, text]) => [`p/tasks/${name}.md`, text]);
    const root = makeWorkspace(t, Object.fromEntries(paths));
    const { call } = await connect(t, root, { clock: { now: () => new Date("2026-03-01T12:00:00Z") } });
    const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
    assert.doesNotMatch(text, /waits for \)/);
    return text.slice(text.indexOf("## Suggested Actions")).split("\n");
  };
  const held = await actionsFor({
    "007-a": of("owner: bo\nclaimed_until: 2026-03-01T13:00Z", "in-progress"),
  });
  assertTells(held[2], ["1", "007", "bo", "2026-03-01T13:00Z", "007", "T", "0/1", "Go"]);
  const free = await actionsFor({
    "001-a": of("owner: ana"),
    "002-b": of("owner: bo\nclaimed_until: 2026-03-01T11:00Z", "in-progress"),
    "003-c": of("owner: cy\nclaimed_until: 2026-03-01T13:00Z"),
    "004-d": of("x: 1"),
  });
  assert.match(
    free[2] ?? "",
    /^1\. Continue 002 - .* completed\): claim_task with project `p`, task `002`\./,
  );
  assertTells(free[3] ?? "", ["2", "004", "T", "claim_task", "p", "004", "Go"]);
  const assigned = await actionsFor({ "001-a": of("owner: ana") });
  assertTells(assigned[2] ?? "", ["1", "ana", "001", "T", "claim_task"]);
  const only = await actionsFor({ "003-c": of("owner: cy\nclaimed_until: 2026-03-01T13:00Z") });
  assertTells(only[2] ?? "", ["1", "003", "cy", "003"]);
});

test("all days of a briefing are those of one time zone", async (t) => {
  const zone = process.env["TZ"];
  process.env["TZ"] = "Pacific/Kiritimati";
  t.after(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });
  const claimed = "owner: bo\nclaimed_until: 2026-11-23T12:00Z";
  const root = makeWorkspace(t, { "p/tasks/001-a.md": `---\n${claimed}\n---\n# A\n\nStatus: in-progress\n` });
  dateFile(root, "p/tasks/001-a.md", "2026-11-23T11:00:00Z");
  const { call } = await connect(t, root, { clock: { now: () => new Date("2026-11-23T11:30:00Z") } });
  const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
  assert.match(text, /As of 2026-11-24\./);
  assert.match(text, /Last updated:\*\* 2026-11-24\n/);
  assert.match(text, /claimed until 2026-11-24T02:00\+14:00/);
  assert.doesNotMatch(text.replace(/^>.*$/gm, ""), /2026-11-23/);
});
