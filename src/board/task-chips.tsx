import { language } from "./language.ts";
import type { Task } from "./model.ts";
import { words } from "./task-words.ts";

/** What a card says about a task: priority, due date, owner or claim, blockers, tags, progress, and whether it is ready. */
export function TaskChips({ task }: { task: Task }) {
  const { priority, due, owner, tags, progress, open_dependencies: open, status } = task;
  const isOpen = status !== "done";
  return (
    <div class="chips">
      {isReady(task) && <span class="chip good">{words.ready}</span>}
      {isOpen && priority !== undefined && (
        <span class={`chip ${priority === "high" ? "bad" : ""}`}>{words.priority[priority]}</span>
      )}
      {isOpen && due !== undefined && (
        <span class={`chip ${isOverdue(task) ? "bad" : ""}`}>
          {(isOverdue(task) ? words.overdue : words.due)(formatDay(due))}
        </span>
      )}
      {owner !== null && (
        <span class="chip accent" title={claimOf(task) ?? words.owner(owner)}>
          {owner}
        </span>
      )}
      {isOpen && open.length > 0 && (
        <span class="chip warn">{words.waits(open.map(shortReference).join(", "))}</span>
      )}
      {tags.map((tag) => (
        <span key={tag} class="chip">
          #{tag}
        </span>
      ))}
      {progress.total > 0 && (
        <span class="progress">
          <progress
            value={progress.done}
            max={progress.total}
            aria-label={words.progress(progress.done, progress.total)}
          />
          <span aria-hidden="true">
            {progress.done}/{progress.total}
          </span>
        </span>
      )}
    </div>
  );
}

export function isReady({ status, open_dependencies }: Task): boolean {
  return status === "pending" && open_dependencies.length === 0;
}

/** Due before today, and not done. */
export function isOverdue({ due, status }: Task): boolean {
  return due !== undefined && status !== "done" && due < today();
}

/** YYYY-MM-DD, in this machine's time zone. */
export function today(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/** The day as people of the page's language write it. */
export function formatDay(day: string): string {
  const date = new Date(`${day.slice(0, 10)}T00:00`);
  return Number.isNaN(date.getTime())
    ? day
    : new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(date);
}

/** A time as people of the page's language write it. */
export function formatTime(time: string): string {
  const date = new Date(time);
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  return Number.isNaN(date.getTime()) ? time : new Intl.DateTimeFormat(language, options).format(date);
}

function claimOf({ owner, claimed_until: end }: Task): string | undefined {
  return owner === null || end === undefined ? undefined : words.claim(owner, formatTime(end));
}

/** `003` of `003-add-login`. */
function shortReference(reference: string): string {
  return /^\d+/.exec(reference)?.[0] ?? reference;
}
