import "./popup.css";
import type { ComponentChildren } from "preact";
import { useModal } from "./view-focus.ts";

interface PopupProps {
  label: string;
  /** What it belongs to: it opens there. */
  button: Element;
  children: ComponentChildren;
  onClose(): void;
}

/** A small dialog beside a button: the browser keeps the focus inside, Escape and a click elsewhere close it. */
export function Popup({ label, button, children, onClose }: PopupProps) {
  const dialog = useModal(button, (element) => place(element, button.getBoundingClientRect()));
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
