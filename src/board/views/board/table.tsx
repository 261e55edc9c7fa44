import { useMemo, useRef } from "preact/hooks";
import { taskName } from "../../../core/notes/names.ts";
import { formatDay } from "../../dates.ts";
import { isTaskField } from "../../fields.ts";
import { Kept } from "../../kept.tsx";
import { say, statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { addressOf } from "../../route.ts";
import { can } from "../../state.ts";
import { Facts, TitleText } from "../../task-facts.tsx";
import { MenuButton } from "./card.tsx";
import { selectTo, toggle, useColumnTasks, useSelected } from "./selection.ts";
import { sortTable, TABLE_COLUMNS, type TableColumn } from "./table-order.ts";
import type { BoardProps } from "./use-board.ts";
import { usePart } from "./use-part.tsx";
import "./table.css";

const PARTS = { first: 30, more: 10 };

type Columns = readonly TableColumn[];
const WITHOUT_PROJECT = TABLE_COLUMNS.filter((column) => column !== "project");

export function TableView({ board }: BoardProps) {
  const { shown: tasks, showsProject, sort } = board;
  const table = useRef<HTMLTableElement>(null);
  const sorted = useMemo(() => sortTable(tasks, sort), [tasks, sort]);
  const { shown, rest } = usePart(sorted, PARTS);
  useColumnTasks(table, sorted);
  const columns = showsProject ? TABLE_COLUMNS : WITHOUT_PROJECT;
  return (
    <div class="board-table-frame">
      <table ref={table} class="board-table" data-column="table">
        <caption class="unseen">{say(words.board.count, { count: sorted.length })}</caption>
        <thead>
          <tr>
            <td class="board-table-side" />
            {columns.map((column) => (
              <th key={column} scope="col" class={`board-table-${column}`}>
                {tableColumnName(column)}
              </th>
            ))}
            <td class="board-table-side" />
          </tr>
        </thead>
        <tbody>
          {shown.map((task) => (
            <Row key={task.path} task={task} columns={columns} />
          ))}
        </tbody>
      </table>
      {rest}
    </div>
  );
}

export function tableColumnName(column: TableColumn): string {
  return isTaskField(column) ? words.field.names[column] : words.board.table[column];
}

/** Rendered again only if its task changed. */
function Row({ task, columns }: { task: Task; columns: Columns }) {
  const { path } = task;
  const name = taskName(task);
  const isSelected = useSelected(path);
  return (
    <Kept by={[task, columns, isSelected]}>
      {() => (
        <tr class={isSelected ? "selected" : ""} tabIndex={-1} data-path={path} aria-label={name}>
          <td class="board-table-side">
            {can("update_task_status") && (
              <input
                type="checkbox"
                class="board-table-box"
                tabIndex={-1}
                aria-label={say(words.board.selectNamed, { name })}
                checked={isSelected}
                onClick={({ shiftKey, currentTarget }) => {
                  const row = currentTarget.closest("tr");
                  if (shiftKey && !isSelected && row !== null) selectTo(row);
                  else toggle(path);
                }}
              />
            )}
          </td>
          {columns.map((column) => (
            <Cell key={column} task={task} column={column} />
          ))}
          <td class="board-table-side">
            <MenuButton task={task} />
          </td>
        </tr>
      )}
    </Kept>
  );
}

const MOST_TAGS = 2;

function Cell({ task, column }: { task: Task; column: TableColumn }) {
  const { title, path, project } = task;
  if (column === "title")
    return (
      <th scope="row" dir="auto">
        <div class="board-table-name">
          <a class="board-table-link" href={addressOf("document", { path })} title={title} tabIndex={-1}>
            <TitleText text={title} />
          </a>
          <Facts task={task} names={["state"]} />
        </div>
      </th>
    );
  return (
    <td class={`board-table-${column}`} title={column === "project" ? project : undefined} dir="auto">
      {contentOf(task, column)}
    </td>
  );
}

function contentOf(task: Task, column: Exclude<TableColumn, "title">) {
  const { number, project, status, updated } = task;
  if (isTaskField(column) || column === "progress")
    return <Facts task={task} names={[column]} most={MOST_TAGS} isNamed />;
  return { number, project, status: statusName(status), updated: formatDay(updated) }[column];
}
