import { useMemo, useRef } from "preact/hooks";
import { taskName } from "../../../notes/names.ts";
import { isOwnField, TASK_FIELDS } from "../../../notes/task/fields.ts";
import { formatDay } from "../../dates.ts";
import { isTaskField } from "../../fields.ts";
import { Kept } from "../../kept.tsx";
import { statusName, words } from "../../language.ts";
import { addressOf, setParameters } from "../../route.ts";
import { FieldChip, Progress } from "../../task-chips.tsx";
import { type CardProps, MenuButton } from "./card.tsx";
import type { LayoutProps } from "./layout-props.ts";
import { toggle, useColumnTasks, useSelected } from "./selection.ts";
import { sortTable, TABLE_COLUMNS, type TableColumn, tableSortOf } from "./table-order.ts";
import { isTaskAt, usePart } from "./use-part.tsx";

const PARTS = { first: 30, more: 10 };

export function TableView({ board, onMenu }: LayoutProps) {
  const { shown: tasks, showsProject, sort } = board;
  const table = useRef<HTMLTableElement>(null);
  const sorted = useMemo(() => sortTable(tasks, tableSortOf(sort)), [tasks, sort]);
  const { shown, rest } = usePart(sorted, PARTS, isTaskAt);
  useColumnTasks(table, sorted);
  const columns = TABLE_COLUMNS.filter((column) => column !== "project" || showsProject);
  return (
    <div class="board-table-frame">
      <table ref={table} class="board-table" data-column="table">
        <caption class="unseen">{words.board.count(sorted.length)}</caption>
        <thead>
          <tr>
            {onMenu !== undefined && (
              <th scope="col">
                <span class="unseen">{words.board.select}</span>
              </th>
            )}
            {columns.map((column) => (
              <Head key={column} column={column} sort={sort} />
            ))}
            {onMenu !== undefined && <td />}
          </tr>
        </thead>
        <tbody>
          {shown.map((task) => (
            <Row key={task.path} task={task} showsProject={showsProject} onMenu={onMenu} />
          ))}
        </tbody>
      </table>
      {rest}
    </div>
  );
}

/** A click sorts by the column, the next one the other way round, the third one no longer. */
function Head({ column, sort }: { column: TableColumn; sort: string | undefined }) {
  const now = tableSortOf(sort);
  const isSorted = now?.by === column;
  // The latest change comes first.
  const isDown = isSorted && now.isReversed !== (column === "updated");
  const next = !isSorted ? column : now.isReversed ? undefined : `-${column}`;
  return (
    <th
      scope="col"
      class={`board-table-${column}`}
      aria-sort={isSorted ? (isDown ? "descending" : "ascending") : undefined}
    >
      <button type="button" class="quiet" onClick={() => setParameters({ sort: next })}>
        {isTaskField(column) ? words.field.names[column] : words.board.table[column]}
        {isSorted && <span aria-hidden="true"> {isDown ? "↓" : "↑"}</span>}
      </button>
    </th>
  );
}

/** Rendered again only if its task changed. */
function Row({ task, showsProject, onMenu }: CardProps) {
  const isSelected = useSelected(task.path);
  return (
    <Kept by={[task, showsProject, onMenu, isSelected]}>
      {() => {
        const { path, number, title, project, status, updated } = task;
        return (
          <tr class={isSelected ? "selected" : ""} tabIndex={-1} data-path={path} aria-label={taskName(task)}>
            {onMenu !== undefined && (
              <td>
                <input
                  type="checkbox"
                  class="board-table-box"
                  tabIndex={-1}
                  aria-label={words.board.selectNamed(taskName(task))}
                  checked={isSelected}
                  onChange={() => toggle(path)}
                />
              </td>
            )}
            <td class="board-table-short">{number}</td>
            <th scope="row" dir="auto">
              <a class="board-table-link" href={addressOf("document", { path })} tabIndex={-1}>
                {title}
              </a>
              {task.ready && <span class="chip good">{words.task.ready}</span>}
            </th>
            {showsProject && <td dir="auto">{project}</td>}
            <td class="board-table-short">{statusName(status)}</td>
            {TASK_FIELDS.map((name) => (
              <td key={name} class={isOwnField(name) ? "board-table-short" : ""}>
                <div class="chips">
                  <FieldChip task={task} name={name} />
                </div>
              </td>
            ))}
            <td class="board-table-short">
              <Progress task={task} />
            </td>
            <td class="board-table-short soft">{formatDay(updated)}</td>
            {onMenu !== undefined && (
              <td>
                <MenuButton task={task} onMenu={onMenu} />
              </td>
            )}
          </tr>
        );
      }}
    </Kept>
  );
}
