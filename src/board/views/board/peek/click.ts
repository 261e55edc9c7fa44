import { can } from "../../../state.ts";
import { ask } from "../menu.tsx";
import { selectTo } from "../selection.ts";
import { pageOf, peek } from "./address.ts";

const OWN = "button, input, select, summary";

function cardOf({ target }: Event): HTMLElement | null {
  if (!(target instanceof Element) || target.closest(OWN) !== null) return null;
  return target.closest<HTMLElement>("[data-path]");
}

/** A right click opens the card's menu there; with Shift the browser's. A long press on a touch screen drags the card. */
export function onCardMenu(event: MouseEvent & { pointerType?: string }): void {
  const card = cardOf(event);
  const path = card?.dataset["path"];
  if (card === null || path === undefined || event.shiftKey || !can("update_task_status")) return;
  event.preventDefault();
  const { clientX, clientY, pointerType } = event;
  if (pointerType !== "touch") ask([path], card, "menu", new DOMRect(clientX, clientY));
}

/** A press with Shift would select text. */
export function onShiftDown(event: MouseEvent): void {
  if (event.shiftKey && cardOf(event) !== null) event.preventDefault();
}

/** A click on a card shows its task beside the board, with Ctrl its page in a new tab; with Shift it selects. */
export function onCardClick(event: MouseEvent): void {
  const card = cardOf(event);
  const path = card?.dataset["path"];
  if (card === null || path === undefined) return;
  const { target } = event;
  const isSelecting = event.shiftKey && can("update_task_status");
  const isTab = event.ctrlKey || event.metaKey;
  const isLink = target instanceof Element && target.closest("a") !== null;
  // A link opens tabs by itself; and what someone selects, they want to copy.
  if (!isSelecting && (isTab ? isLink : getSelection()?.isCollapsed === false)) return;
  event.preventDefault();
  if (isSelecting) {
    selectTo(card);
    card.focus({ preventScroll: true });
  } else if (isTab) open(pageOf(path), "_blank", "noopener");
  else peek(path);
}
