import { useRef } from "preact/hooks";
import { words } from "../../language.ts";
import { columnName } from "./column.tsx";
import { useDrop } from "./drag.ts";
import { fold } from "./folds.ts";
import type { Column } from "./tasks.ts";

interface JumpsProps {
  columns: readonly Column[];
  isWritable: boolean;
}

/** On narrow screens the columns lie below each other: this bar leads to them, and takes cards that are dropped on it. */
export function Jumps({ columns, isWritable }: JumpsProps) {
  return (
    <nav class="board-jumps" aria-label={words.board.columns}>
      {columns.map((column) => (
        <Jump key={column.status} column={column} isWritable={isWritable} />
      ))}
    </nav>
  );
}

function Jump({ column: { status, tasks }, isWritable }: { column: Column; isWritable: boolean }) {
  const button = useRef<HTMLButtonElement>(null);
  useDrop(button, status === "other" || !isWritable ? undefined : { status });
  const jump = () => {
    fold(status, false);
    // Once it is open.
    setTimeout(show);
  };
  const show = () => {
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
