import { useEffect, useRef, useState } from "preact/hooks";
import { statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { setParameters } from "../../route.ts";
import { useStore } from "../../store.ts";
import { Card, type CardProps } from "./card.tsx";
import { useDrop } from "./drag.ts";
import { ensured } from "./moves.ts";
import { useColumnTasks } from "./selection.ts";
import type { Column } from "./tasks.ts";

const MOST_DONE = 10;
/** How many more cards are shown when the last ones come into view. */
const STEP = 40;

export function columnName(status: Column["status"]): string {
  return status === "other" ? words.board.other : statusName(status);
}

interface ColumnProps extends Omit<CardProps, "task"> {
  column: Column;
  /** Shows all done tasks. */
  showsAll: boolean;
  onCreate: (() => void) | undefined;
  onArchive: (() => void) | undefined;
}

export function ColumnView({
  column: { status, tasks },
  showsAll,
  onCreate,
  onArchive,
  ...card
}: ColumnProps) {
  const section = useRef<HTMLElement>(null);
  useDrop(section, status === "other" || card.onMenu === undefined ? undefined : status);
  const name = columnName(status);
  const isLong = status === "done" && tasks.length > MOST_DONE;
  const few = isLong && !showsAll ? tasks.slice(0, MOST_DONE) : tasks;
  const { shown, more } = usePart(few);
  useColumnTasks(section, few);
  return (
    <section
      ref={section}
      class={`board-column board-${status}`}
      aria-label={name}
      id={`column-${status}`}
      data-column
    >
      <header class="board-column-head">
        <h2>
          {name} <span class="board-count">{tasks.length}</span>
        </h2>
        {status === "done" && onArchive !== undefined && tasks.length > 0 && (
          <button type="button" class="quiet" onClick={onArchive}>
            {words.board.archive}
          </button>
        )}
        {onCreate !== undefined && (
          <button
            type="button"
            class="quiet"
            aria-label={words.board.newIn(name)}
            title={words.board.newIn(name)}
            onClick={onCreate}
          >
            <span aria-hidden="true">+</span>
          </button>
        )}
      </header>
      <div class="board-cards">
        {shown.map((task) => (
          <Card key={task.path} task={task} {...card} />
        ))}
      </div>
      {more !== undefined && <Rest count={few.length - shown.length} onMore={more} />}
      {tasks.length === 0 && <p class="board-empty">{words.board.empty}</p>}
      {isLong && <MoreButton count={tasks.length} showsAll={showsAll} />}
    </section>
  );
}

/** The first tasks, more and more of them, and one that must be shown. */
function usePart(tasks: readonly Task[]) {
  const [most, setMost] = useState(STEP);
  const path = useStore(ensured, (value) => value);
  const needed = path === undefined ? 0 : tasks.findIndex((task) => task.path === path) + 1;
  const count = Math.max(most, needed);
  const more = tasks.length > count ? () => setMost(count + STEP) : undefined;
  return { shown: tasks.slice(0, count), more };
}

/** Shows more as soon as it is nearly in view. */
function Rest({ count, onMore }: { count: number; onMore(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const { current } = button;
    if (current === null) return;
    const seen = (entries: IntersectionObserverEntry[]) =>
      entries.some(({ isIntersecting }) => isIntersecting) && onMore();
    const observer = new IntersectionObserver(seen, { rootMargin: "600px" });
    observer.observe(current);
    return () => observer.disconnect();
  }, [count]);
  return (
    <button ref={button} type="button" class="board-more" onClick={onMore}>
      {words.board.rest(count)}
    </button>
  );
}

function MoreButton({ count, showsAll }: { count: number; showsAll: boolean }) {
  return (
    <button
      type="button"
      class="board-more"
      aria-expanded={showsAll}
      onClick={() => setParameters({ done: showsAll ? undefined : "all" })}
    >
      {showsAll ? words.board.showLast : words.board.showAll(count)}
    </button>
  );
}
