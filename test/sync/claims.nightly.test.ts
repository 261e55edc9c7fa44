import assert from "node:assert/strict";
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { seeing } from "../../src/core/history/sight.ts";
import { createLog } from "../../src/core/lib/log.ts";
import { AutoSync } from "../../src/together/sync/auto-sync.ts";
import { recentNews } from "../../src/together/sync/news.ts";
import { bareRepository, filesOf, imageOf, type Machine, noGit, startMachine } from "../fixtures/machines.ts";
import { numRuns, someOf } from "../fixtures/num-runs.ts";

const RACES = numRuns(20);
const options = { skip: noGit };

interface Claim {
  task: { path: string; owner: string } | null;
  shared?: boolean;
  hint?: string;
}

type Start = Parameters<typeof startMachine>[1];

async function serverOn(
  t: TestContext,
  remote: string,
  name: string,
  { files = {}, clock }: Pick<Start, "files" | "clock"> = {},
) {
  const machine = await startMachine(t, { name, remote, files, ...(clock && { clock }) });
  const { workspace, state, env } = machine;
  workspace.sharing = new AutoSync({ workspace, state, env, log: createLog("error", () => {}) });
  workspace.news = () => recentNews(state, workspace.root);
  return machine;
}

function bareRemote(t: TestContext): string {
  const remote = bareRepository(t);
  return remote;
}

const tasks = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `p/tasks/${String(at + 1).padStart(3, "0")}-task.md`,
      `# Task ${at + 1}\n\nStatus: pending\n`,
    ]),
  );

const claim = (machine: Machine, agent: string) => machine.call<Claim>("claim_task", { project: "p", agent });

for (const names of someOf([
  ["a1", "b1", "c1", "d1"],
  ["claude", "claude", "claude", "claude"],
]))
  test(
    `of four machines that claim at once, each gets a task of its own (${names[0]})`,
    options,
    async (t) => {
      const remote = bareRemote(t);
      const machines = [await serverOn(t, remote, "ana", { files: tasks(RACES * 4) })];
      for (const name of ["ben", "cho", "dan"]) machines.push(await serverOn(t, remote, name));
      const seen = new Set<string>();
      for (let race = 0; race < RACES; race++) {
        const claims = await Promise.all(machines.map((machine, at) => claim(machine, names[at] ?? "")));
        for (const { task, shared, hint } of claims) {
          assert.ok(task !== null && shared, hint);
          assert.ok(!seen.has(task.path), `${task.path} was claimed twice`);
          seen.add(task.path);
        }
      }
    },
  );

test(
  "a claim offline says that others do not know, and the first to reach the remote keeps the task",
  options,
  async (t) => {
    const remote = bareRemote(t);
    const ana = await serverOn(t, remote, "ana", { files: tasks(1) });
    const ben = await serverOn(t, remote, "ben");
    renameSync(remote, `${remote}.away`);
    for (const [machine, agent] of [
      [ana, "a1"],
      [ben, "b1"],
    ] as const) {
      const { shared, hint } = await claim(machine, agent);
      assert.equal(shared, false);
      assert.match(hint ?? "", /do not know/);
    }
    const why = () => ana.workspace.sharing?.exchange("p");
    assert.match((await why()) ?? "", /remote/);
    assert.equal(await seeing(["p"], why), "the operator's log says why", "it may name any project");
    renameSync(`${remote}.away`, remote);
    await ben.workspace.sharing?.exchange("p");
    await ana.workspace.sharing?.exchange("p");
    const { content } = await ana.client.callTool({ name: "list_tasks", arguments: { project: "p" } });
    const told = JSON.stringify(content);
    assert.match(told, /held by 'b1', who claimed it first/);
    assert.deepEqual((await ana.sync()).kept, [], "there is nothing to decide");
  },
);

test("a word that sync brought is told as what came from that machine", options, async (t) => {
  const remote = bareRemote(t);
  const ana = await serverOn(t, remote, "ana", { files: tasks(1) });
  const ben = await serverOn(t, remote, "ben");
  await claim(ana, "a1");
  await ben.sync();
  const note = { project: "p", task: "1", status: "in-progress", note: "Ship it.", agent: "miles" };
  await ben.call("update_task_status", note);
  await ben.sync();
  await ana.sync();
  const { news } = await ana.call<{ news: string[] }>("list_tasks", { project: "p" });
  assert.deepEqual(news.length, 1);
  assert.match(
    news[0] ?? "",
    /^'sync from ben on .+' brought a line under Notes of `p\/tasks\/001-task\.md`, quoted: 'Ship it\.'$/,
  );
});

interface Created {
  task: { number: string; path: string };
  hint?: string;
}

const create = (machine: Machine, title: string) =>
  machine.call<Created>("create_task", { project: "p", title, objective: `${machine.name} wants it.` });

test(
  "of machines that create tasks at once, each answers with the number that its task keeps",
  options,
  async (t) => {
    const remote = bareRemote(t);
    const machines = [await serverOn(t, remote, "ana", { files: tasks(1) })];
    for (const name of ["ben", "cho"]) machines.push(await serverOn(t, remote, name));
    const answers: { machine: Machine; path: string; number: string }[] = [];
    for (const title of ["Same", "Same"]) {
      const made = await Promise.all(machines.map((machine) => create(machine, title)));
      for (const [at, machine] of machines.entries()) {
        const { task, hint = "" } = made[at] as Created;
        assert.doesNotMatch(hint, /do not know/);
        answers.push({ machine, ...task });
      }
    }
    for (const machine of machines) await machine.sync();
    assert.equal(new Set(answers.map(({ number }) => number)).size, answers.length);
    for (const { machine, path, number } of answers) {
      assert.ok(path.startsWith(`p/tasks/${number}-`));
      for (const { root } of machines)
        assert.match(readFileSync(join(root, path), "utf8"), new RegExp(`${machine.name} wants it`));
    }
  },
);

test(
  "a task that is created offline gets a number here, and its answer says that it may change",
  options,
  async (t) => {
    const remote = bareRemote(t);
    const ana = await serverOn(t, remote, "ana", { files: tasks(1) });
    renameSync(remote, `${remote}.away`);
    const { task, hint } = await create(ana, "Alone");
    assert.equal(task.path, "p/tasks/002-alone.md");
    assert.match(hint ?? "", /do not know of number 002 yet: .*may get another/);
  },
);

const HOUR_MS = 3_600_000;
const clockOff = (hours: number) => ({ now: () => new Date(Date.now() + hours * HOUR_MS) });

test("clocks that are an hour wrong lose no change, and never give a task to two", options, async (t) => {
  const remote = bareRemote(t);
  const machines = [await serverOn(t, remote, "ana", { files: tasks(12) })];
  for (const [name, hours] of [
    ["ben", 1],
    ["cho", -1],
  ] as const)
    machines.push(await serverOn(t, remote, name, { clock: clockOff(hours) }));
  const holders = new Map<string, string>();
  for (let race = 0; race < 3; race++) {
    const claims = await Promise.all(machines.map((machine) => claim(machine, `${machine.name} agent`)));
    // On a busy machine an answer may come before the others know, and says so.
    for (const { task, shared } of claims) if (task !== null && shared) holders.set(task.path, task.owner);
    for (const machine of machines)
      await machine.call("log_session", { project: "p", content: `${machine.name} ${race}.` });
  }
  for (const machine of [...machines, ...machines])
    assert.deepEqual([(await machine.sync()).problem, machine.name], [undefined, machine.name]);
  const [first, ...others] = machines.map(({ root }) => imageOf(root));
  for (const other of others) assert.deepEqual(other, first);
  const [ana] = machines as [Machine];
  const { tasks: found } = await ana.call<{ tasks: { path: string; owner?: string }[] }>("list_tasks", {
    project: "p",
    status: "in-progress",
  });
  const owners = new Map(found.map(({ path, owner = "" }) => [path, owner]));
  assert.deepEqual(new Map([...holders.keys()].map((path) => [path, owners.get(path)])), holders);
  const texts = filesOf(ana.root).map((path) => readFileSync(join(ana.root, path), "utf8"));
  for (const { name } of machines)
    for (const race of [0, 1, 2]) assert.match(texts.join("\n"), new RegExp(`${name} ${race}\\.`));
});
