import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { taskName } from "../../../notes/names.ts";
import { BOARD_STATUSES, type TaskStatus } from "../../../notes/statuses.ts";
import { statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { giveFocusBack } from "../../view-focus.ts";
import { useSelected } from "./selection.ts";

interface PopupProps {
  label: string;
  /** What it belongs to: it opens there. */
  button: Element;
  children: ComponentChildren;
  onClose(): void;
}

/** A small dialog beside a button: the browser keeps the focus inside, Escape and a click elsewhere close it. */
export function Popup({ label, button, children, onClose }: PopupProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    element.showModal();
    place(element, button.getBoundingClientRect());
    return () => giveFocusBack(button);
  }, []);
  return (
    <dialog
      ref={dialog}
      class="board-menu"
      aria-label={label}
      onClose={onClose}
      onKeyDown={step}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {children}
    </dialog>
  );
}

interface MenuProps extends Omit<PopupProps, "label" | "children"> {
  task: Task;
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
      <button type="button" class="quiet board-menu-line" onClick={onSelect}>
        {isSelected ? words.board.deselect : words.board.select}
      </button>
      {task.status === "review" && (
        <button type="button" class="quiet board-menu-line" onClick={onReturn}>
          {words.review.return}
        </button>
      )}
      {onArchive !== undefined && task.status === "done" && (
        <button type="button" class="quiet board-menu-line" onClick={onArchive}>
          {words.board.archive}
        </button>
      )}
    </Popup>
  );
}

/** Under the button, inside the window. */
function place(dialog: HTMLElement, { right, bottom, top }: DOMRect): void {
  const { offsetWidth, offsetHeight } = dialog;
  const fits = bottom + offsetHeight + 8 < innerHeight;
  dialog.style.left = `${Math.max(8, Math.min(right - offsetWidth, innerWidth - offsetWidth - 8))}px`;
  dialog.style.top = `${Math.max(8, fits ? bottom + 4 : top - offsetHeight - 4)}px`;
}

/** Up and down go through the buttons. */
function step(event: KeyboardEvent): void {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (way === undefined || !(event.currentTarget instanceof Element)) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(at + way + buttons.length) % buttons.length]?.focus();
}
