import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { isNightly, SEED } from "../fixtures/num-runs.ts";

/** A row of the table in docs/contributing/rules.md: what was thrown at the server, how often, and what happened. */
export function report(t: TestContext, what: string, times: number, happened: string): void {
  t.diagnostic(`reliability ${JSON.stringify({ what, times, happened })}`);
}

/** Numbers from 0 to 1, the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39) >>> 0;
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** What is drawn by lot, the same for the same seed. */
export class Lot {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomFrom(seed);
  }

  /** A whole number from 0 on. */
  below(limit: number): number {
    return Math.floor(this.#next() * limit);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

interface Kills {
  /** What is killed, for the report. */
  what: string;
  runs: number;
  /** How many at the same time. */
  parallel: number;
  /** The file calls of a whole run: one is killed at a random one of them. */
  calls: number;
}

/** Kills at random points; `killAndRecover` resolves to whether one left something half done, as one of many must. */
export async function killAtRandom(
  t: TestContext,
  { what, runs, parallel, calls }: Kills,
  killAndRecover: (at: number) => Promise<boolean>,
): Promise<void> {
  const random = randomFrom(SEED);
  let interrupted = 0;
  for (let run = 0; run < runs; run += parallel) {
    const points = Array.from({ length: parallel }, () => 1 + Math.floor(random() * calls));
    const done = await Promise.all(points.map(killAndRecover));
    interrupted += done.filter(Boolean).length;
  }
  assert.ok(interrupted > 0 || !isNightly);
  report(
    t,
    `kills at random points of ${what}`,
    runs,
    `${interrupted} left half done, all undone by the next start`,
  );
}
