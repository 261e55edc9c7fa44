import type { ComponentChildren } from "preact";
import { parseTaskNumber } from "../core/notes/names.ts";
import { type FieldValue, isOverdue, TASK_FIELDS, type TaskField } from "../core/notes/task/fields.ts";
import { lastNote } from "../core/notes/task/note-line.ts";
import { isClosed } from "../core/notes/task/statuses.ts";
import { Owner } from "./activity/owner.tsx";
import { useSummary } from "./answer.ts";
import { useToday } from "./clock.ts";
import { formatDay } from "./dates.ts";
import { daysBetween } from "./due.ts";
import { fieldText } from "./fields.ts";
import { say, valueName, words } from "./language.ts";
import type { Task } from "./model.ts";

interface FactProps {
  task: Task;
  /** With its value in words, where a mark alone would be too short. */
  isNamed?: boolean;
}

/** A merge conflict, what is not read, and whether the task is ready or what it waits for. */
export function StateChips({ task }: FactProps) {
  const { conflicts, unread, ready, open_dependencies: open } = task;
  return (
    <>
      {conflicts !== undefined && <span class="fact bad">{words.task.conflict}</span>}
      {unread !== undefined && (
        <span class="fact warn" title={unread.join("\n")}>
          {say(words.task.unread, { count: unread.length })}
        </span>
      )}
      {ready && conflicts === undefined && <span class="fact good">{words.task.ready}</span>}
      {isOpen(task) && open.length > 0 && <span class="fact warn">{waitsFor(open)}</span>}
    </>
  );
}

/** Fields with a look of their own; the others show name and value. */
const FACTS: Partial<Record<TaskField, (props: FactProps) => ComponentChildren>> = {
  priority: PriorityFact,
  due: DueFact,
  owner: Owner,
  tags: Tags,
};
export const PLAIN_FIELDS = TASK_FIELDS.filter((name) => FACTS[name] === undefined);

export function FieldChip({ name, ...props }: FactProps & { name: TaskField }) {
  const { task } = props;
  const Fact = FACTS[name];
  if (Fact !== undefined) return <Fact {...props} />;
  const text = fieldText(task, name);
  return isOpen(task) && text !== "" ? (
    <span class="fact">{`${words.field.names[name]}: ${text}`}</span>
  ) : null;
}

const BARS: Record<FieldValue<"priority">, number> = { low: 1, medium: 2, high: 3 };

/** One to three bars. */
function PriorityFact({ task, isNamed = false }: FactProps) {
  const { priority } = task;
  if (!isOpen(task) || priority === undefined) return null;
  const name = valueName("priority", priority);
  return (
    <span class={`fact priority-${priority}`} title={name}>
      <svg class="bars" viewBox="0 0 16 16" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <rect
            key={bar}
            class={bar <= BARS[priority] ? "" : "off"}
            x={bar * 5 - 4}
            y={14 - bar * 4}
            width="3"
            height={bar * 4}
            rx="1"
          />
        ))}
      </svg>
      <span class={isNamed ? "" : "unseen"}>{name}</span>
    </span>
  );
}

function DueFact({ task }: FactProps) {
  const { due } = task;
  const today = useToday();
  if (!isOpen(task) || due === undefined) return null;
  const [day, isLate] = [formatDay(due), isOverdue(task, today)];
  return (
    <time class={`fact due ${isLate ? "bad" : ""}`} dateTime={due} title={say(words.task.due, { day })}>
      {isLate ? say(words.task.late, { count: daysBetween(due, today) }) : day}
    </time>
  );
}

/** The first `most` tags, and how many more there are. */
export function Tags({ task: { tags }, most = tags.length }: FactProps & { most?: number }) {
  const rest = tags.slice(most).map((tag) => `#${tag}`);
  return (
    <>
      {tags.slice(0, most).map((tag) => (
        <span key={tag} class="fact">
          <bdi>#{tag}</bdi>
        </span>
      ))}
      {rest.length > 0 && (
        <span class="fact" title={rest.join(" ")}>
          <span aria-hidden="true">+{rest.length}</span>
          <span class="unseen">{rest.join(" ")}</span>
        </span>
      )}
    </>
  );
}

/** A ring. */
export function Progress({ task: { progress } }: FactProps) {
  const { done, total } = progress;
  if (total === 0) return null;
  const name = say(words.task.progress, { done, total });
  return (
    <span class="fact progress" role="img" aria-label={name} title={name}>
      <svg class="ring" viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6" />
        <circle class="done" cx="8" cy="8" r="6" pathLength={total} stroke-dasharray={`${done} ${total}`} />
      </svg>
      {done}/{total}
    </span>
  );
}

/** Why a task is blocked that waits for no other: what was noted last. */
export function Reason({ task: { path } }: FactProps) {
  const value = useSummary(path, lastNote);
  return value === undefined ? null : (
    <p class="card-line" dir="auto">
      <q>{value}</q>
    </p>
  );
}

/** A title with its code marks. */
export function TitleText({ text }: { text: string }) {
  return (
    <>{text.split(/`([^`]+)`/).map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>
  );
}

export function isOpen({ status }: Task): boolean {
  return !isClosed(status);
}

/** `Waits for 003` of `003-add-login`. */
export function waitsFor(references: readonly string[]): string {
  return say(words.task.waits, { tasks: references.map((one) => parseTaskNumber(one) ?? one).join(", ") });
}
