import { groupBy } from "../../../lib/collections.ts";
import { waitingCircle } from "../../../notes/task/dependencies.ts";
import { inWorkOrder } from "../../../notes/task/order.ts";
import type { Task } from "../../model.ts";
import { taskFinder } from "../../task-list.ts";

/** A task with its place: it is in a layer right of all that it depends on. */
export interface GraphNode {
  task: Task;
  layer: number;
  row: number;
}

export interface Graph {
  /** By layer, each from top to bottom. */
  layers: readonly (readonly GraphNode[])[];
  /** From what a task depends on to the task. */
  edges: readonly { from: GraphNode; to: GraphNode }[];
  /** Tasks that wait for each other. */
  circles: readonly (readonly Task[])[];
  /** Tasks that no line leads to. */
  loose: readonly Task[];
}

/** The dependencies among the tasks of a project. */
export function graphOf(tasks: readonly Task[]): Graph {
  const ordered = inWorkOrder(tasks);
  const needs = needsOf(ordered);
  const isNeeded = new Set([...needs.values()].flat());
  const linked = ordered.filter((task) => isNeeded.has(task) || (needs.get(task) ?? []).length > 0);
  const { layerOf, circles } = layersOf(linked, needs);
  const layers = placed(linked, needs, layerOf);
  const nodes = new Map(layers.flat().map((node) => [node.task, node]));
  const edges = [...nodes.values()].flatMap((to) =>
    (needs.get(to.task) ?? []).flatMap((task) => ({ from: nodes.get(task) ?? to, to })),
  );
  return { layers, edges, circles, loose: ordered.filter((task) => !nodes.has(task)) };
}

type Needs = ReadonlyMap<Task, readonly Task[]>;

/** What each task depends on; never itself. */
function needsOf(tasks: readonly Task[]): Needs {
  const find = taskFinder(tasks);
  return new Map(
    tasks.map((task) => {
      const found = task.dependencies.flatMap((reference) => find(reference) ?? []);
      return [task, [...new Set(found)].filter((one) => one !== task)];
    }),
  );
}

/** Each task one layer after the last of those that it depends on; a circle is cut at the task that comes first. */
function layersOf(tasks: readonly Task[], needs: Needs) {
  const layerOf = new Map<Task, number>();
  const circles: (readonly Task[])[] = [];
  const place = (task: Task) => {
    const known = (needs.get(task) ?? []).flatMap((one) => layerOf.get(one) ?? []);
    layerOf.set(task, Math.max(-1, ...known) + 1);
  };
  for (let left = tasks; left.length > 0; left = left.filter((task) => !layerOf.has(task))) {
    const before = layerOf.size;
    for (const task of left) if ((needs.get(task) ?? []).every((one) => layerOf.has(one))) place(task);
    const [first] = left;
    if (layerOf.size > before || first === undefined) continue;
    const cut = inCircle(first, needs, layerOf);
    const circle = waitingCircle(cut, tasks);
    if (circle !== null) circles.push(circle);
    place(cut);
  }
  return { layerOf, circles };
}

/** The tasks without a layer all wait for another one: whoever follows them comes to the same one twice. */
function inCircle(start: Task, needs: Needs, layerOf: ReadonlyMap<Task, number>): Task {
  const seen = new Set<Task>();
  let task = start;
  while (!seen.has(task)) {
    seen.add(task);
    task = needs.get(task)?.find((one) => !layerOf.has(one)) ?? task;
  }
  return task;
}

/** In a layer, a task is as high as what it depends on, so that few lines cross. */
function placed(tasks: readonly Task[], needs: Needs, layerOf: ReadonlyMap<Task, number>): GraphNode[][] {
  const layers: GraphNode[][] = [];
  const rowOf = new Map<Task, number>();
  const height = (task: Task) => {
    const rows = (needs.get(task) ?? []).flatMap((one) => rowOf.get(one) ?? []);
    return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length;
  };
  const byLayer = groupBy(tasks, (task) => layerOf.get(task));
  for (let layer = 0; layer < byLayer.size; layer++) {
    const keyed = (byLayer.get(layer) ?? [])
      .map((task) => ({ task, key: height(task) }))
      .sort((a, b) => a.key - b.key);
    layers.push(keyed.map(({ task }, row) => ({ task, layer, row })));
    for (const [row, { task }] of keyed.entries()) rowOf.set(task, row);
  }
  return layers;
}
