import { useRef, useState } from "preact/hooks";
import { say, statusName, words } from "../../language.ts";
import { setParameters } from "../../route.ts";
import { can } from "../../state.ts";
import { useKeptFocus } from "../../view-focus.ts";
import { ArchiveDialog } from "./archive.tsx";
import { Card } from "./card.tsx";
import { startTask, TitleLine } from "./create.tsx";
import { useDrop } from "./drag.ts";
import { fold } from "./folds.ts";
import { useColumnTasks } from "./selection.ts";
import type { Column, LaneFields } from "./tasks.ts";
import type { BoardProps } from "./use-board.ts";
import { usePart } from "./use-part.tsx";

const MOST_DONE = 10;
const PARTS = { first: 8, more: 4 };

export function columnName(status: Column["status"]): string {
  return status === "other" ? words.board.other : statusName(status);
}

/** The name of a lane, and what cards get that are dropped there. */
export interface LaneProps {
  name: string;
  fields: LaneFields;
}

interface ColumnProps extends BoardProps {
  column: Column;
  lane: LaneProps | undefined;
}

export function ColumnView({ board, column, lane }: ColumnProps) {
  const { status, tasks } = column;
  const { showsAll, showsProject } = board;
  const section = useRef<HTMLElement>(null);
  useDrop(section, status === "other" ? undefined : { ...lane?.fields, status });
  const name = columnName(status);
  const isFolded = board.isFolded(status);
  const isLong = status === "done" && tasks.length > MOST_DONE;
  const few = isLong && !showsAll ? tasks.slice(0, MOST_DONE) : tasks;
  const { shown, rest } = usePart(few, PARTS);
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
        <ColumnHead column={column} isFolded={isFolded} />
      ) : (
        <p class="board-lane-column" aria-hidden="true">
          {name}
        </p>
      )}
      {!isFolded && (
        <>
          <div class="board-cards">
            {shown.map((task) => (
              <Card key={task.path} task={task} showsProject={showsProject} />
            ))}
          </div>
          {rest}
          {tasks.length === 0 && lane === undefined && <p class="board-empty">{words.board.empty}</p>}
          {isLong && <MoreButton count={tasks.length} showsAll={showsAll} />}
          {lane === undefined && status !== "other" && can("create_task") && <TitleLine status={status} />}
        </>
      )}
    </section>
  );
}

export function ColumnHead({ column, isFolded }: { column: Column; isFolded: boolean }) {
  const { status, tasks } = column;
  const [isArchiving, setArchiving] = useState(false);
  const name = columnName(status);
  // The button that archives goes with the last task.
  useKeptFocus((before) => before?.matches(".board-column-head > button") === true);
  const archives = status === "done" && tasks.length > 0 && can("archive_tasks");
  return (
    <header class="board-column-head">
      <h2>
        <FoldButton of={status} name={name} count={tasks.length} isFolded={isFolded} />
      </h2>
      {archives && !isFolded && (
        <button type="button" class="quiet" onClick={() => setArchiving(true)}>
          {words.board.archive}
        </button>
      )}
      {status !== "other" && !isFolded && can("create_task") && (
        <button
          type="button"
          class="quiet"
          aria-label={say(words.board.newIn, { status: name })}
          title={say(words.board.newIn, { status: name })}
          onClick={() => startTask(status)}
        >
          <span aria-hidden="true">+</span>
        </button>
      )}
      {isArchiving && <ArchiveDialog tasks={tasks} onClose={() => setArchiving(false)} />}
    </header>
  );
}

interface FoldProps {
  of: string;
  name: string;
  count: number;
  isFolded: boolean;
}

/** The name of a column or a lane, which folds it. */
export function FoldButton({ of, name, count, isFolded }: FoldProps) {
  const press = () => fold(of, !isFolded);
  return (
    <button type="button" class="quiet board-fold" aria-expanded={!isFolded} onClick={press}>
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
      {showsAll ? words.board.showLast : say(words.board.showAll, { count })}
    </button>
  );
}
