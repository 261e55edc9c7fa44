import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { localDate } from "../../../src/core/lib/clock.ts";
import { connectHttp, READ_TOKEN, type Served, serveHttp } from "../../fixtures/http.ts";
import { answers, startV1, type V1 } from "../../fixtures/v1-client.ts";
import { dateFile, type Files, writeFiles } from "../../fixtures/workspace.ts";

/** An example as the two documents print it, with the files it speaks of. */
interface Example {
  name: string;
  files?: Files;
  /** When the files were written; local time. */
  date?: string;
  run: (server: V1, t: TestContext) => Promise<void>;
}

const project = "vibeMCP";

const SETUP = `---
type: task
status: in-progress
updated: 2025-02-09
tags: [backend, mcp]
owner: max
---
# Task: Setup

Status: in-progress

## Objective
`;

const QUERIES: Files = {
  "vibeMCP/references/a.md": "# A\n\nThe user authentication of the api takes a token; auth is new.\n",
  "vibeMCP/references/b.md": "# B\n\nAuthentication of a user, in a session; auth is deprecated.\n",
  "vibeMCP/references/c.md": "# C\n\n## Objective\n\nAuthorize nobody.\n",
};

const found = (query: string, names: string): Example => ({
  name: `search ${query}`,
  files: QUERIES,
  run: async ({ answer }) => {
    const results = (await answer("search", { query })) as { document_path: string }[];
    const paths = results.map(({ document_path }) => document_path.replace("vibeMCP/references/", ""));
    assert.equal(paths.sort().join(" "), names);
  },
});

/** A task of so many words before and after those that are looked for. */
const longTask = (words: string) => {
  const filler = Array.from({ length: 60 }, (_, at) => `word${at}`).join(" ");
  return `# Task: Setup\n\nStatus: done\n\n## Objective\n\n${filler} ${words} ${filler}\n`;
};

const searched: Example = {
  name: "what search answers",
  files: { "vibeMCP/tasks/007-auth.md": longTask("implement bearer token authentication for") },
  run: async ({ answer }) => {
    const asked = { query: '"bearer token"', project: null, limit: 20 };
    const [first, ...rest] = (await answer("search", asked)) as Answer[];
    assert.deepEqual(rest, []);
    const { score, snippet, ...result } = first ?? assert.fail();
    assert.deepEqual(result, {
      project_name: "vibeMCP",
      document_path: "vibeMCP/tasks/007-auth.md",
      folder: "tasks",
      heading: "## Objective",
    });
    assert.match(
      String(snippet),
      /^\.\.\.(?:\S+ )*implement >>>bearer token<<< authentication for .*\.\.\.$/,
    );
    assert.ok(String(snippet).split(/\s+/).length <= 64);
    assert.ok(typeof score === "number" && score > 0);
  },
};

type Answer = Record<string, unknown>;

const readDoc: Example = {
  name: "reference: read_doc answers a document",
  files: { "vibeMCP/tasks/001-setup.md": SETUP },
  run: async ({ answer }) => {
    const document = await answer("read_doc", { project, folder: "tasks", filename: "001-setup.md" });
    assert.deepEqual(document, {
      project: "vibeMCP",
      folder: "tasks",
      filename: "001-setup.md",
      path: "vibeMCP/tasks/001-setup.md",
      metadata: {
        type: "task",
        status: "in-progress",
        updated: "2025-02-09",
        tags: ["backend", "mcp"],
        owner: "max",
      },
      content: SETUP,
      exists: true,
      error: null,
    });
  },
};

const FOUR_TASKS = Object.fromEntries([1, 2, 3, 4].map((n) => [`vibeMCP/tasks/00${n}-a.md`, "# Task: A\n"]));

const IMPLEMENT_AUTH = {
  project,
  title: "Implement Auth",
  objective: "Add authentication to the API endpoints",
  steps: ["Install dependencies", "Create auth middleware", "Add tests"],
};

const createdTask: Example = {
  name: "reference: tool_create_task answers the next number",
  files: FOUR_TASKS,
  run: async ({ answer, root }) => {
    assert.deepEqual(await answer("tool_create_task", IMPLEMENT_AUTH), {
      status: "created",
      task_number: 5,
      filename: "005-implement-auth.md",
      path: "vibeMCP/tasks/005-implement-auth.md",
      absolute_path: join(root, "vibeMCP", "tasks", "005-implement-auth.md"),
    });
    const text = `# Task: Implement Auth

Status: pending

## Objective
Add authentication to the API endpoints

## Steps
1. [ ] Install dependencies
2. [ ] Create auth middleware
3. [ ] Add tests
`;
    assert.equal(readFileSync(join(root, "vibeMCP/tasks/005-implement-auth.md"), "utf8"), text);
  },
};

/** Runs what depends on the day, again when the day ends meanwhile. */
async function today(run: (date: string) => Promise<void>): Promise<void> {
  const date = localDate(new Date());
  await run(date).catch((error) => (localDate(new Date()) === date ? Promise.reject(error) : today(run)));
}

const session = (
  name: string,
  check: (server: V1, date: string, file: string) => Promise<void>,
): Example => ({
  name,
  files: { "vibeMCP/": "" },
  run: (server) =>
    today((date) => check(server, date, join(server.root, "vibeMCP", "sessions", `${date}.md`))),
});

const logged = session("reference: tool_log_session creates", async ({ answer, root }, date, file) => {
  assert.deepEqual(await answer("tool_log_session", { project, content: "Your content here..." }), {
    status: "created",
    date,
    path: `vibeMCP/sessions/${date}.md`,
    absolute_path: join(root, "vibeMCP", "sessions", `${date}.md`),
  });
  assert.equal(readFileSync(file, "utf8"), `# Session Log - ${date}\n\nYour content here...\n`);
});

const updated: Example = {
  name: "reference: tool_update_task_status",
  files: { "vibeMCP/tasks/001-setup.md": "# Task: Setup\n\nStatus: pending\n" },
  run: async ({ answer, root }) => {
    const request = { project, task_file: "001-setup.md", new_status: "done" };
    assert.deepEqual(await answer("tool_update_task_status", request), {
      status: "updated",
      new_status: "done",
      path: "vibeMCP/tasks/001-setup.md",
      absolute_path: join(root, "vibeMCP", "tasks", "001-setup.md"),
    });
    const text = readFileSync(join(root, "vibeMCP/tasks/001-setup.md"), "utf8");
    assert.equal(text, "# Task: Setup\n\nStatus: done\n");
  },
};

const tasksOf = (statuses: Record<string, number>) =>
  Object.entries(statuses).flatMap(([status, count]) =>
    Array.from({ length: count }, (_, n) => [
      `vibeMCP/tasks/${status}-${n}.md`,
      `# Task: A\n\nStatus: ${status}\n`,
    ]),
  );

const filesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, n) => [`vibeMCP/${folder}/${n}.md`, "# A\n"]);

const THREE_PROJECTS: Files = {
  ...Object.fromEntries(tasksOf({ pending: 3, "in-progress": 2, blocked: 1, done: 6 })),
  ...Object.fromEntries([...filesOf("plans", 2), ...filesOf("reports", 1), ...filesOf("references", 3)]),
  ...Object.fromEntries(filesOf("sessions", 8)),
  "demo-api/": "",
  "demo-frontend/": "",
};

async function textOf({ client }: V1, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  assert.equal(content?.mimeType, "text/markdown");
  return "text" in content ? content.text : assert.fail();
}

async function promptOf({ client }: V1, name: string): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: { project } });
  const [message] = messages;
  return message?.content.type === "text" ? message.content.text : assert.fail();
}

const task = (status: string, objective: string) =>
  `# Task: A\n\nStatus: ${status}\n\n## Objective\n${objective}\n\n## Steps\n1. [ ] One\n`;

const BRIEFED: Files = {
  "vibeMCP/status.md":
    "Working on Phase 1 - Core MCP implementation.\nIndexer complete, now implementing tools.\n",
  "vibeMCP/plans/execution-plan.md": "# Execution Plan\n\n## Phase 1\nTools.\n",
  "vibeMCP/tasks/006-done.md": task("done", "Long past"),
  "vibeMCP/tasks/007-auth.md": task("in-progress", "Add bearer token authentication"),
  "vibeMCP/tasks/008-deploy.md": task("blocked", "Set up VPS deployment"),
  "vibeMCP/tasks/009-cursor.md": task("pending", "Configure Cursor MCP client"),
  "vibeMCP/sessions/2025-02-08.md":
    "# Session Log - 2025-02-08\n\n## Lo que hice\nCompleted indexer module\n\n## Bloqueado por\nWaiting for FastMCP update\n",
  "vibeMCP/sessions/2025-02-09.md":
    "# Session Log - 2025-02-09\n\n## Done\nImplemented search tool with FTS5 ranking\n\n## Next\nAdd write tools\n",
};

const refused = (name: string, args: [string, Record<string, unknown>], message: string): Example => ({
  name: `answers ${message}`,
  files: { "vibeMCP/tasks/001-setup.md": "# Task: Setup\n" },
  run: async ({ error }) => assert.equal(await error(...args), message, name),
});

const readOnly: Example = {
  name: "a write in read-only mode",
  files: { "vibeMCP/tasks/001-setup.md": "# Task: Setup\n\nnarwhal\n" },
  run: async ({ root }, t) => {
    const { answer, error, client } = await startV1(t, { root, args: ["--read-only"] });
    const message = "AuthError: Server is in read-only mode";
    for (const name of [
      "tool_create_task",
      "tool_init_project",
      "tool_log_session",
      "tool_reindex",
      "vault_create",
    ])
      assert.equal(await error(name, { project }), message, name);
    assert.equal(((await answer("search", { query: "narwhal" })) as unknown[]).length, 1);
    const { tools } = await client.listTools();
    assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint));
    assert.match(client.getInstructions() ?? "", /read-only/);
  },
};

const served = (name: string, check: (server: Served, t: TestContext) => Promise<void>): Example => ({
  name,
  files: { "vibeMCP/tasks/001-setup.md": "# Task: Setup\n\nnarwhal\n" },
  run: async ({ root }, t) => check(await serveHttp(t, ["--root", root, "--api", "v1"]), t),
});

// The order is that of the documents.
const API_REFERENCE: Example[] = [
  found("authentication", "a.md b.md"),
  found('"user authentication"', "a.md"),
  found("auth AND token", "a.md"),
  found("auth OR session", "a.md b.md"),
  found("auth NOT deprecated", "a.md"),
  found("auth*", "a.md b.md c.md"),
  found("heading:objective", "c.md"),
  found("content:api", "a.md"),
  searched,
  readDoc,
  {
    name: "read_doc answers a document that is not there",
    files: { "vibeMCP/": "" },
    run: async ({ answer }) => {
      assert.deepEqual(await answer("read_doc", { project, folder: "tasks", filename: "999-missing.md" }), {
        project: "vibeMCP",
        folder: "tasks",
        filename: "999-missing.md",
        path: "vibeMCP/tasks/999-missing.md",
        metadata: null,
        content: null,
        exists: false,
        error: "Document not found",
      });
    },
  },
  {
    name: "list_tasks",
    files: {
      "vibeMCP/tasks/001-setup.md":
        "---\nowner: max\nupdated: 2025-02-08\n---\n# Task: Setup\n\nStatus: done\n",
      "vibeMCP/tasks/002-indexer.md": "---\nupdated: 2025-02-09\n---\n# Task: B\n\nStatus: in-progress\n",
    },
    run: async ({ answer }) => {
      assert.deepEqual(await answer("list_tasks"), [
        {
          project_name: "vibeMCP",
          path: "vibeMCP/tasks/001-setup.md",
          filename: "001-setup.md",
          status: "done",
          owner: "max",
          updated: "2025-02-08",
        },
        {
          project_name: "vibeMCP",
          path: "vibeMCP/tasks/002-indexer.md",
          filename: "002-indexer.md",
          status: "in-progress",
          owner: null,
          updated: "2025-02-09",
        },
      ]);
    },
  },
  {
    name: "get_plan answers a plan",
    files: { "vibeMCP/plans/execution-plan.md": "# Execution Plan\n\n## Phase 1\n..." },
    date: "2025-02-09T12:00:00",
    run: async ({ answer }) => {
      assert.deepEqual(await answer("get_plan", { project }), {
        project: "vibeMCP",
        filename: "execution-plan.md",
        path: "vibeMCP/plans/execution-plan.md",
        exists: true,
        metadata: { type: "plan", updated: "2025-02-09" },
        content: "# Execution Plan\n\n## Phase 1\n...",
      });
    },
  },
  {
    name: "get_plan answers a plan that is not there",
    files: { "vibeMCP/": "" },
    run: async ({ answer }) => {
      assert.deepEqual(await answer("get_plan", { project }), {
        project: "vibeMCP",
        filename: "execution-plan.md",
        path: "vibeMCP/plans/execution-plan.md",
        exists: false,
        metadata: null,
        content: null,
      });
    },
  },
  createdTask,
  logged,
  session("tool_log_session appends", async ({ answer, root }, date, file) => {
    await answer("tool_log_session", { project, content: "Earlier content..." });
    assert.deepEqual(await answer("tool_log_session", { project, content: "New content appended here..." }), {
      status: "appended",
      date,
      path: `vibeMCP/sessions/${date}.md`,
      absolute_path: join(root, "vibeMCP", "sessions", `${date}.md`),
    });
    const text = readFileSync(file, "utf8").replace(/\*\*\d\d:\d\d:\d\d\*\*/, "**14:30:15**");
    assert.equal(
      text,
      `# Session Log - ${date}

Earlier content...

---
**14:30:15**

New content appended here...
`,
    );
  }),
  updated,
  {
    name: "tool_create_doc",
    files: { "vibeMCP/": "" },
    run: async ({ answer, root }) => {
      const request = { project, folder: "references", filename: "api-spec", content: "# API\r\n" };
      assert.deepEqual(await answer("tool_create_doc", request), {
        status: "created",
        path: "vibeMCP/references/api-spec.md",
        absolute_path: join(root, "vibeMCP", "references", "api-spec.md"),
      });
      assert.equal(readFileSync(join(root, "vibeMCP/references/api-spec.md"), "utf8"), "# API\r\n");
    },
  },
  {
    name: "tool_reindex",
    files: Object.fromEntries(filesOf("reports", 42)),
    run: async ({ answer }) =>
      assert.deepEqual(await answer("tool_reindex"), { status: "reindexed", document_count: 42 }),
  },
  {
    name: "vibe://projects",
    files: THREE_PROJECTS,
    date: "2025-02-09T12:00:00",
    run: async (server) => {
      dateFile(server.root, "vibeMCP/plans/1.md", "2025-02-09T14:30:00");
      const text = await textOf(server, "vibe://projects");
      assert.ok(text.startsWith("# Vibe Projects\n\nTotal projects: 3\n\n## demo-api\n"));
      const vibeMcp = `## vibeMCP
- Path: \`${join(server.root, "vibeMCP")}\`
- Last updated: 2025-02-09T14:30:00
- Open tasks: 5
- Last session: 2025-02-09T12:00:00
- Files: tasks=12, plans=2, sessions=8, reports=1, references=3
`;
      assert.ok(text.includes(`\n\n${vibeMcp}`), text);
    },
  },
  {
    name: "vibe://projects/{name}",
    files: THREE_PROJECTS,
    date: "2025-02-09T14:30:00",
    run: async (server) => {
      const text = await textOf(server, "vibe://projects/vibeMCP");
      assert.equal(
        text.replace(/(\*\*Created:\*\* )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\n/, "$12025-01-15T10:00:00\n"),
        `# Project: vibeMCP

**Path:** \`${join(server.root, "vibeMCP")}\`
**Created:** 2025-01-15T10:00:00
**Updated:** 2025-02-09T14:30:00

## Available Folders

- \`tasks/\` (12 files)
- \`plans/\` (2 files)
- \`sessions/\` (8 files)
- \`reports/\` (1 file)
- \`references/\` (3 files)

## Task Status

- pending: 3
- in-progress: 2
- blocked: 1
- done: 6
`,
      );
    },
  },
  {
    name: "vibe://projects/{name}/{folder}/{file}",
    files: { "vibeMCP/tasks/001-setup.md": "# Task: Setup Project\n\nStatus: done\n\n## Objective\n...\n" },
    run: async (server) => {
      assert.equal(
        await textOf(server, "vibe://projects/vibeMCP/tasks/001-setup.md"),
        `# 001-setup.md

**Project:** vibeMCP
**Folder:** tasks
**Path:** \`vibeMCP/tasks/001-setup.md\`

---

# Task: Setup Project

Status: done

## Objective
...
`,
      );
    },
  },
  {
    name: "project_briefing",
    files: BRIEFED,
    run: async (server) => {
      assert.equal(
        await promptOf(server, "project_briefing"),
        `# Project Briefing: vibeMCP

## Current Status
Working on Phase 1 - Core MCP implementation.
Indexer complete, now implementing tools.

## Active Tasks

- **[in-progress]** 007-auth.md: Add bearer token authentication
- **[blocked]** 008-deploy.md: Set up VPS deployment
- **[pending]** 009-cursor.md: Configure Cursor MCP client

## Recent Sessions

### 2025-02-09

**Done:** Implemented search tool with FTS5 ranking
**Next:** Add write tools

### 2025-02-08

**Done:** Completed indexer module
**Blocked by:** Waiting for FastMCP update
`,
      );
    },
  },
  {
    name: "session_start holds the six things that are listed",
    files: BRIEFED,
    run: async (server) => {
      const text = (await promptOf(server, "session_start")).replaceAll(/^> ?/gm, "");
      const { [`vibeMCP/tasks/006-done.md`]: _, "vibeMCP/sessions/2025-02-08.md": __, ...whole } = BRIEFED;
      for (const [path, content] of Object.entries(whole)) {
        const shown = path.includes("009") ? "Configure Cursor MCP client" : String(content).trim();
        // A session is told by its parts, what comes next first.
        const parts = path.includes("sessions/") ? (shown.match(/^[^#\n].*$/gm) ?? []) : [shown];
        assert.ok(
          parts.every((part) => text.includes(part)),
          path,
        );
      }
      assert.ok(!text.includes("Long past"));
    },
  },
  served("a request without the token", async ({ origin }) => {
    const response = await fetch(`${origin}/sse`, { headers: { Authorization: "Bearer wrong" } });
    assert.equal(response.status, 401);
    assert.deepEqual(await response.json(), {
      error: "Unauthorized",
      message: "Invalid or missing authentication token",
    });
  }),
  readOnly,
  refused(
    "a link that leads out, or an absolute name",
    ["read_doc", { project, folder: "tasks", filename: "/etc/hosts" }],
    "ValueError: Path is outside VIBE_ROOT",
  ),
  refused(
    "an absolute folder",
    ["tool_create_doc", { project, folder: "/etc", filename: "x.md", content: "x" }],
    "ValueError: Path is outside VIBE_ROOT",
  ),
  refused(
    "a project that climbs",
    ["tool_log_session", { project: "../etc", content: "x" }],
    "ValueError: Invalid project name: ../etc",
  ),
  refused(
    "a name that climbs",
    ["tool_create_doc", { project, folder: "tasks", filename: "../../x.md", content: "x" }],
    "ValueError: Path traversal not allowed",
  ),
  refused(
    "a name that is taken",
    ["tool_create_doc", { project, folder: "tasks", filename: "001-setup.md", content: "x" }],
    "ValueError: File already exists: vibeMCP/tasks/001-setup.md",
  ),
  refused(
    "a task that is not there",
    ["tool_update_task_status", { project, task_file: "999-missing.md", new_status: "done" }],
    "ValueError: File not found: 999-missing.md",
  ),
  refused(
    "a status that is none",
    ["tool_update_task_status", { project, task_file: "001-setup.md", new_status: "unknown" }],
    "ValueError: Invalid status: unknown. Must be one of: pending, in-progress, done, blocked",
  ),
];

const README: Example[] = [
  served("a request with the token, where the earlier server listened", async (server, t) => {
    const { client } = await connectHttp(t, server, { sse: true });
    const { answer, error } = answers(client);
    assert.equal(((await answer("search", { query: "narwhal" })) as unknown[]).length, 1);
    assert.match(
      await error("tool_create_task", { project: "../etc", title: "A", objective: "B" }),
      /^ValueError/,
    );
    const reader = await connectHttp(t, server, { sse: true, token: READ_TOKEN });
    const message = "AuthError: Server is in read-only mode";
    assert.equal(await answers(reader.client).error("tool_reindex"), message);
  }),
  {
    name: "readme: list_tasks by project and status",
    files: THREE_PROJECTS,
    run: async ({ answer }) => {
      const tasks = (await answer("list_tasks", { project, status: "in-progress" })) as Answer[];
      assert.deepEqual(
        tasks.map(({ path, status }) => [path, status]),
        [0, 1].map((n) => [`vibeMCP/tasks/in-progress-${n}.md`, "in-progress"]),
      );
      assert.equal(((await answer("list_tasks", { project: null, status: null })) as Answer[]).length, 12);
    },
  },
  {
    name: "readme: the folders of a project",
    files: {},
    run: async (server) => {
      const folders = [
        "tasks",
        "plans",
        "sessions",
        "reports",
        "changelog",
        "references",
        "scratch",
        "assets",
      ];
      assert.deepEqual(await server.answer("tool_init_project", { project }), {
        status: "initialized",
        project: "vibeMCP",
        path: "vibeMCP",
        absolute_path: join(server.root, "vibeMCP"),
        folders,
      });
      assert.deepEqual(readdirSync(join(server.root, "vibeMCP")).sort(), [...folders, "status.md"].sort());
      const text = await textOf(server, "vibe://projects/vibeMCP");
      const listed = [...text.matchAll(/- `(\w+)\/` \(0 files\)/g)].map(([, folder]) => folder);
      assert.deepEqual(listed, folders);
    },
  },
];

const EXAMPLES = [...API_REFERENCE, ...README];

test(`the ${EXAMPLES.length} examples of the earlier server's two documents are answered as they are printed`, async (t) => {
  const server = await startV1(t);
  for (const { name, files, date, run } of EXAMPLES) {
    await t.test(name, async (t) => {
      for (const entry of ["vibeMCP", "demo-api", "demo-frontend"])
        rmSync(join(server.root, entry), { recursive: true, force: true });
      writeFiles(server.root, files ?? {});
      for (const path of Object.keys(files ?? {}))
        if (date !== undefined && !path.endsWith("/")) dateFile(server.root, path, date);
      await run(server, t);
    });
  }
});
