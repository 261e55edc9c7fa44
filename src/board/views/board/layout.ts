import { groupBy } from "../../../core/lib/collections.ts";
import { compareText } from "../../../core/lib/text.ts";
import { factsOfField } from "../../../core/notes/task/fields.ts";
import type { Task } from "../../model.ts";

/** How tasks may be shown instead of in columns. */
export const LAYOUTS = ["table", "dependencies"] as const;
export type LayoutName = (typeof LAYOUTS)[number];

/** What columns may be divided by. */
export const LANES = ["project", "owner", "priority"] as const;
export type LaneName = (typeof LANES)[number];

export interface Layout {
  /** Undefined: in columns. */
  show: LayoutName | undefined;
  lanes: LaneName | undefined;
  isCompact: boolean;
}

/** The layout in the parameters of an address. */
export function layoutOf({ show, lanes, cards }: Readonly<Record<string, string>>): Layout {
  return {
    show: LAYOUTS.find((one) => one === show),
    lanes: LANES.find((one) => one === lanes),
    isCompact: cards === "compact",
  };
}

/** The tasks of one project, owner or priority; null of none. */
export interface Lane {
  value: string | null;
  tasks: readonly Task[];
}

/** By name or priority; the tasks of none come last. */
export function lanesOf(tasks: readonly Task[], by: LaneName): Lane[] {
  const groups = groupBy(tasks, (task) => task[by] ?? null);
  const lanes = [...groups].map(([value, own]) => ({ value, tasks: own }));
  const words = by === "project" ? undefined : factsOfField(by).values;
  const order = (value: string) => (words === undefined ? value : `${words.indexOf(value)}`);
  return lanes.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return compareText(order(a.value), order(b.value));
  });
}
