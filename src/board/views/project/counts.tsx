import { BOARD_STATUSES, type TaskStatus } from "../../../core/notes/task/statuses.ts";
import { statusName, words } from "../../language.ts";

export type Counts = Readonly<Record<TaskStatus, number>>;

/** How many tasks have which status, in words and as a bar. */
export function TaskCounts({ counts }: { counts: Counts }) {
  const shown = BOARD_STATUSES.filter((status) => counts[status] > 0);
  if (shown.length === 0) return <p class="soft">{words.board.empty}</p>;
  return (
    <>
      <div class="project-bar" aria-hidden="true">
        {shown.map((status) => (
          <span key={status} data-status={status} style={{ flexGrow: counts[status] }} />
        ))}
      </div>
      <ul class="project-counts">
        {shown.map((status) => (
          <li key={status}>
            <span class="project-dot" data-status={status} aria-hidden="true" />
            {statusName(status)} <strong>{counts[status]}</strong>
          </li>
        ))}
      </ul>
    </>
  );
}
