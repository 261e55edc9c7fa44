import assert from "node:assert/strict";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, dateFile, makeWorkspace, temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const FILES = {
  "vibeMCP/tasks/001-a.md": "Status: pending",
  "vibeMCP/tasks/002-b.md": "Status: in-progress",
  "vibeMCP/tasks/003-c.md": "Status: done",
  "vibeMCP/tasks/004-d.md": "Status: odd",
  "vibeMCP/sessions/2025-02-08.md": "x",
  "vibeMCP/sessions/2025-02-09-debug.md": "x",
  "vibeMCP/status.md": "x",
  "vibeMCP/notes/n.md": "x",
  "empty/": "",
};

function workspace(t: Parameters<typeof makeWorkspace>[0]): string {
  const root = makeWorkspace(t, FILES);
  for (const path of Object.keys(FILES))
    if (path.endsWith(".md")) dateFile(root, path, "2025-02-09T14:30:00Z");
  return root;
}

test("list_projects counts documents, tasks and folders of every project", async (t) => {
  const root = workspace(t);
  const { call } = await connect(t, root);
  const none = {
    tasks: 0,
    plans: 0,
    sessions: 0,
    reports: 0,
    changelog: 0,
    references: 0,
    scratch: 0,
    assets: 0,
  };
  const { total, projects } = await call("list_projects");
  assert.equal(total, 2);
  assert.deepEqual(projects, [
    {
      name: "empty",
      path: join(root, "empty"),
      last_updated: null,
      stats: {
        total_docs: 0,
        open_tasks: 0,
        pending_tasks: 0,
        in_progress_tasks: 0,
        review_tasks: 0,
        cancelled_tasks: 0,
        blocked_tasks: 0,
        done_tasks: 0,
        last_session_date: null,
      },
      folders: none,
    },
    {
      name: "vibeMCP",
      path: join(root, "vibeMCP"),
      last_updated: "2025-02-09T14:30:00Z",
      stats: {
        total_docs: 8,
        open_tasks: 2,
        pending_tasks: 1,
        in_progress_tasks: 1,
        review_tasks: 0,
        cancelled_tasks: 0,
        blocked_tasks: 0,
        done_tasks: 1,
        last_session_date: "2025-02-09",
      },
      folders: { ...none, tasks: 4, sessions: 2, "": 1, notes: 1 },
    },
  ]);
});

test("counts follow changes of documents, projects and times", async (t) => {
  const root = workspace(t);
  const { call } = await connect(t, root);
  const counts = async () => {
    const { projects } = await call<{
      projects: { name: string; last_updated: string | null; stats: { total_docs: number } }[];
    }>("list_projects");
    return projects.map(({ name, last_updated, stats }) => [name, stats.total_docs, last_updated]);
  };
  const before = [
    ["empty", 0, null],
    ["vibeMCP", 8, "2025-02-09T14:30:00Z"],
  ];
  assert.deepEqual(await counts(), before);
  assert.deepEqual(await counts(), before);
  dateFile(root, "vibeMCP/status.md", "2025-02-10T08:00:00Z");
  mkdirSync(join(root, "another"));
  rmSync(join(root, "vibeMCP", "notes", "n.md"));
  assert.deepEqual(await counts(), [
    ["another", 0, null],
    ["empty", 0, null],
    ["vibeMCP", 7, "2025-02-10T08:00:00Z"],
  ]);
});

test("with a project its files are listed by folder, tasks with their status", async (t) => {
  const root = workspace(t);
  const { call, fail } = await connect(t, root);
  const answer = await call("list_projects", { project: "vibemcp" });
  const updated = "2025-02-09";
  assert.deepEqual(answer, {
    name: "vibeMCP",
    path: join(root, "vibeMCP"),
    last_updated: "2025-02-09T14:30:00Z",
    folders: {
      "": [{ filename: "status.md", updated }],
      notes: [{ filename: "n.md", updated }],
      sessions: [
        { filename: "2025-02-08.md", updated },
        { filename: "2025-02-09-debug.md", updated },
      ],
      tasks: [
        { filename: "001-a.md", status: "pending", updated },
        { filename: "002-b.md", status: "in-progress", updated },
        { filename: "003-c.md", status: "done", updated },
        { filename: "004-d.md", status: "odd", updated },
      ],
    },
    decisions: [],
  });
  const page = await call("list_projects", { project: "vibeMCP", folder: "tasks", limit: 1, offset: 2 });
  assert.deepEqual(page.folders, { tasks: [{ filename: "003-c.md", status: "done", updated }] });
  assert.deepEqual(page.totals, { tasks: 4 });
  assert.equal((await fail("list_projects", { project: "vibeMCP", folder: "taks" })).code, "INVALID_FOLDER");
});

test("a workspace that does not exist yet has no projects and is not created", async (t) => {
  const root = join(temporaryFolder(t), "missing");
  const { call, fail, workspace: opened } = await connect(t, root);
  const next = "Create one with init_project or, on the command line, `vibe-mcp init my-project`.";
  assert.deepEqual(await call("list_projects"), { total: 0, projects: [], next });
  assert.equal(((await call("search", { query: "x" })) as { total_matches: number }).total_matches, 0);
  for (const [tool, args] of [
    ["read_doc", { project: "p", filename: "x" }],
    ["read_doc", { path: "p/x.md" }],
    ["list_tasks", { project: "p" }],
    ["get_plan", { project: "p" }],
    ["get_briefing", {}],
  ] as const)
    assert.ok((await fail(tool, args)).message.endsWith(`The workspace has no project yet. ${next}`), tool);
  await opened.close();
  const { existsSync } = await import("node:fs");
  assert.equal(existsSync(root), false);
});

test("folders count documents, and every visible file in assets", async (t) => {
  const root = makeWorkspace(t, {
    "p/assets/logo.png": "x",
    "p/assets/icons/a.svg": "x",
    "p/assets/notes.md": "x",
    "p/assets/.cache/b.svg": "x",
    "p/reports/a.md": "x",
    "p/reports/a.csv": "x",
  });
  const { call, client } = await connect(t, root);
  const { projects } = await call<{ projects: { folders: object; stats: object }[] }>("list_projects");
  const [{ folders, stats } = assert.fail()] = projects;
  assert.deepEqual({ ...folders, ...stats }, { ...folders, ...stats, assets: 3, reports: 1, total_docs: 2 });
  const [content = assert.fail()] = (await client.readResource({ uri: "vibe://projects" })).contents;
  assert.deepEqual(JSON.parse("text" in content ? content.text : ""), { projects });
});

test("one project comes with its newest decisions, as its documents note them", async (t) => {
  const plan = "## Decisions\n- Fail open\n\n> quoted\n\n### Money\n- Integers\n\n## Order\nNone\n";
  const root = makeWorkspace(t, {
    "shop/plans/`odd`.md": `---\nupdated: 2026-02-01\n---\n# Odd\n${plan}`,
    "shop/sessions/2026-02-03.md": "## Decisions\n- Ship it\n",
    "shop/status.md": "# Shop\n\n## Recent Work\n\nFrom `shop/no.md` (2026-01-01):\n\n> None of this\n",
    "quiet/status.md": "# Quiet\n",
  });
  const { call } = await connect(t, root);
  assert.deepEqual((await call("list_projects", { project: "shop" }))["decisions"], [
    { path: "shop/sessions/2026-02-03.md", day: "2026-02-03", text: "- Ship it" },
    {
      path: "shop/plans/`odd`.md",
      day: "2026-02-01",
      text: "- Fail open\n\n> quoted\n\n### Money\n- Integers",
    },
  ]);
  assert.deepEqual((await call("list_projects", { project: "quiet" }))["decisions"], []);
  for (const args of [{ folder: "plans" }, { offset: 1 }])
    assert.ok(!("decisions" in (await call("list_projects", { project: "shop", ...args }))));
  writeFiles(
    root,
    Object.fromEntries(
      [1, 2, 3, 4, 5, 6].map((day) => [
        `many/sessions/2026-01-0${day}.md`,
        `## Decisions\n${`word${day} `.repeat(400)}\n`,
      ]),
    ),
  );
  const { decisions } = await call<{ decisions: { text: string; day: string }[] }>("list_projects", {
    project: "many",
  });
  assert.deepEqual(
    decisions.map(({ day }) => day),
    ["2026-01-06", "2026-01-05", "2026-01-04", "2026-01-03", "2026-01-02"],
  );
  assert.ok(decisions.every(({ text }) => text.length <= 1000));
});
