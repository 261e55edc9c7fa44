import { useRef } from "preact/hooks";
import { words } from "../../language.ts";
import { columnName } from "./column.tsx";
import { useDrop } from "./drag.ts";
import type { Column } from "./tasks.ts";

/** On narrow screens the columns lie below each other: this bar leads to them, and takes cards that are dropped on it. */
export function Jumps({ columns }: { columns: readonly Column[] }) {
  return (
    <nav class="board-jumps" aria-label={words.board.columns}>
      {columns.map((column) => (
        <Jump key={column.status} {...column} />
      ))}
    </nav>
  );
}

function Jump({ status, tasks }: Column) {
  const button = useRef<HTMLButtonElement>(null);
  useDrop(button, status === "other" ? undefined : { status });
  const jump = () => {
    const column = document.getElementById(`column-${status}`);
    column?.scrollIntoView({ block: "start" });
    column?.querySelector<HTMLElement>("article")?.focus({ preventScroll: true });
  };
  return (
    <button ref={button} type="button" class="quiet" onClick={jump}>
      {columnName(status)} <span class="board-count">{tasks.length}</span>
    </button>
  );
}
