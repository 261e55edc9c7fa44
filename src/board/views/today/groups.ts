import { byUrgency, inWorkOrder, sortedBy } from "../../../core/notes/task/order.ts";
import { addDays, isDueSoon, WEEK } from "../../due.ts";
import type { Task } from "../../model.ts";

/** What a person has to decide: nothing goes on with it until then. */
export function waitsForYou({ status, conflicts }: Task): boolean {
  return status === "review" || conflicts !== undefined;
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
