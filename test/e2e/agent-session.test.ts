import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtFile } from "../fixtures/built.ts";
import { runCommand } from "../fixtures/command.ts";
import { callers, temporaryFolder } from "../fixtures/workspace.ts";

/** What one answer may cost a model; only a part of a long document, which the model asks for, is longer. */
const MAX_CHARS = 10_000;
const PART_CHARS = 40_000;

/** A sentence that tells what to do, a tool that helps, or what would be right. */
const NEXT_STEP =
  /\b(?:Use|Pass|Name|Read|Give|Choose|Call|Put|Repeat|Did you mean|It takes|Its headings|Allowed)\b|\b(?:list_projects|create_doc)\b/i;

async function startAgent(t: TestContext) {
  const home = temporaryFolder(t);
  const root = join(home, "notes");
  const file = builtFile(t);
  assert.equal(runCommand(file, ["demo", root], { cwd: home, env: { HOME: home } }).status, 0);
  const lines = Array.from({ length: 3_000 }, (_, at) => `Line ${at} of a long log of the load test.`);
  writeFileSync(
    join(root, "payments-api", "references", "load-test.md"),
    `# Load test\n\n${lines.join("\n")}\n`,
  );
  const client = new Client({ name: "test", version: "1" });
  const server = { command: process.execPath, args: [file, "--root", root], cwd: home };
  await client.connect(new StdioClientTransport({ ...server, env: { HOME: home }, stderr: "ignore" }));
  t.after(() => client.close());
  const { call, fail } = callers(client);
  const within =
    (max: number) =>
    async <T>(name: string, args: Record<string, unknown>): Promise<T> => {
      const answer = await call<T>(name, args);
      const { length } = JSON.stringify(answer);
      assert.ok(length <= max, `${name} ${JSON.stringify(args)} answers ${length} characters`);
      return answer;
    };
  const refused = async (name: string, args: Record<string, unknown>, code: string) => {
    const error = await fail(name, args);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, NEXT_STEP);
    assert.ok(JSON.stringify(error).length <= 2_000, error.message);
    return error;
  };
  return { call: within(MAX_CHARS), part: within(PART_CHARS * 1.1), refused };
}

interface Listed {
  tasks: { number: string; path: string; status: string }[];
}

test("an agent's session of fifteen steps: short answers, and every error names the next step", async (t) => {
  const { call, part, refused } = await startAgent(t);
  const project = "payments-api";

  // 1. Find the project.
  const { projects } = await call<{ projects: { name: string }[] }>("list_projects", {});
  assert.ok(projects.some(({ name }) => name === project));
  // 2. Get the briefing, after a slip of the pen.
  await refused("get_briefing", { project: "payment-api" }, "PROJECT_NOT_FOUND");
  const { text } = await call<{ text: string }>("get_briefing", { project });
  assert.match(text, /003/);
  // 3. Search, with an argument of another server first.
  await refused("search", { query: "rate limiting", top_k: 3 }, "INVALID_ARGUMENT");
  const { results } = await call<{ results: { path: string }[] }>("search", {
    query: "What fails open?",
    project,
  });
  // 4. Read what was found, by its path.
  const found = await call<{ path: string }>("read_doc", { path: results[0]?.path });
  assert.equal(found.path, results[0]?.path);
  // 5. List the open tasks.
  const before = await call<Listed>("list_tasks", { project });
  assert.equal(before.tasks[0]?.status, "in-progress");
  // 6. Create a task, with a dependency that does not exist.
  const created = await call<{ task: { filename: string; number: string }; missing_dependencies: string[] }>(
    "create_task",
    {
      project,
      title: "Alert on refused charges",
      objective: "The team hears of a rise of refused charges.",
      steps: ["Count them", "Send the alert"],
      context: { dependencies: ["042"] },
    },
  );
  assert.deepEqual(created.missing_dependencies, ["042"]);
  // 7. Start it by its number, after a status that does not exist.
  const task = created.task.number;
  await refused("update_task_status", { project, task, status: "on fire" }, "INVALID_STATUS");
  await refused("update_task_status", { project, task: "077", status: "done" }, "FILE_NOT_FOUND");
  await call("update_task_status", { project, task: Number(task), status: "in-progress" });
  // 8. Read the task by its number, and tick its first step.
  const { path, hash, content } = await call<Record<"path" | "hash" | "content", string>>("read_doc", {
    project,
    filename: task,
  });
  const ticked = await call<{ replacements: number }>("vault_replace", {
    path,
    find: "1. [ ] Count them",
    replace: "1. [x] Count them",
  });
  assert.equal(ticked.replacements, 1);
  // 9. Change it with the hash from before: someone else wrote meanwhile.
  const edit = { project, folder: "tasks", filename: created.task.filename, section: "Objective" };
  await refused("update_doc", { ...edit, content: "A graph.", expected_hash: hash }, "CONFLICT");
  // 10. Patch a section with the new hash, after a heading that does not exist.
  await refused("update_doc", { ...edit, section: "Goal", content: "A graph." }, "INVALID_ARGUMENT");
  const now = await call<{ hash: string; content: string }>("read_doc", { path });
  assert.equal(now.content, content.replace("[ ] Count", "[x] Count"));
  await call("update_doc", { ...edit, content: "The team sees a graph.", expected_hash: now.hash });
  // 11. Write a note, whose name is taken.
  const note = { project, folder: "references", filename: "load-test.md", content: "# Load test\n" };
  await refused("create_doc", note, "FILE_EXISTS");
  await call("create_doc", { ...note, filename: "alerts.md", content: "# Alerts\n\nSee the load test.\n" });
  await refused("update_doc", { ...note, filename: "alarms.md" }, "FILE_NOT_FOUND");
  // 12. Read a long document in parts.
  let [offset, total, read]: [number | undefined, number, string] = [0, 0, ""];
  while (offset !== undefined) {
    const page: { content: string; total_chars: number; next_offset?: number } = await part("read_doc", {
      path: `${project}/references/load-test.md`,
      offset,
    });
    assert.ok(page.content.length <= PART_CHARS);
    [offset, total, read] = [page.next_offset, page.total_chars, read + page.content];
  }
  assert.equal(read.length, total);
  await refused(
    "read_doc",
    { path: `${project}/references/load-test.md`, offset: total + 1 },
    "INVALID_ARGUMENT",
  );
  // 13. Look at the plan: what it says, and what the tasks say.
  await call("get_plan", { project });
  await refused("create_plan", { project, content: "# Plan\n", expected_hash: "0".repeat(16) }, "CONFLICT");
  // 14. Finish the task that others wait for, and see what became ready.
  const { unblocked } = await call<{ unblocked: { number: string }[] }>("update_task_status", {
    project,
    task: "003",
    status: "done",
  });
  assert.deepEqual(
    unblocked.map(({ number }) => number),
    ["007"],
  );
  // 15. Log the session.
  const { session } = await call<{ session: { path: string } }>("log_session", {
    project,
    content: "## Done\n\n- Counted the refused charges.\n\n## Next\n\n- Send the alert.\n",
  });
  const again = await call<{ results: { path: string }[] }>("search", {
    query: "counted refused charges",
    project,
  });
  assert.ok(again.results.some((result) => result.path === session.path));
});
