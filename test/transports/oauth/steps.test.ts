import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../../src/core/lib/log.ts";
import { openSteps } from "../../../src/serve/oauth/steps.ts";

const DAY = 24 * 3_600_000;
const log = createLog("silent", () => {});
const grantOf = (n: number) => `${n}`.padStart(16, "0");

/** Steps that are saved in a text, with a clock that the test moves. */
function openOver(world: { now: number; text?: string }) {
  const update = async (change: (text: string | undefined) => string) => {
    world.text = change(world.text);
  };
  return openSteps({ now: () => world.now, update, lifetime: 30 * DAY, log });
}

test("above 10,000 grants the least recently used one is forgotten, and its tokens are refused", async () => {
  const world = { now: 1_000_000 };
  const steps = await openSteps({ now: () => world.now, update: undefined, lifetime: 30 * DAY, log });
  for (let n = 0; n < 10_001; n++) {
    world.now++;
    assert.equal(await steps.take(grantOf(n), 0), true);
  }
  assert.equal(steps.since(), 1_000_002, "after the first grant's only step");
  assert.equal(await steps.take(grantOf(1), 0), false);
  assert.equal(steps.isEnded(grantOf(1)), true);
});

test("an expired grant is dropped from the file", async () => {
  const world: { now: number; text?: string } = { now: 1_000_000 };
  const steps = await openOver(world);
  await steps.take(grantOf(1), 0);
  assert.match(world.text ?? "", new RegExp(grantOf(1)));
  world.now += 30 * DAY;
  await steps.take(grantOf(2), 0);
  assert.doesNotMatch(world.text ?? "", new RegExp(grantOf(1)));
  assert.equal(steps.since(), 1_000_000);
});

test("a refresh may be repeated right after a restart, and times in the future are read as now", async () => {
  const world: { now: number; text?: string } = { now: 1_000_000 };
  const before = await openOver(world);
  await before.take(grantOf(1), 3);
  world.now += 9_999;
  const after = await openOver(world);
  assert.equal(await after.take(grantOf(1), 3), true);
  world.text = JSON.stringify({ since: 9e15, grants: [[grantOf(2), null, 9e15]] });
  const later = await openOver(world);
  assert.equal(later.since(), world.now);
  assert.equal(later.isEnded(grantOf(2)), true);
});
