import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";

/** The options of `fault.cjs`, except its folder. */
export interface Fault {
  at: number;
  action: string;
  reads?: boolean;
  lasting?: boolean;
  tally?: string;
}

/** One call of a tool, and the file it changes: before the call its bytes are `old`, and after it `isNew` holds. */
interface Step {
  tool: string;
  args: Record<string, unknown>;
  path: string;
  old?: string;
  isNew: (text: string) => boolean;
}

const LONG = "filler and more of it ".repeat(400);
const name = (folder: string, filename: string) => ({ project: "p", folder, filename });
const is = (expected: string) => (text: string) => text === expected;
const today = () => new Date().toISOString().slice(0, 10);

/** Every way to write, each with its own file and its own word to search for. */
export function steps(): Step[] {
  const task = `# Task: T\n\nStatus: pending\n\nkiwi${LONG}\n`;
  return [
    {
      tool: "create_doc",
      args: { ...name("scratch", "a.md"), content: `# ibis\n${LONG}` },
      path: "p/scratch/a.md",
      isNew: is(`# ibis\n${LONG}`),
    },
    {
      tool: "update_doc",
      args: { ...name("references", "b.md"), content: `heron\n${LONG}\n` },
      path: "p/references/b.md",
      old: `stork\n${LONG}\n`,
      isNew: is(`heron\n${LONG}\n`),
    },
    {
      tool: "update_doc",
      args: { ...name("references", "c.md"), content: "egret", section: "A", mode: "append" },
      path: "p/references/c.md",
      old: "# C\n\n## A\n\nbody\n",
      isNew: is("# C\n\n## A\n\nbody\n\negret\n"),
    },
    {
      tool: "update_task_status",
      args: { project: "p", task: "1", status: "done" },
      path: "p/tasks/001-t.md",
      old: task,
      isNew: is(task.replace("pending", "done")),
    },
    {
      tool: "log_session",
      args: { project: "p", content: "osprey" },
      path: `p/sessions/${today()}.md`,
      old: "# Log\n",
      isNew: (text) => /^# Log\n\n---\n\*\*.*\*\*\n\nosprey\n$/.test(text),
    },
    {
      tool: "create_task",
      args: { project: "p", title: "Falcon", objective: "fly" },
      path: "p/tasks/002-falcon.md",
      isNew: (text) => text.startsWith("# Task: Falcon\n") && text.endsWith("fly\n"),
    },
    {
      tool: "create_plan",
      args: { project: "p", content: "# Plan\n\nplover\n" },
      path: "p/plans/execution-plan.md",
      isNew: is("# Plan\n\nplover\n"),
    },
    {
      tool: "vault_create",
      args: { path: "p/scratch/deep/d.md", content: `curlew ${LONG}` },
      path: "p/scratch/deep/d.md",
      isNew: is(`curlew ${LONG}`),
    },
    {
      tool: "vault_replace",
      args: { path: "p/references/e.md", find: "snipe", replace: "grebe" },
      path: "p/references/e.md",
      old: `snipe ${LONG}`,
      isNew: is(`grebe ${LONG}`),
    },
    {
      tool: "init_project",
      args: { project: "q" },
      path: "q/status.md",
      isNew: (text) => text.startsWith("# ") && text.endsWith("\n"),
    },
  ];
}

export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  /** The answer to each step; undefined if none came. */
  answers: (Record<string, unknown> | undefined)[];
}

/** Writes the files as they are before the steps; no step touches another step's file. */
export function prepare(root: string, plan: Step[]): void {
  for (const { path, old } of plan) {
    if (old === undefined) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), old);
  }
}

/** Runs all steps on the built server, one after the other, with a fault on the way. */
export async function runFaulty(root: string, plan: Step[], fault: Fault): Promise<Outcome> {
  const program = resolve("dist", "vibe-mcp.cjs");
  const child = spawn(
    process.execPath,
    ["--require", resolve("test", "hostile", "fault.cjs"), program, "--root", root],
    {
      env: { PATH: process.env["PATH"], HOME: root, TZ: "UTC", FAULT: JSON.stringify({ root, ...fault }) },
    },
  );
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on("error", () => {});
  const outcome: Outcome = { code: null, signal: null, stderr: "", answers: plan.map(() => undefined) };
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const next = (id: number) => {
    const step = plan[id - 1];
    if (step === undefined) child.stdin.end();
    else send({ id, method: "tools/call", params: { name: step.tool, arguments: step.args } });
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result } = JSON.parse(line) as { id?: number; result?: Record<string, unknown> };
    // A notification: the files have changed.
    if (id === undefined) return;
    if (id > 0) outcome.answers[id - 1] = result;
    else send({ method: "notifications/initialized" });
    next(id + 1);
  });
  const clientInfo = { name: "test", version: "1" };
  send({
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
  });
  const watchdog = setTimeout(() => child.kill("SIGTERM"), 60_000);
  return new Promise((done) => {
    child.on("close", (code, signal) => {
      clearTimeout(watchdog);
      done({ ...outcome, code, signal, stderr });
    });
  });
}

/** Every file holds its old bytes or its new ones, and the new ones if the client got its answer. */
export function checkFiles(root: string, plan: Step[], { answers }: Outcome): void {
  for (const [at, { tool, path, old, isNew }] of plan.entries()) {
    const file = join(root, path);
    const text = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    const acknowledged = answers[at] !== undefined && answers[at]?.["isError"] !== true;
    if (acknowledged)
      assert.ok(text !== undefined && isNew(text), `${tool} was confirmed, and its file is another`);
    else
      assert.ok(
        text === old || (text !== undefined && isNew(text)),
        `${tool} left a file that is neither old nor new`,
      );
  }
}

/** Everything below a folder, hidden names included. */
export function everything(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" });
}
