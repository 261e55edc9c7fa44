import { localDate } from "../lib/clock.ts";
import { parseTaskNumber } from "../notes/names.ts";
import { isOverdue } from "../notes/task-fields.ts";
import { language, words } from "./language.ts";
import type { Task } from "./model.ts";

/** What a card says about a task: a merge conflict, priority, due date, owner or claim, blockers, tags, progress, and whether it is ready. */
export function TaskChips({ task }: { task: Task }) {
  const { priority, due, owner, tags, progress, open_dependencies: open, status } = task;
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
      {owner !== null && (
        <span class="chip accent" title={claimOf(task) ?? words.task.owner(owner)}>
          <bdi>{owner}</bdi>
        </span>
      )}
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

/** YYYY-MM-DD, in this machine's time zone. */
export function today(): string {
  return localDate(new Date());
}

const DAY = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
const DAY_AND_YEAR = new Intl.DateTimeFormat(language, { dateStyle: "medium" });
const TIME = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** The day as people of the page's language write it, without the year if it is this one. */
export function formatDay(day: string): string {
  const date = new Date(`${day.slice(0, 10)}T00:00`);
  if (Number.isNaN(date.getTime())) return day;
  return (day.slice(0, 4) === today().slice(0, 4) ? DAY : DAY_AND_YEAR).format(date);
}

/** A time as people of the page's language write it. */
export function formatTime(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : TIME.format(date);
}

function claimOf({ owner, held_until: end }: Task): string | undefined {
  return owner === null || end === undefined ? undefined : words.task.claim(owner, formatTime(end));
}

/** `003` of `003-add-login`. */
function shortReference(reference: string): string {
  return parseTaskNumber(reference) ?? reference;
}
