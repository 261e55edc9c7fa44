import { words } from "../../language.ts";
import "./board.css";
import { useMemo, useRef } from "preact/hooks";
import { start } from "../../connection.ts";
import { Icon } from "../../icon.tsx";
import { useKeys } from "../../keys.ts";
import { report } from "../../notices.ts";
import { addExample, can } from "../../state.ts";
import { ColumnView } from "./column.tsx";
import { startTask } from "./create.tsx";
import { Display, Layouts } from "./display.tsx";
import { ClearButton, Filters } from "./filters.tsx";
import { useCardFocus, useGlide } from "./focus.ts";
import { GraphsView } from "./graph.tsx";
import { Jumps } from "./jumps.tsx";
import { boardKeys } from "./keys.ts";
import { onCardClick, onCardMenu, onShiftDown } from "./peek/click.ts";
import { Peek } from "./peek/peek.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { TableView } from "./table.tsx";
import { isFiltered } from "./tasks.ts";
import { type BoardProps, useBoard } from "./use-board.ts";
import { useHeight } from "./use-height.ts";

export function BoardView() {
  const board = useBoard();
  if (board.names.length === 0) return <NoProjects />;
  return (
    <>
      <Tools board={board} />
      <Content board={board} />
      <SelectionBar tasks={board.shown} />
      <Peek />
    </>
  );
}

function Tools({ board }: BoardProps) {
  const top = useHeight("--board-top");
  useKeys(useMemo(boardKeys, []));
  return (
    <div class="board-top" ref={top}>
      <h1 class="unseen">{words.app.board}</h1>
      <Layouts show={board.show} />
      <Filters board={board} />
      <Display sort={board.sort} />
      {can("create_task") && (
        <button type="button" class="main" aria-keyshortcuts="n" onClick={() => startTask("pending")}>
          <Icon path="M8 3v10M3 8h10" />
          <span class="board-new">{words.board.newTask}</span>
        </button>
      )}
    </div>
  );
}

function Content({ board }: BoardProps) {
  const element = useRef<HTMLDivElement>(null);
  const follow = useCardFocus(element);
  useGlide(element);
  const { columns, show } = board;
  return (
    <>
      <Note board={board} />
      {show === undefined && <Jumps columns={columns} />}
      {/* biome-ignore lint/a11y: the keys of the board do the same. */}
      <div
        ref={element}
        aria-busy={board.isLoading}
        onFocusIn={follow}
        onMouseDown={onShiftDown}
        onClick={onCardClick}
        onContextMenu={onCardMenu}
      >
        <LayoutView board={board} />
      </div>
    </>
  );
}

/** The tasks as the address wants to see them. */
function LayoutView({ board }: BoardProps) {
  const { show } = board;
  if (show === "table") return <TableView board={board} />;
  if (show === "dependencies") return <GraphsView board={board} />;
  return (
    <div class="board" data-columns style={gridOf(board)}>
      {board.columns.map((column) => (
        <ColumnView key={column.status} board={board} column={column} />
      ))}
    </div>
  );
}

function gridOf({ columns, isStrip }: BoardProps["board"]) {
  const widths = columns.map((column) => (isStrip(column) ? "2.25rem" : "minmax(var(--column, 0px), 34rem)"));
  return { gridTemplateColumns: widths.join(" ") };
}

/** What the columns do not say by themselves. */
function Note({ board: { shown, isLoading, filter } }: BoardProps) {
  if (shown.length > 0) return null;
  if (isLoading) return <p class="soft">{words.board.loading}</p>;
  if (!isFiltered(filter)) return null;
  return (
    <p class="board-note">
      {words.board.noMatch} <ClearButton />
    </p>
  );
}

function NoProjects() {
  const [demo, init, agent] = words.board.noProjectsHint;
  const add = () => addExample().then(start).catch(report);
  return (
    <div class="empty">
      <h1 class="unseen">{words.app.board}</h1>
      <p>{words.board.noProjects}</p>
      {can("init_project") && (
        <p>
          {demo}{" "}
          <button type="button" onClick={() => void add()}>
            {words.board.addExample}
          </button>
        </p>
      )}
      <p>
        {init} <code>vibe-mcp init</code>
      </p>
      <p>{agent}</p>
    </div>
  );
}
