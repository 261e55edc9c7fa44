import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import fc from "fast-check";
import { builtFile } from "../fixtures/built.ts";
import { runCommand } from "../fixtures/command.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { callers, temporaryFolder } from "../fixtures/workspace.ts";

const noGit = spawnSync("git", ["--version"]).status !== 0 && "git is missing";

interface Task {
  title: string;
  path: string;
  filename: string;
  status: string;
  priority?: string;
  due?: string;
  tags: string[];
}

type Call = ReturnType<typeof callers>["call"];

/** What a branch does to one fact, and how it is seen afterwards. */
interface Edit {
  /** The facts that it changes: the other branch leaves them alone. */
  keys: string[];
  make(call: Call): Promise<unknown>;
  check(found: Found): void;
}

interface Found {
  tasks: Map<string, Task>;
  texts: Map<string, string>;
  sessions: string;
}

const TITLES = ["Alpha", "Beta", "Gamma", "Delta"];
const P = { project: "p" };
const word = fc.stringMatching(/^[a-z]{8}$/);
const title = fc.constantFrom(...TITLES);

const textOf = ({ tasks, texts }: Found, name: string) => texts.get(tasks.get(name)?.path ?? "") ?? "";

/** Tasks are found by a word in their objective, which stays when the title changes. */
const edits: fc.Arbitrary<Edit> = fc.oneof(
  fc.tuple(title, fc.constantFrom("in-progress", "done", "blocked")).map(
    ([task, status]): Edit => ({
      keys: [`${task} status`],
      make: (call) => call("update_task_status", { ...P, task: numberOf(task), status }),
      check: (found) => assert.equal(found.tasks.get(task)?.status, status),
    }),
  ),
  fc.tuple(title, fc.integer({ min: 1, max: 4 })).map(
    ([task, step]): Edit => ({
      keys: [`${task} step ${step}`],
      make: (call) => call("update_task", { ...P, task: numberOf(task), done_steps: [step] }),
      check: (found) => assert.match(textOf(found, task), new RegExp(`\\[x\\] ${task} step ${step}`)),
    }),
  ),
  fc.tuple(title, fc.integer({ min: 1, max: 2 })).map(
    ([task, at]): Edit => ({
      keys: [`${task} criterion ${at}`],
      make: (call) => call("update_task", { ...P, task: numberOf(task), done_criteria: [at] }),
      check: (found) => assert.match(textOf(found, task), new RegExp(`\\[x\\] ${task} criterion ${at}`)),
    }),
  ),
  fc.tuple(title, fc.constantFrom("high", "low")).map(
    ([task, priority]): Edit => ({
      keys: [`${task} priority`],
      make: (call) => call("update_task", { ...P, task: numberOf(task), priority }),
      check: (found) => assert.equal(found.tasks.get(task)?.priority, priority),
    }),
  ),
  title.map(
    (task): Edit => ({
      keys: [`${task} due`],
      make: (call) => call("update_task", { ...P, task: numberOf(task), due: "2030-01-02" }),
      check: (found) => assert.equal(found.tasks.get(task)?.due, "2030-01-02"),
    }),
  ),
  fc.tuple(title, word).map(
    ([task, tag]): Edit => ({
      keys: [`${task} tag ${tag}`],
      make: async (call) => {
        const { tags } = (await tasksOf(call)).get(task) as Task;
        await call("update_task", { ...P, task: numberOf(task), tags: [...tags, tag] });
      },
      check: (found) => assert.ok(found.tasks.get(task)?.tags.includes(tag)),
    }),
  ),
  fc.tuple(title, word).map(
    ([task, name]): Edit => ({
      keys: [`${task} title`],
      make: (call) => call("update_task", { ...P, task: numberOf(task), title: name }),
      check: (found) => assert.equal(found.tasks.get(task)?.title, name),
    }),
  ),
  word.map(
    (content): Edit => ({
      keys: [],
      make: (call) => call("log_session", { ...P, content: `Did ${content}.` }),
      check: (found) => assert.ok(found.sessions.includes(`Did ${content}.`)),
    }),
  ),
  word.map(
    (name): Edit => ({
      keys: [],
      make: (call) => call("create_task", { ...P, title: name, objective: `About ${name}.`, steps: ["a"] }),
      check: (found) => assert.ok([...found.tasks.values()].some((task) => task.title === name)),
    }),
  ),
  word.map(
    (name): Edit => ({
      keys: ["flow"],
      make: (call) => call("move_doc", { path: "p/references/flow.md", to_filename: `${name}.md` }),
      check: (found) => assert.ok(found.texts.has(`p/references/${name}.md`)),
    }),
  ),
);

function numberOf(task: string): string {
  return `${TITLES.indexOf(task) + 1}`;
}

async function tasksOf(call: Call): Promise<Map<string, Task>> {
  const { tasks } = await call<{ tasks: Task[] }>("list_tasks", { ...P, limit: 100 });
  return new Map(tasks.map((task) => [TITLES[Number(task.filename.slice(0, 3)) - 1] ?? task.title, task]));
}

/** Two branches that do not contradict each other, and how they come together. */
const history = fc
  .record({
    ours: fc.array(edits, { minLength: 2, maxLength: 6 }),
    theirs: fc.array(edits, { minLength: 2, maxLength: 6 }),
    way: fc.constantFrom("merge", "rebase", "cherry-pick", "stash pop"),
  })
  .map(({ ours, theirs, way }) => {
    const once = (all: readonly Edit[], taken: Set<string>) =>
      all.filter(({ keys }) => {
        if (keys.some((key) => taken.has(key))) return false;
        for (const key of keys) taken.add(key);
        return true;
      });
    const taken = new Set<string>();
    return { ours: once(ours, taken), theirs: once(theirs, taken), way };
  });

type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** A repository that keeps its notes, with a server that stays up while branches change. */
async function start(t: TestContext) {
  const [folder, home, program] = [temporaryFolder(t), temporaryFolder(t), builtFile(t)];
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, USERPROFILE: home, GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: string[]) => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.editor=true"];
    const { status, stdout, stderr } = spawnSync("git", [...who, ...args], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    assert.equal(status, 0, `git ${args.join(" ")}: ${stdout}${stderr}`);
    return stdout;
  };
  git("init", "-q", "-b", "main");
  const init = runCommand(program, ["init", "--in-repo", "--yes"], { cwd: folder, env });
  assert.equal(init.status, 0, init.stderr.toString());
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, "--root", join(folder, ".vibe")],
    cwd: folder,
    env,
  });
  const client = new Client({ name: "test", version: "1" });
  t.after(() => client.close());
  await client.connect(transport);
  const { call } = callers(client);
  const { projects } = await call<{ projects: { name: string }[] }>("list_projects");
  assert.equal(projects.length, 1);
  await call("init_project", P);
  for (const task of TITLES) {
    const four = [1, 2, 3, 4].map((at) => `${task} step ${at}`);
    const criteria = [1, 2].map((at) => `${task} criterion ${at}`);
    await call("create_task", {
      ...P,
      title: task,
      objective: `${task}.`,
      steps: four,
      acceptance_criteria: criteria,
      tags: ["a", "b"],
    });
  }
  await call("create_doc", {
    ...P,
    folder: "references",
    filename: "flow.md",
    content: "# Flow\n\nSteps.\n",
  });
  const links = TITLES.map((task, at) => `- [${task}](../tasks/00${at + 1}-${task.toLowerCase()}.md)`);
  const guide = `# Guide\n\n${links.join("\n")}\n- [[flow]]\n`;
  await call("create_doc", { ...P, folder: "references", filename: "guide.md", content: guide });
  const commit = () => {
    git("add", "-A");
    git("commit", "-qm", "notes", "--allow-empty");
  };
  commit();
  return { git, commit, call, notes: join(folder, ".vibe") };
}

type Machine = Awaited<ReturnType<typeof start>>;

async function play(machine: Machine, { ours, theirs, way }: History, at: number): Promise<void> {
  const { git, commit, call } = machine;
  const [base, side] = [`base-${at}`, `side-${at}`];
  const work = async (all: readonly Edit[], after: () => void) => {
    for (const edit of all) {
      await edit.make(call);
      after();
    }
  };
  git("checkout", "-q", "-b", base, "main");
  git("checkout", "-q", "-b", side);
  if (way === "stash pop") {
    await work(theirs, () => {});
    git("add", "-A");
    git("stash", "-q");
    git("checkout", "-q", base);
    await work(ours, commit);
    git("stash", "pop", "-q");
  } else {
    await work(theirs, commit);
    git("checkout", "-q", base);
    await work(ours, commit);
    if (way === "merge") git("merge", "-q", "--no-edit", side);
    else if (way === "cherry-pick") git("cherry-pick", "--allow-empty", `main..${side}`);
    else {
      git("checkout", "-q", side);
      git("rebase", "-q", base);
    }
  }
  const found = await look(machine);
  for (const edit of [...ours, ...theirs]) edit.check(found);
  git("add", "-A");
  git("commit", "-qm", "end", "--allow-empty");
  git("checkout", "-q", "main");
}

/** All documents; none has a conflict, a link that leads nowhere, or a number of another. */
async function look({ call, notes }: Machine): Promise<Found> {
  const tasks = await tasksOf(call);
  const texts = new Map<string, string>();
  for (const name of readdirSync(notes, { recursive: true, encoding: "utf8" })) {
    const path = name.replaceAll("\\", "/");
    if (!/^p\/.*\.md$/.test(path)) continue;
    const { content, ...rest } = await call<Record<string, string>>("read_doc", { path });
    assert.deepEqual(
      [rest["broken_links"], rest["conflicts"]],
      [undefined, undefined],
      `${path}: ${content}`,
    );
    texts.set(path, content ?? "");
  }
  const numbers = [...tasks.values()].map(({ filename }) => filename.slice(0, 3));
  assert.equal(new Set(numbers).size, numbers.length, numbers.join(", "));
  const sessions = [...texts].filter(([path]) => path.startsWith("p/sessions/")).map(([, text]) => text);
  return { tasks, texts, sessions: sessions.join("\n") };
}

test("branches that do not contradict each other come together by git, with all that both did", {
  skip: noGit,
}, async (t) => {
  const machine = await start(t);
  let at = 0;
  await fc.assert(
    fc.asyncProperty(history, async (one) => {
      machine.git("checkout", "-q", "-f", "main");
      await play(machine, one, ++at);
    }),
    { numRuns: numRuns(40), endOnFailure: true },
  );
});
