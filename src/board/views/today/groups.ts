import { groupBy } from "../../../core/lib/collections.ts";
import { byUrgency } from "../../../core/notes/task/order.ts";
import { isClosed } from "../../../core/notes/task/statuses.ts";
import type { Task } from "../../model.ts";
import { taskFinder } from "../../task-list.ts";

/** What a person has to decide: nothing goes on with it until then. */
export function waitsForYou(task: Task): boolean {
  const { status, conflicts, open_dependencies: open } = task;
  // By no other task, so by what a person has to answer.
  const isBlocked = status === "blocked" && open.length === 0;
  return status === "review" || conflicts !== undefined || isBlocked || isLeft(task);
}

/** Whether an agent's claim ran out before its work was done. */
export function isLeft({ status, claimed_until: claimed, held_until: held }: Task): boolean {
  return status === "in-progress" && claimed !== undefined && held === undefined;
}

/** The tasks that matter on `today` (YYYY-MM-DD), each in one group, and how many are blocked only by tasks that are under way. */
export function groupTasks(tasks: readonly Task[], today: string) {
  const byProject = groupBy(tasks, ({ project }) => project);
  const finders = new Map([...byProject].map(([project, own]) => [project, taskFinder(own)]));
  const isUnderWay = ({ project, open_dependencies: open }: Task) =>
    open.length > 0 &&
    open.every((name) => ["in-progress", "review"].includes(finders.get(project)?.(name)?.status ?? ""));
  const isPlanned = ({ status, due }: Task) => !isClosed(status) && due !== undefined && due <= today;
  const rest = tasks.filter((task) => !isPlanned(task));
  const blocked = rest.filter(({ status }) => status === "blocked");
  const stuck = blocked.filter((task) => !isUnderWay(task));
  return {
    planned: byUrgency(tasks.filter(isPlanned)),
    inProgress: byUrgency(rest.filter(({ status }) => status === "in-progress")),
    stuck: byUrgency(stuck),
    underWay: blocked.length - stuck.length,
  };
}
