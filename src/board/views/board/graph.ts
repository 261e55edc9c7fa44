import { groupBy } from "../../../core/lib/collections.ts";
import { inWorkOrder } from "../../../core/notes/task/order.ts";
import { isClosed } from "../../../core/notes/task/statuses.ts";
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
  const linked = ordered.filter((task) => isNeeded.has(task) || needs.get(task)?.length);
  // A closed task waits for none.
  const isOpen = ({ status }: Task) => !isClosed(status);
  const openNeeds = new Map([...needs].map(([task, own]) => [task, own.filter(isOpen)]));
  const { circles } = layersOf(linked.filter(isOpen), openNeeds);
  const layers = placed(linked, needs, layersOf(linked, needs).layerOf);
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

/** Each task one layer after the last of those that it depends on; a circle is cut where it closes. */
function layersOf(tasks: readonly Task[], needs: Needs) {
  const layerOf = new Map<Task, number>();
  const circles: (readonly Task[])[] = [];
  for (const start of tasks) {
    // To what has no layer yet, and back once it has one: a long chain would be too deep for calls.
    const way = [start];
    for (let task = layerOf.has(start) ? undefined : start; task !== undefined; task = way.at(-1)) {
      const own = needs.get(task) ?? [];
      const next = own.find((one) => !layerOf.has(one) && !way.includes(one));
      if (next !== undefined) {
        way.push(next);
        continue;
      }
      const closing = own.filter((one) => !layerOf.has(one));
      circles.push(...closing.map((one) => way.slice(way.indexOf(one))));
      layerOf.set(task, Math.max(0, ...own.map((one) => (layerOf.get(one) ?? -1) + 1)));
      way.pop();
    }
  }
  return { layerOf, circles };
}

/** In a layer, a task is as high as what it depends on, so that few lines cross. */
function placed(tasks: readonly Task[], needs: Needs, layerOf: ReadonlyMap<Task, number>): GraphNode[][] {
  const layers: GraphNode[][] = [];
  const rowOf = new Map<Task, number>();
  const height = (task: Task) => {
    const rows = (needs.get(task) ?? []).flatMap((one) => rowOf.get(one) ?? []);
    return rows.reduce((sum, row) => sum + row, 0) / Math.max(rows.length, 1);
  };
  const byLayer = groupBy(tasks, (task) => layerOf.get(task));
  for (let layer = 0; layer < byLayer.size; layer++) {
    const heights = new Map((byLayer.get(layer) ?? []).map((task) => [task, height(task)]));
    const sorted = [...heights].sort(([, a], [, b]) => a - b);
    layers.push(sorted.map(([task], row) => ({ task, layer, row })));
    for (const [row, [task]] of sorted.entries()) rowOf.set(task, row);
  }
  return layers;
}
