import { useMemo } from "preact/hooks";

import { valueName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { can } from "../../state.ts";
import { ColumnHead, ColumnView, FoldButton } from "./column.tsx";
import { fold, useFold, useFolded } from "./folds.ts";
import { GraphsView } from "./graph.tsx";
import { type Lane, type LaneName, lanesOf } from "./layout.ts";
import { TableView } from "./table.tsx";
import type { Column } from "./tasks.ts";
import type { LayoutProps } from "./use-board.ts";
import { usePart } from "./use-part.tsx";

/** The tasks as the address wants to see them. */
export function LayoutView(props: LayoutProps) {
  const { show, lanes } = props.board.layout;
  if (show === "table") return <TableView {...props} />;
  if (show === "dependencies") return <GraphsView {...props} />;
  return lanes === undefined ? <ColumnsView {...props} /> : <LanesView {...props} by={lanes} />;
}

function ColumnsView({ board: { columns, ...board }, onMenu, onArchive, onCreate }: LayoutProps) {
  const isFolded = useFolded(columns);
  return (
    <div class="board" data-columns style={gridOf(columns, isFolded)}>
      {columns.map((column) => {
        const { status, tasks } = column;
        return (
          <ColumnView
            key={status}
            column={column}
            isFolded={isFolded(status)}
            showsProject={board.showsProject}
            showsAll={board.showsAll}
            onMenu={onMenu}
            onArchive={status === "done" && tasks.length > 0 ? onArchive : undefined}
            onCreate={status === "other" || onCreate === undefined ? undefined : () => onCreate(status)}
          />
        );
      })}
    </div>
  );
}

type IsFolded = ReturnType<typeof useFolded>;

function gridOf(columns: readonly Column[], isFolded: IsFolded) {
  const widths = columns.map(({ status }) =>
    isFolded(status) ? "2.25rem" : "minmax(var(--column, 0px), 34rem)",
  );
  return { gridTemplateColumns: widths.join(" ") };
}

/** Each lane is several columns. */
const PARTS = { first: 4, more: 1 };

/** One head for all lanes, which have the same columns. */
function LanesView({ by, board, onMenu }: LayoutProps & { by: LaneName }) {
  const { shown: tasks, columns } = board;
  const lanes = useMemo(() => lanesOf(tasks, by), [tasks, by]);
  const { shown, rest } = usePart(lanes, PARTS, hasTask);
  const isFolded = useFolded(columns);
  return (
    <>
      <div class="board board-heads" style={gridOf(columns, isFolded)}>
        {columns.map(({ status, tasks: own }) => (
          <ColumnHead key={status} status={status} count={own.length} isFolded={isFolded(status)} />
        ))}
      </div>
      {shown.map((lane) => (
        <LaneView
          key={lane.value}
          name={laneName(lane.value, by)}
          lane={lane}
          board={board}
          isFolded={isFolded}
          onMenu={onMenu}
        />
      ))}
      {rest}
    </>
  );
}

function hasTask({ tasks }: Lane, path: string): boolean {
  return tasks.some((task: Task) => task.path === path);
}

function laneName(value: string | null, by: LaneName): string {
  if (by === "project") return value ?? "";
  return value === null ? words.field.without(words.field.names[by]) : valueName(by, value);
}

/** As tasks say it. */
const NONE = { owner: null, priority: undefined } as const;

type LaneProps = Pick<LayoutProps, "board" | "onMenu"> & { name: string; lane: Lane; isFolded: IsFolded };

function LaneView({ name, lane: { value, tasks }, board, isFolded, onMenu }: LaneProps) {
  const { lanes } = board.layout;
  const key = `${lanes}:${value ?? ""}`;
  const isClosed = useFold(key);
  const isField = lanes !== undefined && lanes !== "project" && can("update_task");
  const fields = isField ? { [lanes]: value ?? NONE[lanes] } : {};
  const own = useMemo(() => board.columnsOf(tasks), [tasks, board.columnsOf]);
  const columns = board.columns.map(
    ({ status }) => own.find((column) => column.status === status) ?? { status, tasks: [] },
  );
  return (
    <section class="board-lane" aria-label={name}>
      <h2 dir="auto">
        <FoldButton
          name={name}
          count={tasks.length}
          isFolded={isClosed}
          onFold={() => fold(key, !isClosed)}
        />
      </h2>
      {!isClosed && (
        <div class="board" data-columns style={gridOf(columns, isFolded)}>
          {columns.map((column) => (
            <ColumnView
              key={column.status}
              lane={{ name, fields }}
              column={column}
              isFolded={isFolded(column.status)}
              showsProject={board.showsProject && lanes !== "project"}
              showsAll={board.showsAll}
              onMenu={onMenu}
              onArchive={undefined}
              onCreate={undefined}
            />
          ))}
        </div>
      )}
    </section>
  );
}
