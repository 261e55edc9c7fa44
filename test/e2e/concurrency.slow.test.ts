import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtFile } from "../fixtures/built.ts";
import { type Connected, callers, makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

type Callers = Pick<Connected, "call" | "fail">;

/** Two built servers, each with its own client, on one workspace. */
async function twoServers(t: TestContext, root: string): Promise<Callers[]> {
  const start = async () => {
    const args = [builtFile(t), "--root", root];
    const client = new Client({ name: "test", version: "1" });
    const env = { HOME: temporaryFolder(t), TZ: "UTC" };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }),
    );
    t.after(() => client.close());
    return callers(client);
  };
  return Promise.all([start(), start()]);
}

const range = (count: number) => Array.from({ length: count }, (_, n) => n);

test("40 tasks created from two processes get 40 numbers", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const servers = await twoServers(t, root);
  const create = (n: number) =>
    (servers[n % 2] as Callers).call<{ task: { number: string } }>("create_task", {
      project: "p",
      title: `Task ${n}`,
      objective: "x",
    });
  const answers = await Promise.all(range(40).map(create));
  const numbers = answers.map(({ task }) => Number(task.number)).sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    range(40).map((n) => n + 1),
  );
  const files = readdirSync(join(root, "p", "tasks"));
  assert.equal(files.length, 40);
  for (const file of files)
    assert.match(
      readFileSync(join(root, "p", "tasks", file), "utf8"),
      /^# Task: Task \d+\n\nStatus: pending\n[\s\S]*x\n$/,
    );
});

test("tasks archived by two processes at once are all archived, and each once", async (t) => {
  const names = range(30).map((n) => `p/tasks/${String(n + 1).padStart(3, "0")}-t.md`);
  const root = makeWorkspace(t, Object.fromEntries(names.map((name) => [name, "Status: done\n"])));
  const servers = await twoServers(t, root);
  const archive = (tasks: object) => (server: Callers) =>
    server.call<{ total: number }>("archive_tasks", { project: "p", ...tasks });
  const answers = await Promise.all(
    [{ done_before: "9999-12-31" }, { tasks: range(20).map((n) => n + 1) }].flatMap((tasks) =>
      servers.map(archive(tasks)),
    ),
  );
  assert.equal(
    answers.reduce((sum, { total }) => sum + total, 0),
    30,
  );
  assert.equal(readdirSync(join(root, "p", "archive", "tasks")).length, 30);
  assert.deepEqual(readdirSync(join(root, "p", "tasks")), []);
});

test("40 session notes from two processes all survive", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const servers = await twoServers(t, root);
  await Promise.all(
    range(40).map((n) =>
      (servers[n % 2] as Callers).call("log_session", { project: "p", content: `note ${n}.` }),
    ),
  );
  const texts = readdirSync(join(root, "p", "sessions")).map((name) =>
    readFileSync(join(root, "p", "sessions", name), "utf8"),
  );
  const notes = texts.join("").match(/^note \d+\.$/gm) ?? [];
  assert.equal(new Set(notes).size, 40);
  assert.equal(notes.length, 40);
});

test("40 status changes from two processes tear nothing", async (t) => {
  const body = `# Task: A\n\nStatus: pending\n\n## Objective\n${"long ".repeat(2000)}`;
  const files = Object.fromEntries(range(4).map((n) => [`p/tasks/00${n + 1}-a.md`, body]));
  const root = makeWorkspace(t, files);
  const servers = await twoServers(t, root);
  const statuses = ["pending", "in-progress", "done", "blocked"];
  await Promise.all(
    range(40).map((n) =>
      (servers[n % 2] as Callers).call("update_task_status", {
        project: "p",
        task: String((n % 4) + 1),
        status: statuses[(n >> 2) % 4],
      }),
    ),
  );
  for (const path of Object.keys(files)) {
    const text = readFileSync(join(root, ...path.split("/")), "utf8");
    assert.equal(text.replace(/^Status: (?:pending|in-progress|done|blocked)$/m, "Status: pending"), body);
  }
});

test("exactly one of 20 updates with the same expected_hash wins, the others get CONFLICT", async (t) => {
  const root = makeWorkspace(t, { "p/references/a.md": "start\n" });
  const servers = await twoServers(t, root);
  const name = { project: "p", folder: "references", filename: "a.md" };
  const { hash } = await (servers[0] as Callers).call<{ hash: string }>("read_doc", name);
  const update = async (n: number) => {
    const { call, fail } = servers[n % 2] as Callers;
    const args = { ...name, content: `version ${n}\n`, expected_hash: hash };
    try {
      await call("update_doc", args);
      return "won";
    } catch {
      return (await fail("update_doc", args)).code;
    }
  };
  const outcomes = await Promise.all(range(20).map(update));
  assert.deepEqual(outcomes.sort(), [...range(19).map(() => "CONFLICT"), "won"]);
  assert.match(readFileSync(join(root, "p/references/a.md"), "utf8"), /^version \d+\n$/);
});

test("one process finds with its next call what another wrote", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const [one, two] = (await twoServers(t, root)) as [Callers, Callers];
  for (const n of range(10)) {
    await one.call("create_doc", {
      project: "p",
      folder: "scratch",
      filename: `${n}.md`,
      content: `numbat${n}`,
    });
    const { total_matches } = await two.call<{ total_matches: number }>("search", { query: `numbat${n}` });
    assert.equal(total_matches, 1);
  }
  assert.deepEqual(readdirSync(join(root, "p", "scratch")).length, 10);
});
