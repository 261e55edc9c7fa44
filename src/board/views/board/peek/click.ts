import { onShiftClick } from "../selection.ts";
import { pageOf, peek } from "./address.ts";

const OWN = "button, input, select, summary";

/** A click on a card shows its task beside the board, with Ctrl its page in a new tab; with Shift it selects. */
export function onCardClick(event: MouseEvent): void {
  onShiftClick(event);
  const { target } = event;
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(OWN) !== null) return;
  const path = target.closest<HTMLElement>("[data-path]")?.dataset["path"];
  // What someone selects, they want to copy.
  if (path === undefined || getSelection()?.isCollapsed === false) return;
  const isTab = event.ctrlKey || event.metaKey;
  if (isTab && target.closest("a") !== null) return;
  event.preventDefault();
  if (isTab) open(pageOf(path), "_blank", "noopener");
  else peek(path);
}
