import { useRef } from "preact/hooks";
import { statusName, words } from "../../language.ts";
import { setParameters } from "../../route.ts";
import { Card, type CardProps } from "./card.tsx";
import { useDrop } from "./drag.ts";
import { fold } from "./folds.ts";
import { useColumnTasks } from "./selection.ts";
import type { Column, LaneFields } from "./tasks.ts";
import { TitleLine } from "./title-line.tsx";
import { isTaskAt, usePart } from "./use-part.tsx";

const MOST_DONE = 10;
const PARTS = { first: 8, more: 4 };

export function columnName(status: Column["status"]): string {
  return status === "other" ? words.board.other : statusName(status);
}

interface ColumnProps extends Omit<CardProps, "task"> {
  column: Column;
  /** The name of the lane that it is in, and what cards get that are dropped there. */
  lane?: { name: string; fields: LaneFields };
  isFolded: boolean;
  /** Shows all done tasks. */
  showsAll: boolean;
  onCreate: (() => void) | undefined;
  onArchive: (() => void) | undefined;
}

export function ColumnView({ column, lane, isFolded, showsAll, onCreate, onArchive, ...card }: ColumnProps) {
  const { status, tasks } = column;
  const section = useRef<HTMLElement>(null);
  const isTarget = status !== "other" && card.onMenu !== undefined;
  useDrop(section, isTarget ? { ...lane?.fields, status } : undefined);
  const name = columnName(status);
  const isLong = status === "done" && tasks.length > MOST_DONE;
  const few = isLong && !showsAll ? tasks.slice(0, MOST_DONE) : tasks;
  const { shown, rest } = usePart(few, PARTS, isTaskAt);
  useColumnTasks(section, few);
  return (
    <section
      ref={section}
      class={`board-column board-${status} ${isFolded ? "board-strip" : ""} ${tasks.length === 0 ? "board-none" : ""}`}
      aria-label={lane === undefined ? name : `${lane.name}: ${name}`}
      id={lane === undefined ? `column-${status}` : undefined}
      data-column={status}
    >
      {lane === undefined ? (
        <ColumnHead
          status={status}
          count={tasks.length}
          isFolded={isFolded}
          onCreate={onCreate}
          onArchive={onArchive}
        />
      ) : (
        <p class="board-lane-column" aria-hidden="true">
          {name}
        </p>
      )}
      {!isFolded && (
        <>
          <div class="board-cards">
            {shown.map((task) => (
              <Card key={task.path} task={task} {...card} />
            ))}
          </div>
          {rest}
          {tasks.length === 0 && lane === undefined && <p class="board-empty">{words.board.empty}</p>}
          {isLong && <MoreButton count={tasks.length} showsAll={showsAll} />}
          {onCreate !== undefined && status !== "other" && <TitleLine status={status} />}
        </>
      )}
    </section>
  );
}

interface HeadProps extends Partial<Pick<ColumnProps, "onCreate" | "onArchive">> {
  status: Column["status"];
  count: number;
  isFolded: boolean;
}

export function ColumnHead({ status, count, isFolded, onCreate, onArchive }: HeadProps) {
  const name = columnName(status);
  return (
    <header class="board-column-head">
      <h2>
        <FoldButton name={name} count={count} isFolded={isFolded} onFold={() => fold(status, !isFolded)} />
      </h2>
      {onArchive !== undefined && !isFolded && (
        <button type="button" class="quiet" onClick={onArchive}>
          {words.board.archive}
        </button>
      )}
      {onCreate !== undefined && !isFolded && (
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
  );
}

interface FoldProps {
  name: string;
  count: number;
  isFolded: boolean;
  onFold(): void;
}

/** The name of a column or a lane, which folds it. */
export function FoldButton({ name, count, isFolded, onFold }: FoldProps) {
  return (
    <button type="button" class="quiet board-fold" aria-expanded={!isFolded} onClick={onFold}>
      {name} <span class="board-count">{count}</span>
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
