import { ColumnView } from "./column.tsx";
import { GraphsView } from "./graph.tsx";
import { TableView } from "./table.tsx";
import type { BoardProps } from "./use-board.ts";

/** The tasks as the address wants to see them. */
export function LayoutView({ board }: BoardProps) {
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
