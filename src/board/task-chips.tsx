import type { ComponentChildren } from "preact";
import { parseTaskNumber } from "../notes/names.ts";
import { isOverdue, TASK_FIELDS, type TaskField } from "../notes/task/fields.ts";
import { Owner } from "./activity/owner.tsx";
import { useToday } from "./clock.ts";
import { formatDay } from "./dates.ts";
import { fieldText } from "./fields.ts";
import { valueName, words } from "./language.ts";
import type { Task } from "./model.ts";

interface ChipProps {
  task: Task;
}

/** What a list says about a task: its state, fields and progress. */
export function TaskChips({ task }: ChipProps) {
  return (
    <div class="chips">
      <StateChips task={task} />
      {TASK_FIELDS.map((name) => (
        <FieldChip key={name} task={task} name={name} />
      ))}
      <Progress task={task} />
    </div>
  );
}

/** A merge conflict, what is not read, and whether the task is ready or what it waits for. */
export function StateChips({ task }: ChipProps) {
  const { conflicts, unread, ready, open_dependencies: open } = task;
  return (
    <>
      {conflicts !== undefined && <span class="chip bad">{words.task.conflict}</span>}
      {unread !== undefined && (
        <span class="chip warn" title={unread.join("\n")}>
          {words.task.unread(unread.length)}
        </span>
      )}
      {ready && <span class="chip good">{words.task.ready}</span>}
      {isOpen(task) && open.length > 0 && <span class="chip warn">{waitsFor(open)}</span>}
    </>
  );
}

/** Fields with a chip of their own; the others show name and value. */
const CHIPS: Partial<Record<TaskField, (props: ChipProps) => ComponentChildren>> = {
  priority: PriorityChip,
  due: DueChip,
  owner: Owner,
  tags: Tags,
};
export const PLAIN_FIELDS = TASK_FIELDS.filter((name) => CHIPS[name] === undefined);

export function FieldChip({ task, name }: ChipProps & { name: TaskField }) {
  const Chip = CHIPS[name];
  if (Chip !== undefined) return <Chip task={task} />;
  const text = fieldText(task, name);
  return isOpen(task) && text !== "" ? (
    <span class="chip">{`${words.field.names[name]}: ${text}`}</span>
  ) : null;
}

function PriorityChip({ task }: ChipProps) {
  const { priority } = task;
  if (!isOpen(task) || priority === undefined) return null;
  return <span class={`chip ${priority === "high" ? "bad" : ""}`}>{valueName("priority", priority)}</span>;
}

export function DueChip({ task }: ChipProps) {
  const { due } = task;
  const today = useToday();
  if (!isOpen(task) || due === undefined) return null;
  const isLate = isOverdue(task, today);
  const text = (isLate ? words.task.overdue : words.task.due)(formatDay(due));
  return <span class={`chip ${isLate ? "bad" : ""}`}>{text}</span>;
}

/** The first `most` tags, and how many more there are. */
export function Tags({ task: { tags }, most = tags.length }: ChipProps & { most?: number }) {
  const rest = tags.slice(most).map((tag) => `#${tag}`);
  return (
    <>
      {tags.slice(0, most).map((tag) => (
        <span key={tag} class="chip">
          #<bdi>{tag}</bdi>
        </span>
      ))}
      {rest.length > 0 && (
        <span class="chip" title={rest.join(" ")}>
          <span aria-hidden="true">+{rest.length}</span>
          <span class="unseen">{rest.join(" ")}</span>
        </span>
      )}
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

export function isOpen({ status }: Task): boolean {
  return status !== "done";
}

/** `Waits for 003` of `003-add-login`. */
export function waitsFor(references: readonly string[]): string {
  return words.task.waits(references.map((one) => parseTaskNumber(one) ?? one).join(", "));
}
