import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startV1, type V1 } from "../../fixtures/v1-client.ts";
import { type Files, makeWorkspace, temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

// What the earlier server did wrong, and its users had to live with: docs/migrating.md promises each of these, and what the examples show.

type Row = Record<string, unknown>;

const project = "p";
const start = (t: TestContext, files: Files) => startV1(t, { root: makeWorkspace(t, files) });
const paths = async ({ answer }: V1, query: string) =>
  ((await answer("search", { query })) as Row[]).map((row) => row["document_path"]);

test("the best match comes first, not the worst", async (t) => {
  const server = await start(t, {
    "p/references/a.md":
      "# Passing by\n\nOnce a narwhal was seen, long ago and far away, by somebody else.\n",
    "p/references/b.md": "# The narwhal\n\nA narwhal is a whale. The narwhal has a tusk.\n",
  });
  assert.deepEqual(await paths(server, "narwhal"), ["p/references/b.md", "p/references/a.md"]);
});

test("ordinary queries with any punctuation are answered", async (t) => {
  const queries = [
    "node.js",
    "foo-bar",
    "C++",
    "C#",
    "what's next?",
    'an "open quote',
    "2026-03-31",
    "10:30",
    "a/b",
    "key:value",
    "(half",
    "half)",
    "@max",
    "#12",
    "50%",
    "max@example.org",
    "https://example.org/a?b=c",
    "src/login.ts",
    "-flag",
    "x AND",
    "NOT y",
    "^z",
    "foo*bar",
  ];
  const server = await start(t, { "p/a.md": `# Words\n\n${queries.join(" ; ")}\n` });
  for (const query of queries) assert.deepEqual(await paths(server, query), ["p/a.md"], query);
});

test("the next call finds a change on disk", async (t) => {
  const server = await start(t, { "p/a.md": "# A\n" });
  assert.deepEqual(await paths(server, "narwhal"), []);
  writeFiles(server.root, { "p/a.md": "# A\n\nnarwhal\n" });
  assert.deepEqual(await paths(server, "narwhal"), ["p/a.md"]);
});

test("a sibling folder of the root is out of reach", async (t) => {
  const around = temporaryFolder(t);
  writeFiles(around, { "vibe-secret/tasks/a.md": "secret", "vibe/p/tasks/b.md": "# B\n" });
  const { error, client } = await startV1(t, { root: join(around, "vibe") });
  const climbing = { project: "..", folder: "vibe-secret", filename: "tasks/a.md" };
  assert.equal(await error("read_doc", climbing), "ValueError: Invalid project name: ..");
  for (const filename of ["../../../vibe-secret/tasks/a.md", "..\\..\\..\\vibe-secret\\tasks\\a.md"])
    assert.match(
      await error("read_doc", { project, folder: "tasks", filename }),
      /^ValueError: Path traversal/,
    );
  await assert.rejects(client.readResource({ uri: "vibe://projects/p/..%2F..%2Fvibe-secret/tasks/a.md" }));
});

test("a list in the field status spoils nothing", async (t) => {
  const server = await start(t, {
    "p/tasks/001-a.md": "---\nstatus: [done, pending]\n---\n# Task: A\n\nnarwhal\n",
    "p/tasks/002-b.md": "# Task: B\n\nnarwhal\n",
  });
  assert.deepEqual((await paths(server, "narwhal")).sort(), ["p/tasks/001-a.md", "p/tasks/002-b.md"]);
  await server.answer("tool_reindex");
  assert.equal((await paths(server, "narwhal")).length, 2);
});

test("a status is set on the line that has it, and code stays unchanged", async (t) => {
  const code = "```\nStatus: pending\n```\n";
  const { answer, root } = await start(t, {
    "p/tasks/001-a.md": `---\nstatus: pending\n---\n# Task: A\n\n${code}`,
    "p/tasks/002-b.md": `# Task: B\n\n${code}`,
  });
  for (const task_file of ["001-a.md", "002-b.md"])
    await answer("tool_update_task_status", { project, task_file, new_status: "done" });
  const text = (name: string) => readFileSync(join(root, "p/tasks", name), "utf8");
  assert.equal(text("001-a.md"), `---\nstatus: done\n---\n# Task: A\n\n${code}`);
  assert.equal(text("002-b.md"), `# Task: B\n\nStatus: done\n\n${code}`);
  const tasks = (await answer("list_tasks", { project })) as Row[];
  assert.deepEqual(
    tasks.map(({ status }) => status),
    ["done", "done"],
  );
});

test("16 session notes at once from two servers are all there", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const servers = await Promise.all([startV1(t, { root }), startV1(t, { root })]);
  const log = (n: number) => servers[n % 2]?.answer("tool_log_session", { project, content: `note ${n}.` });
  await Promise.all(Array.from({ length: 16 }, (_, n) => log(n)));
  const folder = join(root, "p/sessions");
  const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  const notes = [...text.join("").matchAll(/note (\d+)\./g)].map(([, n]) => Number(n)).sort((a, b) => a - b);
  assert.deepEqual(
    notes,
    Array.from({ length: 16 }, (_, n) => n),
  );
});

test("after task 999 comes 1000, and then 1001", async (t) => {
  const { answer } = await start(t, { "p/tasks/999-a.md": "# Task: A\n" });
  for (const filename of ["1000-b.md", "1001-b.md"]) {
    const created = (await answer("tool_create_task", { project, title: "B", objective: "C" })) as Row;
    assert.equal(created["filename"], filename);
  }
});
