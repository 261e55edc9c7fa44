import assert from "node:assert/strict";
import { once } from "node:events";
import {
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createDocument } from "../../src/core/workspace/change/documents.ts";
import { JSON_HEADERS, post, send, startHttp, TOKEN } from "../fixtures/http.ts";
import { type Person, person } from "../fixtures/terminal.ts";
import {
  connect,
  type Files,
  makeWorkspace,
  open,
  temporaryFolder,
  writeFiles,
} from "../fixtures/workspace.ts";

type Provoke = (t: TestContext) => string | Promise<string>;

const TASK = "# Task: A\n\nStatus: pending\n";
const NOTES = { "p/a.md": "# A\n\nwords\n", "p/tasks/001-a.md": TASK };
/** The offset of `PRAGMA user_version` in the header of SQLite. */
const USER_VERSION = 60;

/** Types a command on these notes, in a pipe; returns stdout and stderr. */
function types(line: string, { files = NOTES, env = {}, prepare }: Typed = {}): Provoke {
  return (t) => {
    const someone = person(t, makeWorkspace(t, files));
    prepare?.(someone);
    const { stdout, stderr } = someone.inPipe(line.split(" "), { env });
    return stdout + stderr;
  };
}

interface Typed {
  files?: Files;
  env?: Record<string, string>;
  prepare?: (someone: Person) => void;
}

/** Calls a tool that fails; returns its message. */
function fails(name: string, args: Record<string, unknown>, files: Files = NOTES): Provoke {
  return async (t) => {
    const { fail } = await connect(t, makeWorkspace(t, files));
    return (await fail(name, args)).message;
  };
}

/** Calls a tool; returns its answer as JSON. */
function answers(name: string, args: Record<string, unknown>, files: Files = NOTES): Provoke {
  return async (t) => {
    const { call } = await connect(t, makeWorkspace(t, files));
    return JSON.stringify(await call(name, args));
  };
}

const TASK_ONE = { project: "p", task: "1" };
const CLAIM = { ...TASK_ONE, agent: "bo" };
/** One task with these lines of frontmatter. */
const taskOf = (fields: string, status = "in-progress"): Files => ({
  "p/tasks/001-a.md": `---\n${fields}\n---\n# Task: A\n\nStatus: ${status}\n`,
});
const HELD = taskOf("owner: ana\nclaimed_until: 2099-01-01T00:00Z");

/** Sends a request to `serve`; returns the body of its answer. */
function requests(headers: Record<string, string>, token = TOKEN): Provoke {
  return async (t) => {
    const server = await startHttp(t, ["--root", temporaryFolder(t)]);
    const response = await send(server, { method: "POST", headers: { ...JSON_HEADERS, ...headers }, token });
    return response.text();
  };
}

async function serverOnTakenPort(t: TestContext): Promise<string> {
  const other = createServer().listen(0, "127.0.0.1");
  t.after(() => other.close());
  await once(other, "listening");
  const address = other.address();
  assert.ok(address !== null && typeof address === "object");
  return await startHttp(t, ["--port", `${address.port}`]).then(
    () => "",
    ({ message }: Error) => message,
  );
}

async function writeWithoutLock(t: TestContext): Promise<string> {
  const { workspace } = open(t, makeWorkspace(t, NOTES));
  const locks = join(workspace.root, ".vibe-mcp", "locks");
  const write = workspace.locked("p", async (lock) => {
    for (const name of readdirSync(locks))
      if (name.endsWith(".lock")) rmSync(join(locks, name), { recursive: true });
    await createDocument(workspace, { project: "p", folder: "", filename: "b.md" }, "b", lock);
    return "";
  });
  return write.catch(({ message }: Error) => message);
}

async function watchingReplacedRoot(t: TestContext): Promise<string> {
  const root = makeWorkspace(t, { "vibe/p/a.md": "# A\n" });
  const { call, logged } = await connect(t, join(root, "vibe"), { watch: true });
  await call("search", { query: "a" });
  while (!logged.some((line) => line.includes("watching"))) await sleep(20);
  renameSync(join(root, "vibe"), join(root, "old"));
  writeFiles(root, { "vibe/p/b.md": "# B\n" });
  await call("search", { query: "b" });
  return logged.join("\n");
}

/** `fetch` would replace the header. */
async function requestForOtherHost(t: TestContext): Promise<string> {
  const { port } = await startHttp(t, ["--root", temporaryFolder(t)]);
  const sent = request({
    port,
    host: "127.0.0.1",
    path: "/mcp",
    headers: { Host: "vibe.example.com" },
  }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return await text(response);
}

function markAsNewer(root: string): void {
  const file = join(root, "index.db");
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(10_000, USER_VERSION);
  writeFileSync(file, bytes);
}

const linkOut = ({ cwd, root }: Person) => {
  writeFiles(cwd, { ".git/HEAD": "" });
  symlinkSync(join(root, "p", "a.md"), join(cwd, "AGENTS.md"));
};
const agentsFile =
  (text: string) =>
  ({ cwd }: Person) =>
    writeFiles(cwd, { ".git/HEAD": "", "AGENTS.md": text });
const otherRoot = ({ cwd }: Person) =>
  writeFiles(cwd, { "home/.cursor/mcp.json": '{"mcpServers":{"vibe":{"command":"vibe-mcp"}}}' });
const missingProgram = ({ cwd }: Person) =>
  writeFiles(cwd, { "home/.cursor/mcp.json": '{"mcpServers":{"vibe":{"command":"/gone/vibe-mcp"}}}' });
/** `doctor` with a home in the working folder. */
const examines =
  (prepare: (someone: Person) => void): Provoke =>
  (t) => {
    const someone = person(t, makeWorkspace(t, NOTES));
    prepare(someone);
    const home = join(someone.cwd, "home");
    return someone.inPipe(["doctor"], { env: { HOME: home, USERPROFILE: home } }).stdout;
  };
const serve = (line: string, env = {}) => types(`serve ${line}`.trim(), { env });

/** Each message that the page explains, and how to provoke it. */
export const PROVOKED: Record<string, Provoke> = {
  "another program is already listening there": serverOnTakenPort,
  "other machines can reach …, and no token protects it": serve("--host 0.0.0.0"),
  "leads through a link to … outside of": types("init p --link", { prepare: linkOut }),
  "without <!-- vibe-mcp:end -->": types("init p", { prepare: agentsFile("<!-- vibe-mcp:start -->\n") }),
  "starts … which does not exist": examines(missingProgram),
  "serves another root": examines(otherRoot),
  "This server has no tool": fails("tool_create_task", {}),
  "is not available. The operator can start the server without --read-only, or …": async (t) => {
    const { fail } = await connect(t, makeWorkspace(t, NOTES), { readOnly: true });
    return (await fail("create_doc", {})).message;
  },
  "There is no project in … yet": types("tasks", { files: {} }),
  "Searched for:": types("search wodrs"),
  corrected_query: types("search wodrs --json"),
  "broken link": types("doctor", { files: { "p/a.md": "[[nothing]]" } }),
  "The notes are in git, which does not ignore the index": types("doctor", {
    files: { ".git/HEAD": "x", "p/a.md": "x" },
  }),
  "No current project": types("doctor"),
  "is not valid UTF-8, so a change could damage it": fails(
    "update_doc",
    { project: "p", folder: "", filename: "b.md", content: "x" },
    { "p/b.md": Buffer.from([0x61, 0xff]) },
  ),
  "was taken over by another process while this one was stopped": writeWithoutLock,
  "so nobody else sets its status or its owner": fails("update_task", { ...TASK_ONE, owner: "cy" }, HELD),
  "is in progress without an owner": answers(
    "claim_task",
    { project: "p", agent: "bo" },
    taskOf("tags: [x]"),
  ),
  "your claim ran out or was never made": answers(
    "update_task",
    { ...TASK_ONE, priority: "high", agent: "bo" },
    HELD,
  ),
  "belongs to a newer version": types("doctor", {
    prepare: (someone) => {
      someone.inPipe(["reindex"]);
      markAsNewer(someone.root);
    },
  }),
  "the index file cannot be used": types(`search words --db ${"x".repeat(300)}`),
  "not watching (…): every call scans all files": watchingReplacedRoot,
  "Invalid or missing authentication token": requests({}, "wrong"),
  "The Host header does not name this server": requestForOtherHost,
  "Web pages of this Origin may not call this server": requests({ Origin: "https://app.example.com" }),
};

/** Messages that take another user, a failing disk or a full memory, with the test that provokes them. */
export const ELSEWHERE: Record<string, string> = {
  "Not readable and writable": "test/cli/commands/doctor.slow.test.ts",
  "belongs to another user or group": "test/hostile/shared-team-folder.slow.test.ts",
  "the index is full": "test/indexing/full.test.ts",
};

const A = { project: "p", folder: "", filename: "a.md", content: "x" };
const SECOND = { ...NOTES, "p/tasks/002-b.md": "# B\n\nStatus: pending\n\n## Context\n- Dependencies: 1\n" };

/** Messages that say enough by themselves: the page leaves them out. */
export const OTHERS: Record<string, Provoke> = {
  "must be true or false, not": types("tasks", { env: { VIBE_READ_ONLY: "maybe" } }),
  "names a Markdown file: choose another file for the index": types("tasks --db notes.md"),
  "is no project's folder": (t) => {
    const { cwd, inPipe } = person(t);
    return inPipe(["init"], { env: { HOME: cwd, USERPROFILE: cwd } }).stderr;
  },
  "ends inside a code block": types("init p", { prepare: agentsFile("```\n") }),
  "it is not a regular file": serve("--token-file /dev/null"),
  "Nothing written. To write it": types("connect cursor --here"),
  "Nothing found in": types("search zebra"),
  "The query has no word to search for": types("search ???"),
  "belongs to no project, and is not indexed": types("doctor", { files: { ...NOTES, "a.md": "x" } }),
  "Which project?": types("new x"),
  "No project is known": fails("get_briefing", {}),
  "To replace it, pass its hash": fails(
    "create_plan",
    { project: "p", content: "x" },
    { "p/plans/execution-plan.md": "# Plan\n" },
  ),
  "is a link on the disk": async (t) => {
    const root = makeWorkspace(t, NOTES);
    symlinkSync(join(root, "p", "a.md"), join(root, "p", "b.md"));
    return (await (await connect(t, root)).fail("move_doc", { path: "p/b.md", to_filename: "c" })).message;
  },
  "which Windows does not allow in names": fails("create_doc", { ...A, filename: "10:30.md" }),
  "is not a path inside the workspace": fails("read_doc", {
    project: "p",
    folder: "",
    filename: "../x.md",
  }),
  "must be a folder, but is a link or a file": types("status 1 done --project p", {
    files: { ...NOTES, ".vibe-mcp": "x" },
  }),
  "No task is ready": answers("claim_task", { project: "p", agent: "bo" }, HELD),
  "cannot be claimed": answers(
    "claim_task",
    { project: "p", agent: "bo" },
    taskOf("owner: ana\nowner: ben", "pending"),
  ),
  "wait for each other": answers("update_task", { ...TASK_ONE, dependencies: ["2"] }, SECOND),
  "is done. Call claim_task": fails("claim_task", CLAIM, taskOf("tags: [x]", "done")),
  "is archived. To work on it, restore it first": fails("claim_task", CLAIM, {
    "p/archive/tasks/001-a.md": TASK,
  }),
  "holds no task in project": fails("claim_task", { project: "p", agent: "bo", release: true }),
  "You did not hold the task": answers("claim_task", { ...CLAIM, release: true }),
  "the task has no checkboxes under 'Steps'": fails("update_task", { ...TASK_ONE, done_steps: [1] }),
  "'priority' must be one of": fails("update_task", { ...TASK_ONE, priority: "urgent" }),
  "'due' must be a day as YYYY-MM-DD": fails("update_task", { ...TASK_ONE, due: "friday" }),
  "is not a day. Use YYYY-MM-DD": types("due 1 friday --project p"),
  "There is nothing to change": fails("update_task", TASK_ONE),
  "The file keeps its name": answers(
    "update_task",
    { ...TASK_ONE, title: "B" },
    { ...NOTES, "p/tasks/001-b.md/c.md": "x" },
  ),
  "The text of the task has no place for": fails(
    "update_task",
    { ...TASK_ONE, dependencies: ["2"] },
    { "p/tasks/001-a.md": `${TASK}\n\`\`\`\n` },
  ),
  "was not an index: it is kept as": types("search words", { files: { ...NOTES, "index.db": "x" } }),
  "the index file is damaged or of another version: rebuilding it": types("search words", {
    prepare: (someone) => {
      someone.inPipe(["reindex"]);
      truncateSync(join(someone.root, "index.db"), 9000);
    },
  }),
  "Session not found: it ended": async (t) => {
    const server = await startHttp(t, ["--root", temporaryFolder(t)]);
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    return (await post(server, ping, { headers: { "Mcp-Session-Id": "x" } })).text();
  },
  "no token is set: every program on this machine may read and write": async (t) => {
    const server = await startHttp(t, ["--root", temporaryFolder(t)], {});
    server.child.kill();
    await server.exit;
    return server.stderr();
  },
};
