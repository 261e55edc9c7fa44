import { taskName } from "../../../../notes/names.ts";
import { isTaskStatus } from "../../../../notes/task/statuses.ts";
import { words } from "../../../language.ts";
import { Line } from "../../../line.tsx";
import type { Task } from "../../../model.ts";
import { can } from "../../../state.ts";
import { setStatus } from "../../../task-status.ts";

/** Where a person writes a line to the agent that works on a task. */
export function Word({ task }: { task: Task }) {
  const { path, status, owner } = task;
  if (!isTaskStatus(status) || !can("update_task_status")) return null;
  const label = words.review.word(status === "done" ? null : owner);
  return (
    <Line
      key={path}
      label={label}
      placeholder={label}
      onEnter={(note) => setStatus(task, { status, note }, words.review.written(taskName(task)))}
      failed={() => words.review.notWritten}
    />
  );
}
