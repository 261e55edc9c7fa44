import { words } from "../../language.ts";
import "./board.css";
import { useCallback, useMemo, useRef, useState } from "preact/hooks";
import type { TaskStatus } from "../../../notes/statuses.ts";
import { today } from "../../dates.ts";
import { useKeys } from "../../keys.ts";
import type { Project, Task } from "../../model.ts";
import { ReturnDialog } from "../../review.tsx";
import { route } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { ArchiveDialog, archive } from "./archive.tsx";
import { ColumnView } from "./column.tsx";
import { CreateDialog } from "./create.tsx";
import { ClearButton, Filters } from "./filters.tsx";
import { useCardFocus } from "./focus.ts";
import { Jumps } from "./jumps.tsx";
import { boardKeys } from "./keys.ts";
import { Menu } from "./menu.tsx";
import { ensured, finished, moves, moveTask, shownTask } from "./moves.ts";
import { onShiftClick, toggle } from "./selection.ts";
import { SelectionBar } from "./selection-bar.tsx";
import {
  type Column,
  choicesOf,
  columnsOf,
  type Filter,
  filterOf,
  filterTasks,
  isFiltered,
  orderOf,
  withMoves,
} from "./tasks.ts";
import { useHeight } from "./use-height.ts";

export function BoardView() {
  const board = useBoard();
  const text = useRef<HTMLInputElement>(null);
  const top = useHeight("--board-top");
  const [creating, setCreating] = useState<TaskStatus>();
  const create = useTool("create_task") ? setCreating : undefined;
  const isEmpty = board.names.length === 0;
  useKeys(useMemo(() => boardKeys({ text, create: create && (() => create("pending")) }), [create]));
  return (
    <>
      <div class="board-top" ref={top}>
        <h1>{words.board.title}</h1>
        {!isEmpty && (
          <Filters
            {...board.choices}
            filter={board.filter}
            order={board.order}
            projects={board.names}
            text={text}
          />
        )}
        {!isEmpty && create !== undefined && (
          <button type="button" class="main" onClick={() => create("pending")}>
            {words.board.newTask}
          </button>
        )}
      </div>
      {isEmpty ? <NoProjects /> : <Columns board={board} creating={creating} onCreate={create} />}
    </>
  );
}

function useTool(tool: string): boolean {
  return useStore(state, ({ tools }) => tools.has(tool));
}

type Board = ReturnType<typeof useBoard>;

/** The tasks of the columns, as the address filters them. */
function useBoard() {
  const parameters = useStore(route, (value) => value.parameters);
  const tasks = useStore(state, (value) => value.tasks);
  const projects = useStore(state, (value) => value.projects);
  const moved = useStore(moves, (value) => value);
  const last = useStore(finished, (value) => value);
  const all = useMemo(() => withMoves([...tasks.values()].flat(), moved), [tasks, moved]);
  const key = JSON.stringify(filterOf(parameters));
  const filter = useMemo(() => JSON.parse(key) as Filter, [key]);
  const { project } = filter;
  const order = orderOf(parameters["sort"]);
  const day = today();
  const asked = useMemo(() => asksFor(projects, project), [projects, project]);
  const shown = useMemo(() => filterTasks(all, filter, day), [all, filter, day]);
  return {
    filter,
    order,
    shown,
    columns: useMemo(() => columnsOf(shown, { finished: last, asked, order }), [shown, last, asked, order]),
    choices: useMemo(() => choicesOf(filterTasks(all, { project })), [all, project]),
    names: useMemo(() => projects.map(({ name }) => name), [projects]),
    isLoading: projects.some(({ name }) => !tasks.has(name)),
    showsAll: parameters["done"] === "all",
  };
}

const REVIEW: readonly TaskStatus[] = ["review"];

/** A project that asks for reviews has a column for them. */
function asksFor(projects: readonly Project[], only: string | undefined): readonly TaskStatus[] {
  return projects.some(({ name, needs_review }) => needs_review && (!only || name === only)) ? REVIEW : [];
}

interface ColumnsProps {
  board: Board;
  creating: TaskStatus | undefined;
  onCreate: ((status: TaskStatus | undefined) => void) | undefined;
}

function Columns({ board, creating, onCreate }: ColumnsProps) {
  const element = useRef<HTMLDivElement>(null);
  const { want, follow } = useCardFocus(element);
  const [isArchiving, setArchiving] = useState(false);
  const { onMenu, menu } = useMenu(want);
  const onArchive = useTool("archive_tasks") ? () => setArchiving(true) : undefined;
  const { columns, names, filter, isLoading, showsAll } = board;
  const showsProject = names.length > 1 && !filter.project;
  const close = () => onCreate?.(undefined);
  const created = (path: string) => {
    want(path);
    ensured.update(() => path);
    close();
  };
  return (
    <>
      <Note board={board} />
      <Jumps columns={columns} isWritable={onMenu !== undefined} />
      {/* biome-ignore lint/a11y: the keys of the board do the same. */}
      <div
        ref={element}
        class="board"
        aria-busy={isLoading}
        onFocusIn={follow}
        onMouseDown={onShiftClick}
        onClick={onShiftClick}
      >
        {columns.map((column) => (
          <ColumnView
            key={column.status}
            column={column}
            showsProject={showsProject}
            showsAll={showsAll}
            onMenu={onMenu}
            onArchive={onArchive}
            onCreate={column.status === "other" ? undefined : creator(onCreate, column.status)}
          />
        ))}
      </div>
      {onMenu !== undefined && <SelectionBar {...board.choices} tasks={board.shown} />}
      {menu}
      {isArchiving && <ArchiveDialog tasks={doneOf(columns)} onClose={() => setArchiving(false)} />}
      {creating !== undefined && (
        <CreateDialog
          status={creating}
          projects={names}
          project={filter.project}
          onClose={close}
          onCreated={created}
        />
      )}
    </>
  );
}

function creator(onCreate: ColumnsProps["onCreate"], status: TaskStatus) {
  return onCreate && (() => onCreate(status));
}

function doneOf(columns: readonly Column[]): readonly Task[] {
  return columns.find(({ status }) => status === "done")?.tasks ?? [];
}

/** The menu of one card at a time. */
function useMenu(want: (path: string) => void) {
  const [open, setOpen] = useState<{ path: string; button: Element }>();
  const [returning, setReturning] = useState<Task>();
  const isWritable = useTool("update_task_status");
  const canArchive = useTool("archive_tasks");
  const onMenu = useCallback((path: string, button: Element) => setOpen({ path, button }), []);
  const task = open && shownTask(open.path);
  const close = () => setOpen(undefined);
  const pick = (act: (task: Task) => void) => {
    if (task === undefined) return;
    want(task.path);
    close();
    act(task);
  };
  const menu =
    returning !== undefined ? (
      <ReturnDialog task={returning} onClose={() => setReturning(undefined)} />
    ) : (
      open !== undefined &&
      task !== undefined && (
        <Menu
          task={task}
          button={open.button}
          onClose={close}
          onMove={(status) => pick((one) => moveTask(one, status))}
          onSelect={() => pick(({ path }) => toggle(path))}
          onReturn={() => pick(setReturning)}
          onArchive={canArchive ? () => pick((one) => void archive([one])) : undefined}
        />
      )
    );
  return { menu, onMenu: isWritable ? onMenu : undefined };
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
  return (
    <div class="empty">
      <p>{words.board.noProjects}</p>
      <p>
        {demo} <code>vibe-mcp demo</code>
      </p>
      <p>
        {init} <code>vibe-mcp init</code>
      </p>
      <p>{agent}</p>
    </div>
  );
}
