import assert from "node:assert/strict";
import { test } from "node:test";
import { type Bodies, createBodies } from "../../../src/serve/http/body.ts";

function open(bodies: Bodies, principal: string) {
  const refused: number[] = [];
  const held = bodies.open(principal, ({ status }) => refused.push(status));
  return { ...held, refused };
}

test("a principal over its share is refused, also while finished bodies wait for an answer", () => {
  const bodies = createBodies({ principal: 10, all: 100 });
  const [first, second, third] = [open(bodies, "a"), open(bodies, "a"), open(bodies, "b")];
  first.take(8);
  first.finish(6);
  second.take(4);
  assert.deepEqual(second.refused, []);
  second.take(5);
  third.take(10);
  assert.deepEqual([first.refused, second.refused, third.refused], [[], [429], []]);
  first.close();
  const fourth = open(bodies, "a");
  fourth.take(10);
  assert.deepEqual(fourth.refused, []);
});

test("when all memory is in use, the largest body of the principal with the most is refused", () => {
  const bodies = createBodies({ principal: 10, all: 15 });
  const [small, large] = [open(bodies, "a"), open(bodies, "a")];
  small.take(3);
  large.take(6);
  const [other, newcomer] = [open(bodies, "b"), open(bodies, "c")];
  other.take(5);
  newcomer.take(2);
  assert.deepEqual([small.refused, large.refused, other.refused, newcomer.refused], [[], [429], [], []]);
});

test("finished bodies of some principals do not keep out others", () => {
  const bodies = createBodies({ principal: 10, all: 15 });
  for (const principal of ["a", "b", "c"]) {
    const body = open(bodies, principal);
    body.take(10);
    body.finish(10);
    assert.deepEqual(body.refused, []);
  }
});
