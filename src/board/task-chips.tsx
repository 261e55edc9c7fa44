import { parseTaskNumber } from "../notes/names.ts";
import { isOverdue } from "../notes/task-fields.ts";
import { Owner } from "./activity/owner.tsx";
import { formatDay, today } from "./dates.ts";
import { words } from "./language.ts";
import type { Task } from "./model.ts";

/** What a card says about a task: a merge conflict, priority, due date, owner or claim, blockers, tags, progress, and whether it is ready. */
export function TaskChips({ task }: { task: Task }) {
  const { priority, due, tags, progress, open_dependencies: open, status } = task;
  const isOpen = status !== "done";
  return (
    <div class="chips">
      {task.conflicts !== undefined && <span class="chip bad">{words.task.conflict}</span>}
      {task.ready && <span class="chip good">{words.task.ready}</span>}
      {isOpen && priority !== undefined && (
        <span class={`chip ${priority === "high" ? "bad" : ""}`}>{words.task.priority[priority]}</span>
      )}
      {isOpen && due !== undefined && (
        <span class={`chip ${isLate(task) ? "bad" : ""}`}>
          {(isLate(task) ? words.task.overdue : words.task.due)(formatDay(due))}
        </span>
      )}
      <Owner task={task} />
      {isOpen && open.length > 0 && (
        <span class="chip warn">{words.task.waits(open.map(shortReference).join(", "))}</span>
      )}
      {tags.map((tag) => (
        <span key={tag} class="chip">
          #<bdi>{tag}</bdi>
        </span>
      ))}
      {progress.total > 0 && (
        <span class="progress">
          <progress
            value={progress.done}
            max={progress.total}
            aria-label={words.task.progress(progress.done, progress.total)}
          />
          <span aria-hidden="true">
            {progress.done}/{progress.total}
          </span>
        </span>
      )}
    </div>
  );
}

/** Due before today, and not done. */
function isLate(task: Task): boolean {
  return task.status !== "done" && isOverdue(task, today());
}

/** `003` of `003-add-login`. */
function shortReference(reference: string): string {
  return parseTaskNumber(reference) ?? reference;
}
