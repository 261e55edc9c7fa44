import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { ended, locksOf, startScript } from "../fixtures/locks.ts";
import { numRuns, SEED } from "../fixtures/num-runs.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";
import { randomFrom } from "./runs.ts";

const skip = process.platform === "win32" && "Windows has no SIGSTOP";
const PROCESSES = 8;
const ROUNDS = numRuns(100);

/** Counts in a file under the lock until its stdin ends, and prints each number once it is written. */
const COUNT = `
  let isOver = false;
  process.stdin.on("data", () => {}).on("end", () => { isOver = true; });
  const add = (lock) => {
    const next = String(Number(fs.readFileSync(root + "/counter", "utf8")) + 1);
    return replaceFile(root + "/counter", [Buffer.from(next)], undefined, { lock }).then(() => next);
  };
  while (!isOver) {
    const said = await withLock(root, "p", add).catch((error) => {
      if (error.code === "CONFLICT") return "lost";
      throw error;
    });
    fs.writeSync(1, said + "\\n");
  }
  process.exit();`;

interface Counter {
  child: ChildProcess;
  said: string[];
}

function startCounter(t: TestContext, root: string): Counter {
  const child = startScript(t, root, COUNT);
  const said: string[] = [];
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => said.push(line));
  return { child, said };
}

/** Makes every lock look old, as if its holder had been asleep. */
function age(root: string): void {
  for (const lock of locksOf(root).filter((name) => name.endsWith(".lock"))) {
    try {
      const folder = join(root, ".vibe-mcp", "locks", lock);
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
    } catch {
      // Released meanwhile.
    }
  }
}

test("no update is lost while eight processes break each other's locks, stop, continue and die", {
  skip,
}, async (t) => {
  const root = temporaryFolder(t);
  writeFileSync(join(root, "counter"), "0");
  const all: Counter[] = Array.from({ length: PROCESSES }, () => startCounter(t, root));
  while (all.some(({ said }) => said.length === 0)) {
    assert.ok(all.every(({ child }) => child.exitCode === null));
    await turn();
  }
  const running = [...all];
  const random = randomFrom(SEED);
  const count = () => Number(readFileSync(join(root, "counter"), "utf8"));
  let before = count();
  for (let round = 0; round < ROUNDS; round++) {
    const at = Math.floor(random() * PROCESSES);
    const { child } = running[at] as Counter;
    child.kill("SIGSTOP");
    age(root);
    // The others take the lock over if the stopped process had it.
    while (count() <= before + 1) await turn();
    before = count();
    child.kill(round % 10 === 4 ? "SIGKILL" : "SIGCONT");
    if (round % 10 !== 4) continue;
    await ended(child);
    running[at] = startCounter(t, root);
    all.push(running[at] as Counter);
  }
  for (const { child } of running) child.stdin?.end();
  await Promise.all(running.map(({ child }) => ended(child)));
  const said = all.flatMap((counter) => counter.said);
  const numbers = said.filter((line) => line !== "lost").map(Number);
  assert.equal(new Set(numbers).size, numbers.length, "a number was given twice");
  assert.ok(count() >= Math.max(...numbers));
  // Numbers written but not printed were written by dead processes.
  assert.ok(count() - numbers.length <= all.length - running.length, `${count()}, ${numbers.length} said`);
  assert.ok(said.includes("lost"), "no process lost its lock");
  t.diagnostic(`${numbers.length} updates, ${said.length - numbers.length} locks lost`);
});
