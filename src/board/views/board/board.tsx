import { words } from "../../language.ts";
import "./board.css";
import { useMemo, useRef, useState } from "preact/hooks";
import type { TaskStatus } from "../../../notes/task/statuses.ts";
import { start } from "../../connection.ts";
import { Icon } from "../../icon.tsx";
import { useKeys } from "../../keys.ts";
import type { Task } from "../../model.ts";
import { report } from "../../notices.ts";
import { addExample, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { ArchiveDialog } from "./archive.tsx";
import { ask } from "./asked.ts";
import { CreateDialog } from "./create.tsx";
import { Display, Layouts } from "./display.tsx";
import { ClearButton, Filters } from "./filters.tsx";
import { useCardFocus } from "./focus.ts";
import { Jumps } from "./jumps.tsx";
import { boardKeys } from "./keys.ts";
import { LayoutView } from "./layouts.tsx";
import { Actions } from "./menu.tsx";
import { onCardClick } from "./peek/click.ts";
import { Peek } from "./peek/peek.tsx";
import { onShiftClick } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { type Column, isFiltered } from "./tasks.ts";
import { type Board, useBoard } from "./use-board.ts";
import { useHeight } from "./use-height.ts";
import { Waiting } from "./waiting.tsx";

export function BoardView() {
  const board = useBoard();
  const text = useRef<HTMLInputElement>(null);
  const top = useHeight("--board-top");
  const [creating, setCreating] = useState<TaskStatus>();
  const create = useTool("create_task") ? setCreating : undefined;
  const { layout, filter } = board;
  const isEmpty = board.names.length === 0;
  useKeys(useMemo(() => boardKeys({ text, create: create && (() => create("pending")) }), [create]));
  return (
    <>
      <div class="board-top" ref={top}>
        <h1 class="unseen">{words.app.board}</h1>
        {!isEmpty && (
          <>
            <Layouts show={layout.show} />
            <Filters known={board.known} filter={filter} projects={board.names} text={text} />
            <Display layout={layout} order={board.order} />
          </>
        )}
        {!isEmpty && create !== undefined && (
          <button type="button" class="main" aria-keyshortcuts="n" onClick={() => create("pending")}>
            <Icon path="M8 3v10M3 8h10" />
            <span class="board-new">{words.board.newTask}</span>
          </button>
        )}
      </div>
      {filter.state !== "you" && <Waiting />}
      {isEmpty ? <NoProjects /> : <Content board={board} creating={creating} onCreate={create} />}
    </>
  );
}

function useTool(tool: string): boolean {
  return useStore(state, ({ tools }) => tools.has(tool));
}

interface ContentProps {
  board: Board;
  creating: TaskStatus | undefined;
  onCreate: ((status: TaskStatus | undefined) => void) | undefined;
}

function Content({ board, creating, onCreate }: ContentProps) {
  const element = useRef<HTMLDivElement>(null);
  const { want, follow } = useCardFocus(element);
  const [isArchiving, setArchiving] = useState(false);
  const onMenu = useTool("update_task_status") ? ask : undefined;
  const onArchive = useTool("archive_tasks") ? () => setArchiving(true) : undefined;
  const { columns, layout } = board;
  const hasColumns = layout.show === undefined && layout.lanes === undefined;
  return (
    <>
      <Note board={board} />
      {hasColumns && <Jumps columns={columns} isWritable={onMenu !== undefined} />}
      {/* biome-ignore lint/a11y: the keys of the board do the same. */}
      <div
        ref={element}
        class={layout.isCompact ? "board-compact" : undefined}
        aria-busy={board.isLoading}
        onFocusIn={follow}
        onMouseDown={onShiftClick}
        onClick={onCardClick}
      >
        <LayoutView board={board} onMenu={onMenu} onArchive={onArchive} onCreate={onCreate} />
      </div>
      {onMenu !== undefined && <SelectionBar known={board.known} tasks={board.shown} />}
      <Peek />
      <Actions known={board.known} />
      {isArchiving && <ArchiveDialog tasks={doneOf(columns)} onClose={() => setArchiving(false)} />}
      {creating !== undefined && (
        <CreateDialog board={board} status={creating} want={want} onClose={() => onCreate?.(undefined)} />
      )}
    </>
  );
}

function doneOf(columns: readonly Column[]): readonly Task[] {
  return columns.find(({ status }) => status === "done")?.tasks ?? [];
}

/** What the columns do not say by themselves. */
function Note({ board: { columns, isLoading, filter } }: { board: Board }) {
  const isEmpty = columns.every(({ tasks }) => tasks.length === 0);
  if (isEmpty && isLoading) return <p class="soft">{words.board.loading}</p>;
  if (!isEmpty || !isFiltered(filter)) return null;
  return (
    <p class="board-note">
      {words.board.noMatch} <ClearButton />
    </p>
  );
}

function NoProjects() {
  const [demo, init, agent] = words.board.noProjectsHint;
  const canAdd = useTool("init_project");
  const add = () => addExample().then(start).catch(report);
  return (
    <div class="empty">
      <p>{words.board.noProjects}</p>
      {canAdd && (
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
