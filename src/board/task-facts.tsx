import type { ComponentChildren } from "preact";
import { parseTaskNumber } from "../core/notes/names.ts";
import { type FieldValue, isOverdue, TASK_FIELDS, type TaskField } from "../core/notes/task/fields.ts";
import { isClosed } from "../core/notes/task/statuses.ts";
import { activity } from "./activity/store.ts";
import { Initials } from "./activity/who.tsx";
import { clock, timeLeft, useToday } from "./clock.ts";
import { formatDay, formatTime } from "./dates.ts";
import { daysBetween } from "./due.ts";
import { fieldText } from "./fields.ts";
import { say, valueName, words } from "./language.ts";
import type { Task } from "./model.ts";
import { useStore } from "./store.ts";

interface FactProps {
  task: Task;
  /** With its value in words, where a mark alone would be too short. */
  isNamed?: boolean;
  /** How many of a list are shown; what is left out is a number. */
  most?: number | undefined;
}

/** A merge conflict, what is not read, and whether the task is ready or what it waits for. */
function StateFact({ task }: FactProps) {
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

type FactName = TaskField | "project" | "state" | "progress";

/** Facts with a look of their own; other fields show name and value. */
const FACTS: Partial<Record<FactName, (props: FactProps) => ComponentChildren>> = {
  project: ProjectFact,
  state: StateFact,
  priority: PriorityFact,
  due: DueFact,
  owner: OwnerFact,
  tags: TagsFact,
  progress: ProgressFact,
};
export const PLAIN_FIELDS = TASK_FIELDS.filter((name) => FACTS[name] === undefined);

/** What a task says of itself, wherever it is shown; nothing if it has none. */
export function Facts({ names, ...props }: FactProps & { names: readonly FactName[] }) {
  return (
    <>
      {names.map((name) => {
        const Fact = FACTS[name] ?? PlainFact;
        return <Fact key={name} name={name as TaskField} {...props} />;
      })}
    </>
  );
}

function PlainFact({ task, name }: FactProps & { name: TaskField }) {
  const text = fieldText(task, name);
  return isOpen(task) && text !== "" ? (
    <span class="fact">{`${words.field.names[name]}: ${text}`}</span>
  ) : null;
}

function ProjectFact({ task: { project } }: FactProps) {
  return <bdi class="fact">{project}</bdi>;
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
function TagsFact({ task: { tags }, most = tags.length }: FactProps) {
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
function ProgressFact({ task: { progress } }: FactProps) {
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

/** Who has a task. */
function OwnerFact({ task: { owner, held_until: end, claimed_until }, isNamed = false }: FactProps) {
  const isKnown = useStore(activity, ({ agents }) => owner !== null && agents.has(owner));
  const left = useStore(clock, (now) => (end === undefined ? undefined : timeLeft(end, now)));
  if (owner === null) return null;
  const title =
    end === undefined
      ? say(words.task.owner, { name: owner })
      : say(words.task.claim, { name: owner, time: formatTime(end) });
  // Claims are what agents make; of one that this server did not see, nothing else is known.
  const kind = isKnown || claimed_until !== undefined ? "agent" : "person";
  return (
    <span class="fact owner" title={title}>
      <Initials name={owner} kind={kind} /> <span class="unseen">{words.activity.kinds[kind]} </span>
      <bdi class={isNamed ? "" : "unseen"}>{owner}</bdi>
      {left !== undefined && (
        <span class={isNamed ? "soft" : "unseen"}>{say(words.activity.left, { time: left })}</span>
      )}
    </span>
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
