import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { claimTask } from "../../src/core/workspace/claims.ts";
import { readTasks } from "../../src/core/workspace/tasks.ts";
import { isNightly, numRuns, SEED } from "../fixtures/num-runs.ts";
import { type Files, makeWorkspace, open } from "../fixtures/workspace.ts";

interface Claimed {
  agent: string;
  task: string | null;
  reason?: string;
}

const START = Date.parse("2026-03-01T12:00:00Z");
const ROUNDS = numRuns(40);
const range = (count: number) => Array.from({ length: count }, (_, at) => at);

function tasks(count: number): Files {
  const named = range(count).map((at) => `p/tasks/${String(at + 1).padStart(3, "0")}-t.md`);
  return Object.fromEntries(named.map((path) => [path, "# Task: T\n\nStatus: pending\n"]));
}

/** A process that claims for agents; undefined as an answer means that it was killed. */
async function claimer(root: string) {
  const script = fileURLToPath(new URL("../fixtures/claim-child.ts", import.meta.url));
  const args = ["--import", "tsx", script, root];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, "ready");
  return {
    claim: async (agents: readonly string[], time = START, killAt = 0): Promise<Claimed[] | undefined> => {
      child.stdin.write(`${[killAt, new Date(time).toISOString(), ...agents].join(" ")}\n`);
      const { value, done } = await lines.next();
      return done ? undefined : (JSON.parse(String(value)) as Claimed[]);
    },
    end: () => child.stdin.end(),
  };
}

test("of 40 claimers in 4 processes, 10 get the 10 ready tasks and 30 are told who holds them", async (t) => {
  const root = makeWorkspace(t, tasks(10));
  const children = await Promise.all(range(4).map(() => claimer(root)));
  t.after(() => children.map((child) => child.end()));
  const agents = (at: number) => range(10).map((agent) => `agent-${at}-${agent}`);
  const claims = (await Promise.all(children.map((child, at) => child.claim(agents(at))))).flatMap(
    (all) => all ?? [],
  );
  const won = claims.filter(({ task }) => task !== null);
  assert.deepEqual([claims.length, won.length, new Set(won.map(({ task }) => task)).size], [40, 10, 10]);
  for (const { task, reason } of claims)
    if (task === null)
      assert.match(reason ?? "", /^No task .*: 001 .*held by 'agent-\d-\d' until 2026-03-01T13:00Z/);
  const { workspace } = open(t, root, { clock: { now: () => new Date(START) } });
  const owners = new Map(readTasks(workspace, "p").map(({ filename, owner }) => [filename, owner]));
  for (const { agent, task } of won) assert.equal(owners.get(task ?? ""), agent);
});

test(`in ${ROUNDS} rounds with killed owners no task is claimed twice, and none is stuck past its claim`, async (t) => {
  const root = makeWorkspace(t, tasks(2));
  const other = await claimer(root);
  let doomed = await claimer(root);
  t.after(() => [doomed, other].map((child) => child.end()));
  let time = START;
  const { workspace } = open(t, root, { clock: { now: () => new Date(time) } });
  let kills = 0;
  for (const round of range(ROUNDS)) {
    // Every claim of the round before has run out.
    time = START + round * 3_600_000;
    const killAt = 1 + ((round + SEED) % 40);
    const [killed, live] = await Promise.all([
      doomed.claim([`doomed-${round}`], time, killAt),
      other.claim([`other-${round}`], time),
    ]);
    if (killed === undefined) {
      kills++;
      doomed = await claimer(root);
    }
    const winner = live?.[0]?.task;
    assert.ok(winner, `round ${round}: the other agent got no task`);
    assert.notEqual(killed?.[0]?.task, winner, `round ${round}: claimed twice`);
    const held = readTasks(workspace, "p").filter(({ ready }) => !ready);
    assert.ok(held.some(({ filename, owner }) => filename === winner && owner === `other-${round}`));
    // Whatever the killed process left is open to the next agent, now or when its claim ends.
    const last = await claimTask(workspace, "p", { agent: `last-${round}`, minutes: 60 });
    const left = held.find(({ filename }) => filename !== winner);
    assert.equal(last.task === null, left !== undefined);
    if (left !== undefined) assert.equal(left.owner, `doomed-${round}`);
  }
  assert.ok(kills >= ROUNDS / 4 || !isNightly, `${kills} processes were killed`);
});
