import { useRef } from "preact/hooks";
import { isClosed } from "../../../core/notes/task/statuses.ts";
import { say, statusName, words } from "../../language.ts";
import { setParameters } from "../../route.ts";
import { can } from "../../state.ts";
import { useKeptFocus } from "../../view-focus.ts";
import { askToArchive } from "./archive.tsx";
import { Card } from "./card.tsx";
import { startTask, TitleLine } from "./create.tsx";
import { useDrop } from "./drag.ts";
import { useColumnTasks } from "./selection.ts";
import type { Column } from "./tasks.ts";
import type { BoardProps } from "./use-board.ts";
import { usePart } from "./use-part.tsx";

const MOST_DONE = 10;
const PARTS = { first: 8, more: 4 };

export function columnName(status: Column["status"]): string {
  return status === "other" ? words.board.other : statusName(status);
}

interface ColumnProps extends BoardProps {
  column: Column;
}

export function ColumnView({ board, column }: ColumnProps) {
  const { status, tasks } = column;
  const { showsAll, showsProject } = board;
  const section = useRef<HTMLElement>(null);
  useDrop(section, status === "other" ? undefined : { status });
  const name = columnName(status);
  const canAdd = can("create_task");
  const isStrip = board.isStrip(column);
  const isLong = isClosed(status) && tasks.length > MOST_DONE;
  const few = isLong && !showsAll ? tasks.slice(0, MOST_DONE) : tasks;
  const { shown, rest } = usePart(few, PARTS);
  useColumnTasks(section, few);
  return (
    <section
      ref={section}
      class={`board-column board-${status} ${isStrip ? "board-strip" : ""}`}
      aria-label={name}
      id={`column-${status}`}
      data-column={status}
    >
      <ColumnHead column={column} canAdd={canAdd && isStrip} />
      {!isStrip && (
        <>
          <div class="board-cards">
            {shown.map((task) => (
              <Card key={task.path} task={task} showsProject={showsProject} />
            ))}
          </div>
          {rest}
          {tasks.length === 0 && <p class="board-empty">{words.board.empty}</p>}
          {isLong && <MoreButton count={tasks.length} showsAll={showsAll} />}
          {canAdd && status !== "other" && <TitleLine status={status} />}
        </>
      )}
    </section>
  );
}

function ColumnHead({ column, canAdd }: { column: Column; canAdd: boolean }) {
  const { status, tasks } = column;
  const name = columnName(status);
  // The button that archives goes with the last task.
  useKeptFocus((before) => before?.matches(".board-column-head > button") === true);
  const archives = isClosed(status) && tasks.length > 0 && can("archive_tasks");
  return (
    <header class="board-column-head">
      <h2>
        {name} <span class="board-count">{tasks.length}</span>
      </h2>
      {archives && (
        <button type="button" class="quiet" onClick={() => askToArchive(tasks)}>
          {words.board.archive}
        </button>
      )}
      {canAdd && status !== "other" && (
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
    </header>
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
