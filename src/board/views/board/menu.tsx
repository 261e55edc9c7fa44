import { taskName } from "../../../notes/names.ts";
import { BOARD_STATUSES, type TaskStatus } from "../../../notes/task/statuses.ts";
import { statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Popup } from "../../popup.tsx";
import { useSelected } from "./selection.ts";

interface MenuProps {
  task: Task;
  button: Element;
  onClose(): void;
  onMove(status: TaskStatus): void;
  onSelect(): void;
  onArchive: (() => void) | undefined;
  onReturn(): void;
}

export function Menu({ task, onMove, onSelect, onArchive, onReturn, ...popup }: MenuProps) {
  const isSelected = useSelected(task.path);
  return (
    <Popup label={words.board.menu(taskName(task))} {...popup}>
      <p class="soft" aria-hidden="true">
        {words.board.moveTo}
      </p>
      {BOARD_STATUSES.filter((status) => status !== task.status).map((status) => (
        <button key={status} type="button" class="quiet" onClick={() => onMove(status)}>
          {statusName(status)}
        </button>
      ))}
      <button type="button" class="quiet popup-line" onClick={onSelect}>
        {isSelected ? words.board.deselect : words.board.select}
      </button>
      {task.status === "review" && (
        <button type="button" class="quiet popup-line" onClick={onReturn}>
          {words.review.return}
        </button>
      )}
      {onArchive !== undefined && task.status === "done" && (
        <button type="button" class="quiet popup-line" onClick={onArchive}>
          {words.board.archive}
        </button>
      )}
    </Popup>
  );
}
