import assert from "node:assert/strict";
import { test } from "node:test";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { person } from "../fixtures/terminal.ts";
import { connect, type Files, makeWorkspace, writeFiles } from "../fixtures/workspace.ts";
import { faults, faultsOf, faultsOfText, INVISIBLE, ODD, ORDER } from "./spoken.ts";

const NAME = `${ORDER}\u202E 'rm'`;
const yaml = (text: string) => JSON.stringify(`${text}\nx: ${ORDER}\u2028`);
const skip = ON_WINDOWS && "Windows has no such names";

const task = (status: string, fields = "") =>
  `---\nowner: ${yaml(`ana ${ODD}`)}\ntags: [${yaml(ODD)}]\npriority: ${yaml(ODD)}\ndue: ${yaml(ODD)}\n${fields}---\n` +
  `# Task: ${ODD}\n\nStatus: ${status}\n\n## Objective\n${ODD}\n\n` +
  `## Context\n- Related files: \`${ODD}\`\n- Dependencies: 999-${ODD}, ${ODD}\n\n` +
  `## Steps\n1. [ ] ${ODD}\n2. [x] ${ODD}\n\n## Acceptance Criteria\n- [ ] ${ODD}\n\n## ${ODD}\n[a](${ODD}.md)\n`;

const LATER = "claimed_until: 2999-01-01T00:00Z\n";
const FILES: Files = {
  [`${NAME}/tasks/001-${NAME}.md`]: task("pending"),
  [`${NAME}/tasks/002-${NAME}.md`]: task("in-progress", LATER),
  [`${NAME}/tasks/003-${NAME}.md`]: task("blocked"),
  [`${NAME}/tasks/004-done.md`]: task("done"),
  [`${NAME}/tasks/005-odd.md`]: task(`${ODD}`, `status: ${yaml(ODD)}\n`),
  [`${NAME}/tasks/006-twin.md`]: task("in-progress"),
  [`${NAME}/tasks/007-${NAME}.md`]: "# Task: Circle\n\nStatus: pending\n\n## Context\n- Dependencies: 008\n",
  [`${NAME}/tasks/008-${NAME}.md`]: "# Task: Circle\n\nStatus: pending\n",
  [`${NAME}/tasks/${NAME}.md`]: task("pending"),
  [`${NAME}/tasks/009-${NAME}.md`]: `---\na: [1\n---\n${task("pending").replace(/^---[\s\S]*?---\n/, "")}`,
  [`${NAME}/tasks/010-a-${NAME}.md`]: task("pending"),
  [`${NAME}/tasks/010-b-${NAME}.md`]: task("pending"),
  [`${NAME}/tasks/013-${NAME}.md`]: `${task("review")}\n<<<<<<< ${ODD}\n- [ ] ${ODD}\n=======\n- [x] ${ODD}\n>>>>>>> ${ODD}\n`,
  [`${NAME}/archive/tasks/011-${NAME}.md`]: task("done"),
  [`${NAME}/plans/execution-plan.md`]: `# ${ODD}\n\n## Overview\n${ODD}\n\n## Current Status\n- pending: 777-${ODD}, ${ODD}\n- done: 001-${NAME}\n\n## ${ODD}\n`,
  [`${NAME}/plans/${NAME}.md`]: `# ${ODD}\n`,
  [`${NAME}/sessions/2026-01-01-${NAME}.md`]: `# ${ODD}\n\n## Next\n${ODD}\n\n## Decisions\n${ODD}\n`,
  [`${NAME}/${NAME}/notes.md`]: `---\n${yaml(NAME)}: {${yaml(NAME)}: 1}\nstatus: ${yaml(ODD)}\n---\n# ${ODD}\n\n## ${ODD}\n[a](../tasks/${NAME}.md)\n`,
  [`${NAME}/${NAME}/bytes.md`]: Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x0a]),
  [`${NAME}/assets/${NAME}.png`]: "x",
  [`${NAME}/status.md`]: `# ${ODD}\n\n${ODD}\n`,
  "plain/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
};

const P = { project: NAME };
const taskFile = (number: string) => `${NAME}/tasks/${number}-${NAME}.md`;
const notes = { folder: NAME, filename: "notes.md" };

/** Calls of every tool that make it speak: about what it did, what is open, and what is wrong. */
const CALLS: Record<string, Record<string, unknown>[]> = {
  search: [
    { query: ORDER },
    { query: `zzqq ${ODD}` },
    { query: ODD, ...P, folder: `${NAME}s` },
    { query: "" },
  ],
  read_doc: [
    { path: taskFile("001") },
    { ...P, ...notes, section: "none" },
    { ...P, folder: NAME, filename: `${NAME}s.md` },
    { path: `${NAME}/${NAME}/bytes.md` },
    { ...P, folder: "tasks", filename: "10" },
    { path: taskFile("001"), offset: 1e6 },
    { path: taskFile("013") },
  ],
  list_projects: [{}, P, { ...P, folder: NAME }, { ...P, folder: `${NAME}s` }, { project: `${NAME}s` }],
  list_tasks: [P, { ...P, ready: true, tag: ODD }, { ...P, status: ODD }, { ...P, owner: ODD }],
  get_plan: [P, { ...P, filename: `${NAME}s` }, { ...P, filename: NAME }],
  get_briefing: [{ project: `${NAME}s` }, { here: `/${NAME}` }, { ...P, here: NAME }],
  history: [P, { path: taskFile("001") }, { path: `${NAME}/none.md` }, { ...P, change: ODD }],
  create_task: [
    { ...P, title: ODD, objective: ODD, context: { dependencies: [ODD, `998-${NAME}`] } },
    { ...P, title: ODD, objective: ODD, steps: [ODD], owner: ODD, context: { dependencies: ["12", "003"] } },
    { ...P, title: "x".repeat(400), objective: "x" },
    { ...P, title: ODD, objective: ODD, status: ODD },
    { ...P, title: ODD, objective: ODD, [ODD]: 1 },
  ],
  update_task: [
    { ...P, task: "1", done_steps: [7] },
    { ...P, task: "1", done_criteria: [7] },
    { ...P, task: "1", done_steps: [1] },
    { ...P, task: "2", done_steps: [1], agent: "bo" },
    { ...P, task: "8", dependencies: ["7", `997-${NAME}`] },
    { ...P, task: "3", title: `${NAME} 008` },
    { ...P, task: "6", title: "twin", agent: ODD },
    { ...P, task: "9", priority: "high" },
    { ...P, task: "10", priority: "high" },
    { ...P, task: ODD, priority: "high" },
    { ...P, task: "2", owner: `bo ${ODD}` },
    { ...P, task: "1", due: ODD },
    { ...P, task: "13", done_steps: [1] },
  ],
  update_task_status: [
    { ...P, task: "2", status: "done", agent: "bo" },
    { ...P, task: "5", status: "blocked" },
    { ...P, task: "9", status: "done" },
    { ...P, task: "11", status: "pending" },
    { ...P, task: "13", status: "done" },
    { ...P, task: "1", status: "review" },
    { ...P, task: `${NAME}`, status: "done" },
    { ...P, task: ODD, status: "done" },
  ],
  claim_task: [
    { ...P, agent: "bo" },
    { ...P, agent: "bo", task: "2" },
    { ...P, agent: "bo", task: "1" },
    { ...P, agent: `ana ${ODD}`, task: "3" },
    { ...P, agent: "cy", task: NAME },
    { ...P, agent: "bo", release: true },
    { ...P, agent: ODD, release: true },
    { ...P, agent: "bo", task: "11" },
    { ...P, agent: "bo", task: "4" },
    { ...P, agent: "bo", task: "9" },
    { ...P, agent: ODD.repeat(20), task: "1" },
    { ...P, agent: "bo" },
    { ...P, agent: "bo" },
    { ...P, agent: "bo", task: ODD },
  ],
  create_doc: [
    { ...P, folder: "tasks", filename: `012-${NAME}.md`, content: task("pending") },
    { ...P, ...notes, content: "x" },
    { ...P, folder: `${NAME}/../x`, filename: "x.md", content: "x" },
    { ...P, folder: NAME, filename: `${NAME}.txt`, content: "x" },
    {
      ...P,
      folder: "tasks",
      filename: `x-${NAME}.md`,
      content: `---\nstatus: ${yaml(ODD)}\n---\nStatus: done\n`,
    },
    { ...P, folder: NAME, filename: "y.md", content: "x", frontmatter: { status: ODD, [ODD]: ODD } },
  ],
  update_doc: [
    { ...P, ...notes, content: "x", section: ODD },
    { ...P, ...notes, content: "x", section: "none" },
    { ...P, ...notes, content: "x", expected_hash: "0" },
    { ...P, folder: NAME, filename: "none.md", content: "x" },
    { ...P, folder: "tasks", filename: `009-${NAME}.md`, frontmatter: { a: 1 } },
    { ...P, folder: "tasks", filename: `002-${NAME}.md`, frontmatter: { status: ODD } },
    { ...P, folder: "tasks", filename: `002-${NAME}.md`, frontmatter: { status: "blocked" } },
    { ...P, ...notes, frontmatter: { [ODD]: { [ODD]: ODD } } },
    {
      ...P,
      folder: "tasks",
      filename: `001-${NAME}.md`,
      section: "Context",
      content: `- Dependencies: 888-${ODD}`,
    },
  ],
  create_plan: [
    { ...P, content: "x" },
    { ...P, content: "x", filename: NAME, expected_hash: "0" },
  ],
  move_doc: [
    { ...P, ...notes, to_filename: `${NAME}.md`, dry_run: true },
    { ...P, ...notes, to_folder: `${NAME}/../..` },
    { ...P, ...notes, to_project: `${NAME}s` },
    { path: `${NAME}/none.md`, to_folder: NAME },
    { path: taskFile("001"), to_filename: `003-${NAME}.md` },
  ],
  delete_doc: [
    { path: `${NAME}/none.md`, expected_hash: "0" },
    { path: taskFile("008"), expected_hash: "0" },
    { ...P, ...notes, expected_hash: ODD },
  ],
  restore_doc: [
    { path: taskFile("001"), change: ODD },
    { path: `${NAME}/none.md`, change: "1" },
  ],
  archive_tasks: [
    { ...P, tasks: ["4", "2", ODD] },
    { ...P, tasks: ["2"] },
    { ...P, done_before: ODD },
    { ...P, tasks: ["11"], restore: true },
  ],
  log_session: [
    { ...P, content: ODD, suffix: NAME },
    { ...P, content: "" },
  ],
  init_project: [P, { project: `a/${NAME}` }],
  reindex: [{}, { project: `${NAME}s` }],
  vault_ls: [{ path: NAME }, { path: `${NAME}/none` }],
  vault_read: [
    { path: taskFile("001"), full: true },
    { path: taskFile("001"), range: { start_line: 900, end_line: 901 } },
    { path: `${NAME}/none.md`, full: true },
  ],
  vault_scan: [{ path: taskFile("001") }, { path: `${NAME}/none`, start_line: 1 }],
  vault_create: [
    { path: `${NAME}/${NAME}/notes.md`, content: "x" },
    { path: `${NAME}/../../${NAME}.md`, content: "x" },
  ],
  vault_replace: [
    { path: `${NAME}/${NAME}/bytes.md`, find: "a", replace: "b" },
    { path: `${NAME}/none.md`, find: "a", replace: "b" },
    { path: taskFile("001"), find: "zzz", replace: "b" },
  ],
};

test("every sentence of every tool quotes and escapes what notes and clients say", { skip }, async (t) => {
  const root = makeWorkspace(t, FILES);
  const { client } = await connect(t, root, { vault: root });
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name).filter((name) => CALLS[name] === undefined),
    [],
    "a new tool needs a line here",
  );
  const spoken = new Set<string>();
  const found: string[] = [];
  for (const [name, calls] of Object.entries(CALLS)) {
    for (const args of calls) {
      const spoke = await faultsOf(client, name, args);
      if (spoke.sentences.length > 0) spoken.add(name);
      found.push(...spoke.found);
    }
  }
  assert.deepEqual(found, []);
  assert.ok(spoken.size > 20, `only these spoke: ${[...spoken].join(", ")}`);
});

test("briefings and prompts quote and escape what notes say", { skip }, async (t) => {
  const { client, call } = await connect(t, makeWorkspace(t, FILES));
  const briefings = [undefined, "1", "2", "3", "6", "7", ORDER].map(async (focus) => {
    const { text } = await call<{ text: string }>("get_briefing", { ...P, ...(focus && { focus }) });
    return text;
  });
  const prompts = ["project_briefing", "session_start"].map(async (name) => {
    const { messages, description = "" } = await client.getPrompt({ name, arguments: P });
    const texts = messages.map(({ content }) => (content.type === "text" ? content.text : ""));
    return [description, ...texts].join("\n");
  });
  const texts = await Promise.all([...briefings, ...prompts]);
  assert.deepEqual(
    texts.flatMap((text) => faultsOfText(text, "a line of a briefing")),
    [],
  );
});

test("lists of resources and their errors quote and escape names, and addresses are the true ones", {
  skip,
}, async (t) => {
  const { client } = await connect(t, makeWorkspace(t, FILES));
  const { resources } = await client.listResources();
  const shown = resources.flatMap(({ name, title = "", description = "" }) => [name, title, description]);
  assert.deepEqual(
    shown.filter((text) => INVISIBLE.test(text) || text.includes("\n")),
    [],
  );
  for (const one of resources) await client.readResource({ uri: one.uri });
  const uri = `vibe://projects/${encodeURIComponent(NAME)}/tasks/${encodeURIComponent(`${ODD}.md`)}`;
  for (const wrong of [uri, `${uri}/x`, `vibe://projects/${encodeURIComponent(ODD)}`, ODD])
    await assert.rejects(client.readResource({ uri: wrong }), ({ message }: Error) => {
      assert.deepEqual(faults(message, wrong), []);
      return true;
    });
});

/** Calls of every command. */
const TYPED: readonly string[][] = [
  ["tasks", NAME],
  ["tasks", NAME, "--ready"],
  ["claim", "--agent", "bo"],
  ["claim", "2", "--agent", "bo"],
  ["claim", "1", "--agent", "bo"],
  ["claim", "--agent", ODD, "--release"],
  ["tick", "1", "9"],
  ["tick", "2", "1", "--agent", "bo"],
  ["status", "2", "done"],
  ["status", "x", "done"],
  ["assign", "3", "bo"],
  ["due", "2", "+3d"],
  ["priority", "9", "high"],
  ["plan", NAME],
  ["stale", NAME],
  ["show", "1"],
  ["show", "none"],
  ["move", "8", `${NAME} 9`],
  ["archive"],
  ["delete", "7", "--yes"],
  ["history"],
  ["undo", "--yes"],
  ["log", ODD],
  ["new", ODD, "--after", "777"],
  ["brief", NAME],
  ["doctor"],
  ["verify"],
  ["search", ORDER],
  ["search", ODD],
  ["projects", NAME],
  ["projects", `${NAME}s`],
  ["history", `${NAME}/tasks/001-${NAME}.md`],
  ["undo", ODD],
  ["edit", "x"],
  ["renumber", NAME],
  ["renumber", `${NAME}s`],
  ["merge", ODD, ODD, ODD],
  ["sync"],
  ["sync", ODD, "--setup"],
  ["sync", "--setup", "--branch", ODD],
  ["capture"],
  ["capture", ODD],
  ["import", "beads", ODD],
  ["init", "--project", `${NAME}s`, "--yes"],
  ["connect", ODD],
  ["plugin", ODD],
  ["plugin", "codex", ODD],
  ["completion", ODD],
  ["token", "list"],
  ["token", "new", ODD],
  ["token", "revoke", ODD],
  ["reindex"],
  ["demo", NAME],
  ["__complete", "show", "--word", NAME],
];

/** They run until they are stopped. */
const SERVERS = ["serve", "board"];

test("commands say nothing that a note could have made them say", { skip }, (t) => {
  assert.deepEqual(
    COMMANDS.map(({ name }) => name).filter(
      (name) => !TYPED.some(([command]) => command === name) && !SERVERS.includes(name),
    ),
    [],
    "a new command needs a line here",
  );
  const { root, inPipe } = person(t);
  writeFiles(root, FILES);
  const found: string[] = [];
  for (const [command = "", ...words] of TYPED) {
    const hasProject = COMMANDS.some(
      ({ name, options }) => name === command && options.some(({ flag }) => flag === "project"),
    );
    const { stdout, stderr } = inPipe([command, ...words, ...(hasProject ? ["--project", NAME] : [])]);
    const what = [command, ...words].join(" ");
    // `show` prints a note byte for byte into a pipe, and a briefing quotes in lines with `>`.
    const own = command === "show" ? [] : stdout.split("\n").filter((line) => !line.startsWith(">"));
    found.push(...own.filter((line) => INVISIBLE.test(line)).map((line) => `${what}: ${line}`));
    // A line of the log begins with the path that it is about.
    const said = stderr.split("\n").filter((line) => !line.startsWith("vibe-mcp warn: "));
    found.push(...said.flatMap((line) => faults(line, what)));
  }
  assert.deepEqual(found, []);
});
