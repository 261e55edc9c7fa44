import "./popup.css";
import type { ComponentChildren } from "preact";
import { useModal } from "./view-focus.ts";

interface PopupProps {
  label: string;
  /** What it belongs to: it opens there. */
  button: Element;
  /** Or there. */
  at?: DOMRect | undefined;
  children: ComponentChildren;
  onClose(): void;
}

/** A small dialog beside a button: the browser keeps the focus inside, Escape and a click elsewhere close it. */
export function Popup({ label, button, at, children, onClose }: PopupProps) {
  const dialog = useModal(button, (element) => place(element, at ?? button.getBoundingClientRect()));
  return (
    <dialog
      ref={dialog}
      class="popup"
      aria-label={label}
      onClose={onClose}
      onKeyDown={step}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {children}
    </dialog>
  );
}

interface ButtonProps {
  class?: string;
  /** The key that does the same. */
  hint?: string | undefined;
  children: ComponentChildren;
  onChoose(): void;
}

/** Closes its popup first, so that the focus is where it was when a dialog opens or a card moves. */
export function PopupButton({ class: more = "", hint, children, onChoose }: ButtonProps) {
  const choose = ({ currentTarget }: { currentTarget: Element }) => {
    currentTarget.closest("dialog")?.close();
    onChoose();
  };
  return (
    <button type="button" class={`quiet ${more}`} onClick={choose}>
      {children}
      {hint !== undefined && (
        <span class="popup-key" aria-hidden="true">
          {hint}
        </span>
      )}
    </button>
  );
}

/** Under the button, or behind a point, inside the window. */
function place(dialog: HTMLElement, { right, bottom, top, width }: DOMRect): void {
  const { offsetWidth, offsetHeight } = dialog;
  const fits = bottom + offsetHeight + 8 < innerHeight;
  // What is typed changes its content.
  dialog.style.width = `${offsetWidth}px`;
  const left = width === 0 ? right : right - offsetWidth;
  dialog.style.left = `${Math.max(8, Math.min(left, innerWidth - offsetWidth - 8))}px`;
  dialog.style.top = `${Math.max(8, fits ? bottom + 4 : top - offsetHeight - 4)}px`;
}

/** Up and down go from button to button. */
function step(event: KeyboardEvent): void {
  const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { currentTarget, target } = event;
  if (way === undefined || !(currentTarget instanceof Element)) return;
  event.preventDefault();
  const buttons = [...currentTarget.querySelectorAll<HTMLElement>("input, button, a")];
  const at = buttons.indexOf(target as HTMLElement);
  buttons[(at + way + buttons.length) % buttons.length]?.focus();
}
