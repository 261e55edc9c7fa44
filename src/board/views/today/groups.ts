import { byUrgency, inWorkOrder, sortedBy } from "../../../core/notes/task/order.ts";
import { addDays, isDueSoon, WEEK } from "../../due.ts";
import type { Task } from "../../model.ts";

/** What a person has to decide: nothing goes on with it until then. */
export function waitsForYou(task: Task): boolean {
  const { status, conflicts, open_dependencies: open } = task;
  // By no other task, so by what a person has to answer.
  const isBlocked = status === "blocked" && open.length === 0;
  return status === "review" || conflicts !== undefined || isBlocked || isLeft(task);
}

export function waitingIn(tasks: ReadonlyMap<string, readonly Task[]>): Task[] {
  return [...tasks.values()].flatMap((list) => list.filter(waitsForYou));
}

/** Whether an agent's claim ran out before its work was done. */
export function isLeft({ status, claimed_until: claimed, held_until: held }: Task): boolean {
  return status === "in-progress" && claimed !== undefined && held === undefined;
}

/** The tasks that matter on `today` (YYYY-MM-DD); a task may be in several groups. */
export function groupTasks(tasks: readonly Task[], today: string) {
  const having = (wanted: string) => tasks.filter(({ status }) => status === wanted);
  const recent = addDays(today, -WEEK);
  const done = having("done").filter(({ updated }) => updated >= recent);
  return {
    forYou: byUrgency(tasks.filter(waitsForYou)),
    inProgress: byUrgency(having("in-progress")),
    blocked: byUrgency(having("blocked")),
    due: sortedBy(
      tasks.filter((task) => isDueSoon(task, today)),
      "due",
    ),
    done: inWorkOrder(done),
  };
}
