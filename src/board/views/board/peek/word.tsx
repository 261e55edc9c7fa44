import type { Task } from "../../../model.ts";

/** Where a person writes a line to the agent that works on a task. */
export function Word(_: { task: Task }) {
  return null;
}
