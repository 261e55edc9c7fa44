import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtFile } from "../fixtures/built.ts";
import { type Connected, callers, makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

type Callers = Pick<Connected, "call" | "fail">;

/** A built server with its own client. */
async function serverOn(t: TestContext, root: string): Promise<Callers> {
  const args = [builtFile(t), "--root", root];
  const client = new Client({ name: "test", version: "1" });
  const env = { HOME: temporaryFolder(t), TZ: "UTC" };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
  t.after(() => client.close());
  return callers(client);
}

const range = (count: number) => Array.from({ length: count }, (_, n) => n);

const LONG_TASK = `# Task: A\n\nStatus: pending\n\n## Objective\n${"long ".repeat(2000)}`;
const FILES = {
  "new/": "",
  "notes/": "",
  "found/": "",
  "one/references/a.md": "start\n",
  ...Object.fromEntries(
    range(30).map((n) => [`done/tasks/${String(n + 1).padStart(3, "0")}-t.md`, "Status: done\n"]),
  ),
  ...Object.fromEntries(range(4).map((n) => [`torn/tasks/00${n + 1}-a.md`, LONG_TASK])),
};

type Fact = (servers: readonly [Callers, Callers], root: string) => Promise<void>;
const turn = ([one, two]: readonly [Callers, Callers], n: number) => (n % 2 === 0 ? one : two);

/** Each in a project of its own. */
const FACTS: Record<string, Fact> = {
  "40 tasks created from two processes get 40 numbers": async (servers, root) => {
    const create = (n: number) =>
      turn(servers, n).call<{ task: { number: string } }>("create_task", {
        project: "new",
        title: `Task ${n}`,
        objective: "x",
      });
    const answers = await Promise.all(range(40).map(create));
    const numbers = answers.map(({ task }) => Number(task.number)).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      range(40).map((n) => n + 1),
    );
    const files = readdirSync(join(root, "new", "tasks"));
    assert.equal(files.length, 40);
    for (const file of files)
      assert.match(
        readFileSync(join(root, "new", "tasks", file), "utf8"),
        /^# Task: Task \d+\n\nStatus: pending\n[\s\S]*x\n$/,
      );
  },
  "tasks archived by two processes at once are all archived, and each once": async (servers, root) => {
    const archive = (tasks: object) => (server: Callers) =>
      server.call<{ total: number }>("archive_tasks", { project: "done", ...tasks });
    const answers = await Promise.all(
      [{ done_before: "9999-12-31" }, { tasks: range(20).map((n) => n + 1) }].flatMap((tasks) =>
        servers.map(archive(tasks)),
      ),
    );
    assert.equal(
      answers.reduce((sum, { total }) => sum + total, 0),
      30,
    );
    assert.equal(readdirSync(join(root, "done", "archive", "tasks")).length, 30);
    assert.deepEqual(readdirSync(join(root, "done", "tasks")), []);
  },
  "40 session notes from two processes all survive": async (servers, root) => {
    await Promise.all(
      range(40).map((n) => turn(servers, n).call("log_session", { project: "notes", content: `note ${n}.` })),
    );
    const texts = readdirSync(join(root, "notes", "sessions")).map((name) =>
      readFileSync(join(root, "notes", "sessions", name), "utf8"),
    );
    const notes = texts.join("").match(/^note \d+\.$/gm) ?? [];
    assert.equal(new Set(notes).size, 40);
    assert.equal(notes.length, 40);
  },
  "40 status changes from two processes tear nothing": async (servers, root) => {
    const statuses = ["pending", "in-progress", "done", "blocked"];
    await Promise.all(
      range(40).map((n) =>
        turn(servers, n).call("update_task_status", {
          project: "torn",
          task: String((n % 4) + 1),
          status: statuses[(n >> 2) % 4],
        }),
      ),
    );
    for (const n of range(4)) {
      const text = readFileSync(join(root, "torn", "tasks", `00${n + 1}-a.md`), "utf8");
      assert.equal(
        text.replace(/^Status: (?:pending|in-progress|done|blocked)$/m, "Status: pending"),
        LONG_TASK,
      );
    }
  },
  "exactly one of 20 updates with the same expected_hash wins, the others get CONFLICT": async (
    servers,
    root,
  ) => {
    const name = { project: "one", folder: "references", filename: "a.md" };
    const { hash } = await servers[0].call<{ hash: string }>("read_doc", name);
    const update = async (n: number) => {
      const { call, fail } = turn(servers, n);
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
    assert.match(readFileSync(join(root, "one/references/a.md"), "utf8"), /^version \d+\n$/);
  },
  "one process finds with its next call what another wrote": async ([one, two], root) => {
    for (const n of range(10)) {
      await one.call("create_doc", {
        project: "found",
        folder: "scratch",
        filename: `${n}.md`,
        content: `numbat${n}`,
      });
      const { total_matches } = await two.call<{ total_matches: number }>("search", { query: `numbat${n}` });
      assert.equal(total_matches, 1);
    }
    assert.deepEqual(readdirSync(join(root, "found", "scratch")).length, 10);
  },
};

test("two processes on one workspace", async (t) => {
  const root = makeWorkspace(t, FILES);
  const servers = await Promise.all([serverOn(t, root), serverOn(t, root)]);
  for (const [name, holds] of Object.entries(FACTS)) await t.test(name, () => holds(servers, root));
});
