import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const task = (title: string, status: string, dependencies = "") =>
  `# Task: ${title}\n\nStatus: ${status}\n\n## Objective\nFind the walrus.\n\n## Context\n- Dependencies: ${dependencies}\n`;

const FILES = {
  "p/tasks/001-now.md": task("Now", "pending", "002, 003, 004"),
  "p/archive/tasks/002-done.md": task("Done", "done"),
  "p/archive/tasks/003-dropped.md": task("Dropped", "pending"),
  "p/archive/tasks/q3/007-deep.md": task("Deep", "done"),
  "p/archive/reports/walrus.md": "# Walrus report",
  "p/plans/execution-plan.md": "# Plan\n\n## Current Status\n- done: 002, 007\n- pending: 001\n",
};

type Tasks = { total: number; tasks: { path: string; open_dependencies: string[]; content?: string }[] };
type Found = {
  total_matches: number;
  archived_matches?: number;
  hint?: string;
  missing_words?: string[];
  corrected_query?: string;
  results: { path: string; metadata: { type: string | null } }[];
};
type Listing = { folders: Record<string, unknown[]>; totals?: Record<string, number> };

test("tasks are listed without the archive unless it is asked for, and archived dependencies count by their status", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const present = await call<Tasks>("list_tasks", { project: "p" });
  assert.deepEqual(
    present.tasks.map(({ path, open_dependencies }) => [path, open_dependencies]),
    [["p/tasks/001-now.md", ["003", "004"]]],
  );
  const all = await call<Tasks>("list_tasks", { archived: true, include_content: true });
  assert.deepEqual(all.tasks.map(({ path }) => path).sort(), [
    "p/archive/tasks/002-done.md",
    "p/archive/tasks/003-dropped.md",
    "p/archive/tasks/q3/007-deep.md",
    "p/tasks/001-now.md",
  ]);
  assert.ok(all.tasks.every(({ content }) => content?.includes("walrus")));
});

test("numbers of archived tasks stay taken, and lead to them", async (t) => {
  const root = makeWorkspace(t, { ...FILES, "p/tasks/002-again.md": task("Again", "pending") });
  const { call } = await connect(t, root);
  const created = await call<{ task: { number: string }; missing_dependencies?: string[] }>("create_task", {
    project: "p",
    title: "New",
    objective: "x",
    context: { dependencies: ["003", "005"] },
  });
  assert.deepEqual([created.task.number, created.missing_dependencies], ["008", ["005"]]);
  const pathOf = async (filename: string | number) =>
    (await call<{ path: string }>("read_doc", { project: "p", folder: "tasks", filename })).path;
  assert.equal(await pathOf("3"), "p/archive/tasks/003-dropped.md");
  assert.equal(await pathOf(7), "p/archive/tasks/q3/007-deep.md");
  assert.equal(await pathOf("2"), "p/tasks/002-again.md");
  const set = (name: string) =>
    call<{ task: { path: string } }>("update_task_status", { project: "p", task: name, status: "blocked" });
  assert.equal((await set("2")).task.path, "p/tasks/002-again.md");
  assert.equal((await set("archive/tasks/002-done")).task.path, "p/archive/tasks/002-done.md");
  assert.equal((await set("p/archive/tasks/q3/007-deep.md")).task.path, "p/archive/tasks/q3/007-deep.md");
  assert.equal((await set("003-dropped.md")).task.path, "p/archive/tasks/003-dropped.md");
  assert.match(readFileSync(join(root, "p/archive/tasks/003-dropped.md"), "utf8"), /Status: blocked/);
});

test("search finds archived documents only by their folder", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const search = async (filter: object) => {
    const { results } = await call<Found>("search", { query: "walrus", ...filter });
    return results.map(({ path, metadata }) => [path, metadata.type]).sort();
  };
  const archived = [
    ["p/archive/reports/walrus.md", "report"],
    ["p/archive/tasks/002-done.md", "task"],
    ["p/archive/tasks/003-dropped.md", "task"],
    ["p/archive/tasks/q3/007-deep.md", "task"],
  ];
  for (const filter of [{}, { project: "p" }, { status: "pending" }])
    assert.deepEqual(await search(filter), [["p/tasks/001-now.md", "task"]]);
  assert.deepEqual(await search({ folder: "archive" }), archived);
  assert.deepEqual(await search({ folder: "archive", status: "done", project: "p" }), [
    archived[1],
    archived[3],
  ]);
});

const PACIFIC = {
  ...FILES,
  "p/references/tide.md": "# Tide\n\nThe tide is high.",
  "p/archive/references/reef.md": "# Reef\n\nThe narwhal and the narwhale met a kraken at the reef.",
  "q/archive/references/reef.md": "# Reef\n\nNo narwhal here.",
};

/** What the archive alone holds: how many documents match there, and what else the answer says. */
const ARCHIVED: [
  query: Record<string, string>,
  matches: number,
  archived: number | undefined,
  missing: string[] | undefined,
][] = [
  [{ query: "narwhal" }, 0, 2, undefined],
  [{ query: "narwhal", project: "p" }, 0, 1, undefined],
  [{ query: "narwhal kraken", project: "p" }, 0, 1, undefined],
  [{ query: "narwhal zebra" }, 0, 2, ["zebra"]],
  [{ query: "tide narwhal" }, 1, 2, undefined],
  [{ query: "tide narwhal zebra" }, 1, 2, ["zebra"]],
  [{ query: '"narwhal and the narwhale"' }, 0, 1, undefined],
  [{ query: "narwhal", status: "done" }, 0, undefined, ["narwhal"]],
  [{ query: "narwhal", folder: "references" }, 0, undefined, ["narwhal"]],
  [{ query: "tide" }, 1, undefined, undefined],
  [{ query: "walrus" }, 1, undefined, undefined],
  [{ query: "zebra" }, 0, undefined, ["zebra"]],
];
for (const [query, matches, archived, missing] of ARCHIVED) {
  test(`what only the archive holds is said: ${JSON.stringify(query)}`, async (t) => {
    const { call } = await connect(t, makeWorkspace(t, PACIFIC));
    const answer = await call<Found>("search", query);
    const said = [answer.total_matches, answer.archived_matches, answer.missing_words];
    assert.deepEqual(said, [matches, archived, missing]);
    assert.equal(answer.hint?.includes("folder archive") ?? false, archived !== undefined);
    assert.ok(answer.results.every(({ path }) => !path.includes("/archive/")));
  });
}

test("a word of the archive that is corrected to another one is said, too", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { ...PACIFIC, "p/a.md": "narwhals and narwhole" }));
  const answer = await call<Found>("search", { query: "kraken narwhale" });
  assert.equal(answer.archived_matches, 1);
  assert.equal(answer.missing_words, undefined);
});

test("a search of an archive that is still empty finds nothing", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { "p/a.md": "walrus" }));
  assert.deepEqual(
    (await call<Found>("search", { query: "walrus", folder: "archive", project: "p" })).results,
    [],
  );
  assert.deepEqual((await call<Listing>("list_projects", { project: "p", folder: "archive" })).folders, {});
});

test("list_projects and resources count archived documents, and list them only by their folder", async (t) => {
  const { call, client } = await connect(t, makeWorkspace(t, FILES));
  const { projects } = await call<{ projects: { stats: object; folders: object }[] }>("list_projects");
  const { stats, folders } = projects[0] ?? {};
  assert.deepEqual({ archive: 4, ...folders }, { ...folders });
  assert.deepEqual({ ...stats, pending_tasks: 1, done_tasks: 0, total_docs: 6 }, { ...stats });
  const listing = await call<Listing>("list_projects", { project: "p" });
  assert.deepEqual([listing.folders["archive"], listing.totals], [[], { archive: 4 }]);
  const archive = await call<Listing>("list_projects", { project: "p", folder: "archive" });
  assert.deepEqual([archive.folders["archive"]?.length, archive.totals], [4, undefined]);
  const { resources } = await client.listResources();
  assert.ok(resources.every(({ uri }) => !uri.includes("archive")));
});

test("the briefing leaves archived tasks out, and still knows them as dependencies and in the plan", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, FILES));
  const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
  assert.match(text, /waits for 003 \(pending, archived\)/);
  assert.doesNotMatch(text, /Dropped|Out of date|ready to start/);
  const { actual, drift } = await call<{ actual: object; drift: string[] }>("get_plan", { project: "p" });
  assert.deepEqual([{ ...actual, total: 1, done: 0 }, drift], [actual, []]);
  const focused = await call<{ text: string }>("get_briefing", { project: "p", focus: "003" });
  assert.match(focused.text, /Task Details[\s\S]*Dropped/);
});

test("once every task is archived, the briefing asks for new ones instead of first ones", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { "p/archive/tasks/001-a.md": task("A", "done") }));
  const { text } = await call<{ text: string }>("get_briefing", { project: "p" });
  assert.match(text, /All tasks are done/);
  assert.doesNotMatch(text, /first tasks/);
});

test("a document is written into an archive that exists, with the rules of its folder", async (t) => {
  const root = makeWorkspace(t, FILES);
  const { call } = await connect(t, root);
  const document = { project: "p", folder: "archive", filename: "tasks/009-old.md", content: "# Old\n" };
  const { hint } = await call<{ hint: string }>("create_doc", document);
  assert.match(hint, /no status/);
  assert.ok(existsSync(join(root, "p/archive/tasks/009-old.md")));
});
