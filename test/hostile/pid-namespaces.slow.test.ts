import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtFile } from "../fixtures/built.ts";
import { locksOf } from "../fixtures/locks.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { callers, makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const UNSHARE = ["--pid", "--fork", "--kill-child", "--mount-proc"];
const skip =
  spawnSync("unshare", [...UNSHARE, "true"]).status !== 0 &&
  "needs unshare and the right to make PID namespaces";
const CALLS = numRuns(100);

interface Contained {
  /** Its process number outside of the namespace. */
  pid: number;
  call: ReturnType<typeof callers>["call"];
}

/** A server in its own namespace, after `number` other processes: no other server has its process number. */
async function startContained(t: TestContext, root: string, number: number): Promise<Contained> {
  const before = 'n=$1; shift; while [ "$n" -gt 0 ]; do /bin/true; n=$((n-1)); done; "$@"; exit $?';
  const server = [process.execPath, builtFile(t), "--root", root];
  const transport = new StdioClientTransport({
    command: "unshare",
    args: [...UNSHARE, "sh", "-c", before, "sh", String(number), ...server],
    env: { PATH: process.env["PATH"] ?? "", HOME: temporaryFolder(t), TZ: "UTC" },
    stderr: "ignore",
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  t.after(() => client.close());
  return { pid: youngest(transport.pid ?? 0), call: callers(client).call };
}

function youngest(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim().split(" ");
  return child === undefined || child === "" ? pid : youngest(Number(child));
}

interface Done {
  numbers: string[];
  notes: string[];
}

/** Creates tasks and adds to one note until all is done or the server is dead; returns what was confirmed. */
async function work({ call }: Contained, label: string): Promise<Done> {
  const done: Done = { numbers: [], notes: [] };
  const one = async (n: number) => {
    const title = `${label} ${n}`;
    const answer = await call<{ task: { number: string } }>("create_task", {
      project: "p",
      title,
      objective: title,
    });
    done.numbers.push(answer.task.number);
    await call("log_session", { project: "p", content: `note ${title}.`, suffix: "all" });
    done.notes.push(`note ${title}.`);
  };
  for (let n = 0; n < CALLS; n++) {
    try {
      await one(n);
    } catch (error) {
      // Only a stopped server may refuse, and only a killed one may break off.
      assert.match(String(error), label === "killed" ? /Connection closed/ : /CONFLICT/);
      assert.notEqual(label, "steady");
      if (label === "killed") break;
    }
  }
  return done;
}

test("three servers in three PID namespaces lose no confirmed write and give no number twice", {
  skip,
}, async (t) => {
  const root = makeWorkspace(t, { "p/tasks/": "" });
  const [steady, stopped, killed] = (await Promise.all(
    [0, 4, 9].map((number) => startContained(t, root, number)),
  )) as [Contained, Contained, Contained];
  const tasks = () => readdirSync(join(root, "p", "tasks")).filter((name) => name.endsWith(".md"));
  const all = Promise.all([work(steady, "steady"), work(stopped, "stopped"), work(killed, "killed")]);
  const until = async (count: number) => {
    while (tasks().length < count) await turn();
  };
  await until(CALLS / 2);
  process.kill(stopped.pid, "SIGSTOP");
  await until(CALLS);
  process.kill(killed.pid, "SIGKILL");
  process.kill(stopped.pid, "SIGCONT");
  const done = await all;
  const numbers = done.flatMap((one) => one.numbers);
  assert.equal(new Set(numbers).size, numbers.length, "a number was confirmed twice");
  const names = tasks();
  assert.equal(new Set(names.map((name) => name.slice(0, 3))).size, names.length, "a number was given twice");
  for (const number of numbers)
    assert.ok(
      names.some((name) => name.startsWith(`${number}-`)),
      number,
    );
  // A killed server leaves a temporary file, until the next one starts.
  const [note = ""] = readdirSync(join(root, "p", "sessions")).filter((name) => name.endsWith(".md"));
  const text = readFileSync(resolve(root, "p", "sessions", note), "utf8");
  for (const wanted of done.flatMap(({ notes }) => notes))
    assert.equal(text.split(`\n${wanted}\n`).length, 2, wanted);
  assert.equal(done[0].notes.length, CALLS);
  assert.ok((done[2].notes.length ?? 0) < CALLS, "it was killed too late");
  assert.deepEqual(
    locksOf(root).filter((name) => name.endsWith(".lock")),
    [],
  );
});
