import assert from "node:assert/strict";
import { test } from "node:test";
import type { Task } from "../../src/board/model.ts";
import { graphOf } from "../../src/board/views/board/graph.ts";
import { listedTask as task } from "../fixtures/listed-task.ts";

const layersOf = (tasks: readonly Task[]) =>
  graphOf(tasks).layers.map((nodes) => nodes.map(({ task: { number } }) => number));
const needs = (number: string, ...dependencies: string[]) => task(number, { dependencies });

test("a task is one layer after the last of those that it depends on, and lines lead from these to it", () => {
  const tasks = [
    needs("001"),
    needs("002", "1"),
    needs("003", "001-task", "002"),
    needs("004", "001", "900"),
  ];
  assert.deepEqual(layersOf(tasks), [["001"], ["002", "004"], ["003"]]);
  const lines = graphOf(tasks).edges.map(({ from, to }) => `${from.task.number}>${to.task.number}`);
  assert.deepEqual(lines.sort(), ["001>002", "001>003", "001>004", "002>003"]);
});

test("tasks without a line are apart, also one that depends on itself or on nothing that is there", () => {
  const { layers, loose } = graphOf([
    needs("001"),
    needs("002", "002"),
    needs("003", "777"),
    needs("004", "001"),
  ]);
  assert.deepEqual(
    loose.map(({ number }) => number),
    ["002", "003"],
  );
  assert.equal(layers.flat().length, 2);
});

test("circles are named once, and what comes after them has its place", () => {
  const tasks = [
    needs("001", "003"),
    needs("002", "001"),
    needs("003", "002"),
    needs("004", "003"),
    needs("005", "006"),
    needs("006", "005"),
  ];
  const { layers } = graphOf(tasks);
  const circlesOf = (some: readonly Task[]) =>
    graphOf(some).circles.map((circle) => circle.map(({ number }) => number).sort());
  const done = task("003", { dependencies: ["002"], status: "done" });
  assert.deepEqual(circlesOf([needs("002", "003"), done]), []);
  assert.deepEqual(circlesOf([needs("001", "003", "002"), needs("002", "001"), done]), [["001", "002"]]);
  assert.deepEqual(circlesOf(tasks).sort(), [
    ["001", "002", "003"],
    ["005", "006"],
  ]);
  assert.equal(layers.flat().length, 6);
  const layerOf = (number: string) =>
    layers.findIndex((nodes) => nodes.some(({ task: one }) => one.number === number));
  assert.ok(layerOf("004") > layerOf("003"));
});

test("what depends on tasks of higher rows stands higher, so that lines do not cross", () => {
  const tasks = [needs("001"), needs("002"), needs("003", "002"), needs("004", "001")];
  assert.deepEqual(layersOf(tasks), [
    ["001", "002"],
    ["004", "003"],
  ]);
});

test("3,000 tasks in a chain with a circle at its start are laid out", () => {
  const name = (n: number) => String(n).padStart(4, "0");
  const tasks = Array.from({ length: 3000 }, (_, n) => needs(name(n + 1), name(n === 0 ? 2 : n)));
  assert.equal(graphOf(tasks).circles.length, 1);
  assert.equal(graphOf(tasks.slice(2).reverse()).layers.length, 2998);
});
