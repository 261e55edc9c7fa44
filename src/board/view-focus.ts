import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** Focuses what a view starts with: its main field, else its heading, so that screen readers read where they are. */
export function focusView(): void {
  const main = document.getElementById("content");
  const start =
    main?.querySelector<HTMLElement>("[data-start]") ?? main?.querySelector<HTMLElement>("h1") ?? main;
  if (start?.tagName === "H1") start.tabIndex = -1;
  start?.focus({ preventScroll: true });
}

/** To the element that had the focus, or to the start of the view if that is gone, unless another one has it now. */
export function giveFocusBack(before: Element | null): void {
  if (document.activeElement !== document.body) return;
  if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  else focusView();
}

/** Opens a dialog at once, since the next key is for it, and gives the focus back to `before` when it is gone. */
export function useModal(
  before: Element | null,
  opened: (dialog: HTMLDialogElement) => void,
): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const { current } = dialog;
    if (current === null) return;
    current.showModal();
    opened(current);
  }, []);
  // Only after its removal the focus is free.
  useEffect(() => () => giveFocusBack(before), []);
  return dialog;
}

/** After each render, gives the focus back to an element that had it before and is meant, or to the start of the view if that is gone. */
export function useKeptFocus(isMeant: (before: Element | null) => boolean): void {
  const before = document.activeElement;
  const isKept = isMeant(before);
  useLayoutEffect(() => {
    if (isKept) giveFocusBack(before);
  });
}
