import { parseTaskNumber } from "../notes/names.ts";
import { isOverdue } from "../notes/task-fields.ts";
import { Owner } from "./activity/owner.tsx";
import { formatDay, today } from "./dates.ts";
import { words } from "./language.ts";
import type { Task } from "./model.ts";

interface ChipProps {
  task: Task;
}

/** What a card says about a task: a merge conflict, priority, due date, owner or claim, blockers, tags, progress, and whether it is ready. */
export function TaskChips({ task }: ChipProps) {
  const { open_dependencies: open } = task;
  return (
    <div class="chips">
      {task.conflicts !== undefined && <span class="chip bad">{words.task.conflict}</span>}
      {task.ready && <span class="chip good">{words.task.ready}</span>}
      <PriorityChip task={task} />
      <DueChip task={task} />
      <Owner task={task} />
      {isOpen(task) && open.length > 0 && <span class="chip warn">{waitsFor(open)}</span>}
      <Tags task={task} />
      <Progress task={task} />
    </div>
  );
}

export function PriorityChip({ task }: ChipProps) {
  const { priority } = task;
  if (!isOpen(task) || priority === undefined) return null;
  return <span class={`chip ${priority === "high" ? "bad" : ""}`}>{words.task.priority[priority]}</span>;
}

export function DueChip({ task }: ChipProps) {
  const { due } = task;
  if (!isOpen(task) || due === undefined) return null;
  const isLate = isOverdue(task, today());
  const text = (isLate ? words.task.overdue : words.task.due)(formatDay(due));
  return <span class={`chip ${isLate ? "bad" : ""}`}>{text}</span>;
}

export function Tags({ task: { tags } }: ChipProps) {
  return (
    <>
      {tags.map((tag) => (
        <span key={tag} class="chip">
          #<bdi>{tag}</bdi>
        </span>
      ))}
    </>
  );
}

export function Progress({ task: { progress } }: ChipProps) {
  const { done, total } = progress;
  if (total === 0) return null;
  return (
    <span class="progress">
      <progress value={done} max={total} aria-label={words.task.progress(done, total)} />
      <span aria-hidden="true">
        {done}/{total}
      </span>
    </span>
  );
}

function isOpen({ status }: Task): boolean {
  return status !== "done";
}

/** `Waits for 003` of `003-add-login`. */
export function waitsFor(references: readonly string[]): string {
  return words.task.waits(references.map((one) => parseTaskNumber(one) ?? one).join(", "));
}
