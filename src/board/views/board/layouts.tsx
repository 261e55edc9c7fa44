import { useMemo } from "preact/hooks";
import { valueName, withoutName } from "../../language.ts";
import { can } from "../../state.ts";
import { ColumnHead, ColumnView, FoldButton, type LaneProps } from "./column.tsx";
import { useFold } from "./folds.ts";
import { GraphsView } from "./graph.tsx";
import { type Lane, type LaneName, lanesOf } from "./layout.ts";
import { TableView } from "./table.tsx";
import type { BoardProps } from "./use-board.ts";
import { usePart } from "./use-part.tsx";

/** The tasks as the address wants to see them. */
export function LayoutView({ board }: BoardProps) {
  const { show, lanes } = board.layout;
  if (show === "table") return <TableView board={board} />;
  if (show === "dependencies") return <GraphsView board={board} />;
  return lanes === undefined ? <Columns board={board} /> : <LanesView board={board} by={lanes} />;
}

/** Those of the whole board, or of one lane. */
function Columns({ board, lane, columns = board.columns }: ColumnsProps) {
  return (
    <div class="board" data-columns style={gridOf(board)}>
      {columns.map((column) => (
        <ColumnView key={column.status} board={board} column={column} lane={lane} />
      ))}
    </div>
  );
}

interface ColumnsProps extends BoardProps {
  lane?: LaneProps;
  columns?: BoardProps["board"]["columns"];
}

function gridOf({ columns, isFolded }: BoardProps["board"]) {
  const widths = columns.map(({ status }) =>
    isFolded(status) ? "2.25rem" : "minmax(var(--column, 0px), 34rem)",
  );
  return { gridTemplateColumns: widths.join(" ") };
}

/** Each lane is several columns. */
const PARTS = { first: 4, more: 1 };

/** One head for all lanes, which have the same columns. */
function LanesView({ by, board }: BoardProps & { by: LaneName }) {
  const lanes = useMemo(() => lanesOf(board.shown, by), [board.shown, by]);
  const { shown, rest } = usePart(lanes, PARTS);
  return (
    <>
      <div class="board board-heads" style={gridOf(board)}>
        {board.columns.map((column) => (
          <ColumnHead key={column.status} column={column} isFolded={board.isFolded(column.status)} />
        ))}
      </div>
      {shown.map((lane) => (
        <LaneView key={lane.value} by={by} lane={lane} board={board} />
      ))}
      {rest}
    </>
  );
}

function laneName(value: string | null, by: LaneName): string {
  if (by === "project") return value ?? "";
  return value === null ? withoutName(by) : valueName(by, value);
}

/** As tasks say it. */
const NONE = { owner: null, priority: undefined } as const;

function LaneView({ by, lane, board }: BoardProps & { by: LaneName; lane: Lane }) {
  const { value, tasks } = lane;
  const name = laneName(value, by);
  const key = `${by}:${value ?? ""}`;
  const isClosed = useFold(key);
  const fields = by !== "project" && can("update_task") ? { [by]: value ?? NONE[by] } : {};
  const own = useMemo(() => board.columnsOf(tasks), [tasks, board.columnsOf]);
  const columns = board.columns.map(
    ({ status }) => own.find((column) => column.status === status) ?? { status, tasks: [] },
  );
  return (
    <section class="board-lane" aria-label={name}>
      <h2 dir="auto">
        <FoldButton of={key} name={name} count={tasks.length} isFolded={isClosed} />
      </h2>
      {!isClosed && <Columns board={board} lane={{ name, fields }} columns={columns} />}
    </section>
  );
}
