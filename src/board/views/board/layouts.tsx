import { useMemo } from "preact/hooks";

import { valueName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { can } from "../../state.ts";
import { ColumnView } from "./column.tsx";
import { GraphsView } from "./graph.tsx";
import { type Lane, type LaneName, lanesOf } from "./layout.ts";
import type { LayoutProps } from "./layout-props.ts";
import { TableView } from "./table.tsx";
import { usePart } from "./use-part.tsx";

/** The tasks as the address wants to see them. */
export function LayoutView(props: LayoutProps) {
  const { show, lanes } = props.board.layout;
  if (show === "table") return <TableView {...props} />;
  if (show === "dependencies") return <GraphsView {...props} />;
  return lanes === undefined ? <ColumnsView {...props} /> : <LanesView {...props} by={lanes} />;
}

function ColumnsView({ board, onMenu, onArchive, onCreate }: LayoutProps) {
  return (
    <div class="board" data-columns>
      {board.columns.map((column) => {
        const { status, tasks } = column;
        return (
          <ColumnView
            key={status}
            column={column}
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

/** Each lane is several columns. */
const PARTS = { first: 4, more: 1 };

function LanesView({ by, board, onMenu }: LayoutProps & { by: LaneName }) {
  const lanes = useMemo(() => lanesOf(board.shown, by), [board.shown, by]);
  const { shown, rest } = usePart(lanes, PARTS, hasTask);
  return (
    <>
      {shown.map((lane) => (
        <LaneView
          key={lane.value}
          name={laneName(lane.value, by)}
          lane={lane}
          board={board}
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

type LaneProps = Pick<LayoutProps, "board" | "onMenu"> & { name: string; lane: Lane };

function LaneView({ name, lane: { value, tasks }, board, onMenu }: LaneProps) {
  const { lanes } = board.layout;
  const isField = lanes !== undefined && lanes !== "project" && can("update_task");
  const fields = isField ? { [lanes]: value ?? NONE[lanes] } : {};
  const columns = useMemo(() => board.columnsOf(tasks), [tasks, board.columnsOf]);
  return (
    <section class="board-lane" aria-label={name}>
      <h2 dir="auto">
        {name} <span class="board-count">{tasks.length}</span>
      </h2>
      <div class="board" data-columns>
        {columns.map((column) => (
          <ColumnView
            key={column.status}
            lane={{ name, fields }}
            column={column}
            showsProject={board.showsProject && board.layout.lanes !== "project"}
            showsAll={board.showsAll}
            onMenu={onMenu}
            onArchive={undefined}
            onCreate={undefined}
          />
        ))}
      </div>
    </section>
  );
}
