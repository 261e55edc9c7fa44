import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Caller } from "../../../src/core/history/actor.ts";
import { contentOf } from "../../../src/core/storage/read.ts";
import { change } from "../../../src/core/workspace/change/change.ts";
import type { Workspace } from "../../../src/core/workspace/workspace.ts";
import { importTasks } from "../../../src/setup/imports/import.ts";
import type { ImportedTask } from "../../../src/setup/imports/imported-task.ts";
import { someOf } from "../../fixtures/num-runs.ts";
import { type Connected, connect, type Files, makeWorkspace, PERSON } from "../../fixtures/workspace.ts";

/** Every way to change a document. */
const WAYS = [
  "create_task",
  "create_doc",
  "tool_create_doc",
  "vault_create",
  "import",
  "update_doc",
  "update_doc, exact",
  "update_doc, frontmatter",
  "update_task",
  "update_task_status",
  "tool_update_task_status",
  "vault_replace",
  "move_doc",
  "archive_tasks",
  "delete_doc",
] as const;
type Way = (typeof WAYS)[number];

type Call = (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

interface Doors {
  root: string;
  workspace: Workspace;
  /** Both throw the text of an answer that is an error. */
  v2: Call;
  v1: Call;
  imported(task: Partial<ImportedTask>): Promise<unknown>;
}

function caller({ client }: Connected): Call {
  return async (name, args) => {
    const { isError, structuredContent, content } = await client.callTool({ name, arguments: args });
    if (isError === true) throw new Error(JSON.stringify(content));
    return structuredContent as Record<string, unknown>;
  };
}

type Who = { client: string; caller?: Caller; readOnly?: boolean };

const AGENT: Who = { client: "an agent" };

async function open(t: TestContext, files: Files, who: Who = AGENT, at?: string): Promise<Doors> {
  const root = at ?? makeWorkspace(t, files);
  const v2 = await connect(t, root, who);
  const v1: Call = async (tool, args) => caller(await connect(t, root, { ...who, api: "v1" }))(tool, args);
  const task: ImportedTask = {
    ...{
      id: "1",
      title: "X",
      objective: "x",
      status: "pending",
      priority: undefined,
      owner: "",
      due: undefined,
    },
    ...{ tags: [], steps: [], criteria: [], files: [], dependencies: [], related: [], sections: [] },
    dates: {},
  };
  const imported = (given: Partial<ImportedTask>) => {
    const source = { tasks: [{ ...task, ...given }], documents: [], leftOut: [] };
    return importTasks(v2.workspace, "p", { kind: "beads", source, dryRun: false });
  };
  return { root, workspace: v2.workspace, v2: caller(v2), v1, imported };
}

/** What the files of `tasks/` and `archive/tasks/` of a project say, by path. */
function textsOf(root: string): Record<string, string> {
  const folders = ["p/tasks", "p/archive/tasks"].filter((folder) => existsSync(join(root, folder)));
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const files = paths.filter((path) => path.endsWith(".md"));
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(root, path), "utf8")]));
}

const hashOf = async (v2: Call, path: string) => String((await v2("read_doc", { path }))["hash"]);

const GATE = "---\nreview: required\n---\n# P\n";
const DONE = "# Task: X\n\nStatus: done\n\n## Objective\nx\n";
const PENDING = DONE.replace("done", "pending");

/** An agent tries to have a done task; `null` where a way cannot make one. */
const FINISHING: Record<Way, ((doors: Doors) => Promise<unknown>)[]> = {
  create_task: [({ v2 }) => v2("create_task", { project: "p", title: "X", objective: "x", status: "done" })],
  create_doc: [
    ({ v2 }) => v2("create_doc", { path: "p/tasks/003-x.md", content: DONE }),
    ({ v2 }) => v2("create_doc", { project: "p", folder: "Tasks", filename: "003-x", content: DONE }),
    ({ v2 }) => v2("create_doc", { path: "p/archive/tasks/003-x.md", content: DONE }),
    ({ v2 }) => v2("create_doc", { path: "p/tasks/3.md", content: "# X\n", frontmatter: { status: "done" } }),
  ],
  tool_create_doc: ["tasks", "Tasks", "archive/tasks", "tasks/deep"].map(
    (folder) =>
      ({ v1 }) =>
        v1("tool_create_doc", { project: "p", folder, filename: "003-x.md", content: DONE }),
  ),
  vault_create: [
    ({ v2 }) => v2("vault_create", { path: "p/tasks/003-x.md", content: DONE }),
    ({ v2 }) => v2("vault_create", { path: "p/TASKS/003-x.md", content: DONE }),
  ],
  import: [({ imported }) => imported({ status: "done" })],
  update_doc: [({ v2 }) => v2("update_doc", { path: "p/tasks/001-a.md", content: DONE })],
  "update_doc, exact": [
    async ({ v2 }) => {
      const expected_hash = await hashOf(v2, "p/tasks/001-a.md");
      return v2("update_doc", { path: "p/tasks/001-a.md", content: DONE, exact: true, expected_hash });
    },
  ],
  "update_doc, frontmatter": [
    ({ v2 }) => v2("update_doc", { path: "p/tasks/001-a.md", frontmatter: { status: "done" } }),
  ],
  update_task: [],
  update_task_status: [
    ({ v2 }) => v2("update_task_status", { project: "p", task: "1", status: "done", agent: "ana" }),
  ],
  tool_update_task_status: [
    ({ v1 }) => v1("tool_update_task_status", { project: "p", task_file: "001-a.md", new_status: "done" }),
  ],
  vault_replace: [
    ({ v2 }) => v2("vault_replace", { path: "p/tasks/001-a.md", find: "pending", replace: "done" }),
  ],
  move_doc: [
    ({ v2 }) => v2("move_doc", { path: "p/references/005-y.md", to_folder: "tasks" }),
    ({ v2 }) => v2("move_doc", { path: "p/references/005-y.md", to_folder: "archive/tasks" }),
    ({ v2 }) => v2("move_doc", { path: "q/tasks/006-z.md", to_project: "p" }),
    ({ v2 }) => v2("move_doc", { path: "q/references/007-u.md", to_project: "p", to_folder: "tasks" }),
  ],
  archive_tasks: [],
  delete_doc: [],
};

const GATED = {
  "p/archive/tasks/002-b.md": PENDING,
  "p/tasks/001-a.md": PENDING,
  "p/references/005-y.md": DONE,
  "q/tasks/006-z.md": DONE,
  // Written as UTF-16, which is read and never rewritten.
  "q/references/007-u.md": Buffer.from(`\uFEFF${DONE}`, "utf16le"),
};

test("where a review is required, no link on the disk leads around it", async (t) => {
  const LINKED = [
    ["update_doc", { path: "p/references/link.md", content: DONE }],
    ["update_doc", { path: "p/todo/001-a.md", content: DONE }],
    ["update_doc", { path: "p/todo/001-a.md", frontmatter: { status: "done" } }],
    ["create_doc", { path: "p/todo/003-x.md", content: DONE }],
    ["create_doc", { path: "p/todo/new/deep/003-x.md", content: DONE }],
    ["move_doc", { path: "p/references/005-y.md", to_folder: "todo" }],
  ] as const;
  for (const [tool, args] of LINKED) {
    const root = makeWorkspace(t, { "p/status.md": GATE, ...GATED });
    symlinkSync("../tasks/001-a.md", join(root, "p/references/link.md"));
    symlinkSync("tasks", join(root, "p/todo"));
    const { v2 } = await open(t, {}, AGENT, root);
    await v2(tool, args);
    const statuses = Object.values(textsOf(root)).map((text) => /^status: (\w+)/im.exec(text)?.[1]);
    assert.ok(
      !statuses.includes("done") && statuses.includes("review"),
      JSON.stringify([tool, args, statuses]),
    );
  }
});

test("where no review is asked for, an agent makes a task done in each way", async (t) => {
  for (const way of WAYS.filter((one) => one !== "import"))
    for (const finish of FINISHING[way].slice(0, 1)) {
      const doors = await open(t, { "p/status.md": "# P\n", ...GATED });
      await finish(doors);
      assert.ok(someText(doors, /^status: done/im), way);
    }
});

test("what was done stays done when it moves among the tasks of its project", async (t) => {
  const files = { "p/status.md": GATE, "p/tasks/001-a.md": DONE, "p/plan.md": "[[001-a]]\n" };
  const { root, v2 } = await open(t, files);
  await v2("archive_tasks", { project: "p", tasks: ["1"] });
  await v2("archive_tasks", { project: "p", tasks: ["1"], restore: true });
  await v2("move_doc", { path: "p/tasks/001-a.md", to_filename: "b" });
  assert.deepEqual(textsOf(root), { "p/tasks/001-b.md": DONE });
});

const HELD =
  "---\nowner: ana\nclaimed_until: 2999-01-01T00:00Z\n---\n# Task: A\n\nStatus: in-progress\n\n## Objective\na\n";
const TAKEN = HELD.replace("ana", "ben");
const FREED = HELD.replace("in-progress", "pending");
const GONE = HELD.replace("Status: in-progress\n", "");
/** Without a status it is no task. */
const DATED = "p/tasks/2026-03-01 x.md";

const PATH = "p/tasks/001-a.md";
const exactly = async (v2: Call, content: string) =>
  v2("update_doc", { path: PATH, content, exact: true, expected_hash: await hashOf(v2, PATH) });

/** Another agent tries to take a held task away: its owner, its claim, its status or its place. */
const TAKING: Partial<Record<Way, ((doors: Doors) => Promise<unknown>)[]>> = {
  update_doc: [TAKEN, FREED, GONE].map(
    (content) =>
      ({ v2 }) =>
        v2("update_doc", { path: PATH, content }),
  ),
  "update_doc, exact": [({ v2 }) => exactly(v2, TAKEN), ({ v2 }) => exactly(v2, FREED)],
  "update_doc, frontmatter": [{ owner: "ben" }, { claimed_until: null }, { status: "pending" }].map(
    (frontmatter) =>
      ({ v2 }) =>
        v2("update_doc", { path: PATH, frontmatter }),
  ),
  update_task: [({ v2 }) => v2("update_task", { project: "p", task: "1", owner: "ben" })],
  update_task_status: ["pending", "blocked", "review", "done"].map(
    (status) =>
      ({ v2 }) =>
        v2("update_task_status", { project: "p", task: "1", status }),
  ),
  tool_update_task_status: [
    ({ v1 }) => v1("tool_update_task_status", { project: "p", task_file: "001-a.md", new_status: "pending" }),
  ],
  vault_replace: [
    ({ v2 }) => v2("vault_replace", { path: PATH, find: "ana", replace: "ben" }),
    ({ v2 }) => v2("vault_replace", { path: PATH, find: "in-progress", replace: "blocked" }),
  ],
  move_doc: ["references", "archive/tasks"].map(
    (to_folder) =>
      ({ v2 }) =>
        v2("move_doc", { path: PATH, to_folder }),
  ),
  delete_doc: [async ({ v2 }) => v2("delete_doc", { path: PATH, expected_hash: await hashOf(v2, PATH) })],
};

test("who has the name of the holder, or adds to a held task, is not refused", async (t) => {
  const { root, v2 } = await open(t, { [PATH]: HELD, [DATED]: HELD });
  await v2("update_task_status", {
    project: "p",
    task: "1",
    status: "in-progress",
    note: "Look.",
    agent: "ben",
  });
  assert.match(textsOf(root)[PATH] ?? "", /: Look\.\n$/);
  await v2("update_task_status", { project: "p", task: "1", status: "blocked", agent: "Ana" });
  assert.match(textsOf(root)[PATH] ?? "", /Status: blocked/);
  const content = HELD.replace("Status: in-progress\n", "");
  await assert.rejects(v2("update_doc", { path: DATED, content }), /is held by .*ana/);
});

const MARKED = "# Task: A\n\n<<<<<<< HEAD\nStatus: pending\n=======\nStatus: blocked\n>>>>>>> topic\n";

/** A change inside a conflict that leaves the conflict there. */
const INSIDE: Partial<Record<Way, (doors: Doors) => Promise<unknown>>> = {
  update_doc: ({ v2 }) =>
    v2("update_doc", { path: "p/tasks/001-a.md", content: MARKED.replace("blocked", "review") }),
  "update_doc, exact": async ({ v2 }) => {
    const exact = { exact: true, expected_hash: await hashOf(v2, "p/tasks/001-a.md") };
    return v2("update_doc", { path: "p/tasks/001-a.md", content: MARKED.replace("blocked", "x"), ...exact });
  },
  update_task_status: ({ v2 }) => v2("update_task_status", { project: "p", task: "1", status: "blocked" }),
  tool_update_task_status: ({ v1 }) =>
    v1("tool_update_task_status", { project: "p", task_file: "001-a.md", new_status: "blocked" }),
  vault_replace: ({ v2 }) =>
    v2("vault_replace", { path: "p/tasks/001-a.md", find: "blocked", replace: "review" }),
};

test("each way may resolve a conflict", async (t) => {
  const { root, v2 } = await open(t, { [PATH]: MARKED });
  const [find, replace] = [MARKED.slice(MARKED.indexOf("<")), "Status: blocked\n"];
  await v2("vault_replace", { path: PATH, find, replace });
  assert.deepEqual(textsOf(root), { [PATH]: "# Task: A\n\nStatus: blocked\n" });
});

/** Where a document is made, by a path below the project `p`. */
const MAKING: Partial<Record<Way, (doors: Doors, path: string, content: string) => Promise<unknown>>> = {
  create_doc: ({ v2 }, path, content) => v2("create_doc", { path: `p/${path}`, content }),
  tool_create_doc: ({ v1 }, path, content) => {
    const [folder, ...rest] = path.split("/");
    return v1("tool_create_doc", { project: "p", folder, filename: rest.join("/"), content });
  },
  vault_create: ({ v2 }, path, content) => v2("vault_create", { path: `p/${path}`, content }),
  move_doc: ({ v2 }, path) => {
    const [to_folder, ...rest] = path.split("/");
    return v2("move_doc", { path: "p/plan.md", to_folder, to_filename: rest.join("/") });
  },
};

const LIMITS: Record<string, { path: string; content?: string; says: RegExp }> = {
  "64 folders": { path: `references/${"d/".repeat(64)}x.md`, says: /folders deep|outside/ },
  "32 MB": { path: "references/x.md", content: "x".repeat(32 * 1024 * 1024 + 1), says: /larger than 32 MB/ },
  "a name that Windows refuses": { path: "references/con.md", says: /reserved|Windows|outside/i },
};

test("no way makes a document that is too deep or too large, or has a name that Windows refuses", async (t) => {
  for (const [rule, { path, content, says }] of Object.entries(LIMITS))
    for (const [way, make] of Object.entries(MAKING)) {
      if (way === "move_doc" && content !== undefined) continue;
      const doors = await open(t, { "p/plan.md": "# P\n", "p/references/a.md": "a" });
      await assert.rejects(make(doors, path, content ?? "x"), says, `${rule}: ${way}`);
      assert.deepEqual(readdirSync(join(doors.root, "p/references")), ["a.md"], `${rule}: ${way}`);
    }
});

const ENDING: Record<string, (doors: Doors) => Promise<unknown>> = {
  fields: ({ v2 }) => v2("update_doc", { path: "p/status.md", frontmatter: { review: null } }),
  "a whole text": async ({ v2 }) =>
    v2("update_doc", {
      path: "p/status.md",
      content: "# New\n",
      exact: true,
      expected_hash: await hashOf(v2, "p/status.md"),
    }),
  vault_replace: ({ v2 }) =>
    v2("vault_replace", { path: "p/status.md", find: "review: required", replace: "review: no" }),
  move_doc: ({ v2 }) => v2("move_doc", { path: "p/status.md", to_filename: "old.md" }),
  delete_doc: async ({ v2 }) =>
    v2("delete_doc", { path: "p/status.md", expected_hash: await hashOf(v2, "p/status.md") }),
};

function settings({ root }: Pick<Doors, "root">): string | undefined {
  const file = join(root, "p/status.md");
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

type Tries = Partial<Record<Way, ((doors: Doors) => Promise<unknown>)[]>>;

interface Rule {
  files: Files;
  /** What breaks it, by way. */
  tries: Tries;
  /** Whom it does not bind. */
  free: readonly Actor[];
  isBroken(doors: Doors): boolean;
  /** What the others are told. */
  says?: RegExp;
  /** How another machine breaks it, which passed it there. */
  synced: [path: string, text: string];
}

const ACTORS = {
  "a person": PERSON,
  "the agent that holds the task": { client: "ana" },
  "another agent": AGENT,
  "a token that reads": { client: "ana", readOnly: true },
} satisfies Record<string, Who>;
type Actor = keyof typeof ACTORS;

const someText = ({ root }: Doors, pattern: RegExp) =>
  Object.values(textsOf(root)).some((text) => pattern.test(text));
const asLists = (tries: Partial<Record<Way, (doors: Doors) => Promise<unknown>>>): Tries =>
  Object.fromEntries(Object.entries(tries).map(([way, one]) => [way, [one]]));

const RULES: Record<string, Rule> = {
  "a review before done": {
    files: { "p/status.md": GATE, ...GATED },
    // The command of a person.
    tries: { ...FINISHING, import: [] },
    free: ["a person"],
    isBroken: (doors) => someText(doors, /^status: done|\0/im),
    synced: [PATH, DONE],
  },
  "a claim": {
    files: { [PATH]: HELD },
    tries: TAKING,
    free: ["a person", "the agent that holds the task"],
    isBroken: ({ root }) => textsOf(root)[PATH] !== HELD,
    says: /(?:conflict|ValueError).*is held by .*ana/is,
    synced: [PATH, TAKEN],
  },
  "the reviews of a project": {
    files: { "p/status.md": GATE },
    tries: asLists(ENDING),
    free: ["a person"],
    isBroken: (doors) => settings(doors) !== GATE,
    says: /Only a person ends the reviews/,
    synced: ["p/status.md", "# P\n"],
  },
  "an open conflict": {
    files: { [PATH]: MARKED },
    tries: asLists(INSIDE),
    free: [],
    isBroken: ({ root }) => textsOf(root)[PATH] !== MARKED,
    says: /lines 3 to 7/,
    synced: [PATH, MARKED.replace("blocked", "review")],
  },
};

for (const [name, { files, tries, free, isBroken, says = /./, synced }] of Object.entries(RULES)) {
  for (const [actor, who] of Object.entries(ACTORS)) {
    const isFree = free.includes(actor as Actor);
    const refusal = who === ACTORS["a token that reads"] ? /read.only/i : says;
    test(`${actor} ${isFree ? "may" : "cannot"} break ${name} in any way`, async (t) => {
      let doors = await open(t, files, who);
      const begun = JSON.stringify([textsOf(doors.root), settings(doors)]);
      const each = Object.entries(tries).flatMap(([way, all]) =>
        all.map((attempt) => [way, attempt] as const),
      );
      for (const [way, attempt] of someOf(each)) {
        const answer = await attempt(doors).then(JSON.stringify, String);
        assert.equal(isBroken(doors), isFree, `${way} ${attempt}: ${answer}`);
        if (!isFree) assert.match(answer, refusal, `${way} ${attempt}`);
        if (JSON.stringify([textsOf(doors.root), settings(doors)]) !== begun)
          doors = await open(t, files, who);
      }
    });
  }

  test(`${name} was kept where another machine made a change`, async (t) => {
    const doors = await open(t, files);
    const [path, text] = synced;
    const after = contentOf(Buffer.from(text));
    await change(doors.workspace, { isApproved: true }, [
      { path, before: doors.workspace.read({ path }), after },
    ]);
    assert.ok(isBroken(doors));
    assert.equal(readFileSync(join(doors.root, path), "utf8"), text);
  });
}

test("everybody may begin the reviews of a project", async (t) => {
  const { root, v2 } = await open(t, { "p/status.md": "# P\n" });
  await v2("update_doc", { path: "p/status.md", frontmatter: { review: "required" } });
  await v2("update_doc", { path: "p/status.md", content: "More.", mode: "append" });
  assert.match(settings({ root }) ?? "", /review: required[\s\S]*More/);
});

test("what an agent takes back passes the rules of any change", async (t) => {
  const files = { "p/status.md": GATE, [PATH]: DONE };
  const { root, v2 } = await open(t, files);
  const person = (await open(t, {}, PERSON, root)).v2;
  const newest = async (path: string) => {
    const { versions } = (await v2("history", { path })) as { versions: { change: string }[] };
    return String(versions[0]?.change);
  };
  const text = () => readFileSync(join(root, PATH), "utf8");
  const change = await (async () => {
    await person("update_task_status", { project: "p", task: "1", status: "pending" });
    return newest(PATH);
  })();
  for (const args of [{ change }, { change, path: PATH }])
    await assert.rejects(v2("restore_doc", args), /asks for a review/, JSON.stringify(args));
  assert.equal(text(), PENDING);
  await v2("delete_doc", { path: PATH, expected_hash: await hashOf(v2, PATH) });
  await assert.rejects(v2("restore_doc", { change, path: PATH }), /asks for a review/);
  const deleted = await newest(PATH);
  await v2("restore_doc", { change: deleted });
  assert.equal(text(), PENDING);
  await person("restore_doc", { change });
  assert.equal(text(), DONE);
  // What was done comes back as it was.
  for (const name of [{}, { path: PATH }]) {
    await v2("delete_doc", { path: PATH, expected_hash: await hashOf(v2, PATH) });
    await v2("restore_doc", { change: await newest(PATH), ...name });
    assert.equal(text(), DONE);
  }
  await v2("archive_tasks", { project: "p", tasks: ["1"] });
  await v2("restore_doc", { change: await newest(PATH) });
  assert.equal(text(), DONE);
});

test("no agent takes a task away from another one by taking back its claim", async (t) => {
  const { root, v2 } = await open(t, { "p/tasks/001-a.md": PENDING });
  await v2("claim_task", { project: "p", agent: "ana", task: "1" });
  const held = textsOf(root);
  const { versions } = (await v2("history", { project: "p" })) as { versions: { change: string }[] };
  const change = versions[0]?.change;
  const other = await open(t, {}, { client: "another agent" }, root);
  for (const args of [{ change }, { change, path: "p/tasks/001-a.md" }])
    await assert.rejects(other.v2("restore_doc", args), /is held by .*ana/);
  assert.deepEqual(textsOf(root), held);
  await (await open(t, {}, PERSON, root)).v2("restore_doc", { change });
  assert.deepEqual(textsOf(root), { "p/tasks/001-a.md": PENDING });
});
