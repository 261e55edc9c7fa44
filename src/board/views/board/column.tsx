import { useRef } from "preact/hooks";
import { statusName, words } from "../../language.ts";
import { setParameters } from "../../route.ts";
import { Card, type CardProps } from "./card.tsx";
import { useDrop } from "./drag.ts";
import type { Column } from "./tasks.ts";

const MOST_DONE = 10;

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
  const shown = isLong && !showsAll ? tasks.slice(0, MOST_DONE) : tasks;
  return (
    <section ref={section} class={`board-column board-${status}`} aria-label={name} id={`column-${status}`}>
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
      {tasks.length === 0 && <p class="board-empty">{words.board.empty}</p>}
      {isLong && <MoreButton count={tasks.length} showsAll={showsAll} />}
    </section>
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
