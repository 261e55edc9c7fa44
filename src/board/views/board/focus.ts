import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { route } from "../../route.ts";
import { focusView } from "../../view-focus.ts";
import { ensured } from "./moves.ts";
import { peek, peeked } from "./peek/address.ts";

const CARD = "[data-path]";
const COLUMN = "[data-column]";

/** The card that has the focus, on itself or on its menu. */
export function focusedCard(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>(CARD) ?? undefined;
}

/** The path of the task whose card has the focus. */
export function focusedPath(): string | undefined {
  return focusedCard()?.dataset["path"];
}

/** The path of the task that a key means: of the card that has the focus, else of the panel. */
export function currentPath(): string | undefined {
  return focusedPath() ?? peeked();
}

/** Whether the element that has the focus is a card, so that Enter is not for a link or button inside. */
export function isOnCard(): boolean {
  return focusedCard() !== undefined && focusedCard() === document.activeElement;
}

export function columnAt(card: Element | null | undefined): Element | undefined {
  return card?.closest(COLUMN) ?? undefined;
}

export function cardsIn(element: ParentNode | null | undefined): HTMLElement[] {
  return [...(element?.querySelectorAll<HTMLElement>(CARD) ?? [])];
}

export function hasCards(): boolean {
  return document.querySelector(CARD) !== null;
}

/** The card of `currentPath`. */
export function currentCard(): HTMLElement | undefined {
  return focusedCard() ?? cardAt(document, peeked());
}

/** Puts the focus on the card that Tab reaches. */
function focusStop(): void {
  show(document.querySelector<HTMLElement>(`${CARD}[tabindex="0"]`) ?? undefined);
}

/** Puts the focus on a card; while the panel is open, shows its task there. */
function goTo(card: HTMLElement | undefined): void {
  if (peeked() === undefined) show(card);
  else if (card !== undefined) {
    peek(card.dataset["path"] ?? "");
    card.scrollIntoView({ block: "nearest" });
  }
}

/** Gives the focus to the card of a task, or to the start of the view if there is none. */
export function focusCard(path: string): void {
  const card = cardAt(document, path);
  if (card === undefined) focusView();
  else show(card);
}

/** Moves the focus to the card above (-1) or below (1), also into the same column of another lane; from elsewhere, to a card. */
export function focusInColumn(step: 1 | -1): void {
  const card = currentCard();
  if (card === undefined) return void focusStop();
  const name = columnAt(card)?.getAttribute("data-column");
  const columns = document.querySelectorAll(`[data-column="${name}"]`);
  const cards = [...columns].flatMap(cardsIn);
  goTo(cards[cards.indexOf(card) + step]);
}

/** Moves the focus to the nearest column that has cards on the left (-1) or right (1), at the same height; from elsewhere, to a card. */
export function focusInNeighbour(step: 1 | -1): void {
  const card = currentCard();
  if (card === undefined) return void focusStop();
  const columns = [...(card.closest("[data-columns]")?.querySelectorAll(COLUMN) ?? [])].map(cardsIn);
  const here = columns.findIndex((cards) => cards.includes(card));
  const at = columns[here]?.indexOf(card) ?? 0;
  for (let next = here + step; columns[next] !== undefined; next += step) {
    const cards = columns[next] ?? [];
    if (cards.length > 0) return void goTo(cards[Math.min(at, cards.length - 1)]);
  }
}

/** Outside changes do not scroll to a card that is not in view. */
function show(card: HTMLElement | undefined, isShown = true): void {
  card?.focus({ preventScroll: true });
  if (isShown) card?.scrollIntoView({ block: "nearest" });
}

interface Place {
  path: string | undefined;
  column: Element | undefined;
  at: number;
  isVisible: boolean;
}

function focusedPlace(): Place | undefined {
  const card = focusedCard();
  if (card === undefined) return undefined;
  const column = columnAt(card);
  const { top, bottom } = card.getBoundingClientRect();
  const isVisible = bottom > 0 && top < innerHeight;
  return { path: card.dataset["path"], column, at: cardsIn(column).indexOf(card), isVisible };
}

/** The card that the board was left from, for the document of its task. */
let left: string | undefined;

/**
 * Keeps the focus on a card wherever it moves, and on its neighbour if it goes. Tab reaches one card: the last that had the focus.
 * `want` puts the focus on a card that the next render shows; `follow` is for each move of the focus.
 */
export function useCardFocus(board: RefObject<HTMLElement | null>) {
  const stop = useRef<string | undefined>(undefined);
  const wanted = useRef(left);
  const before = focusedPlace();
  useLayoutEffect(() => {
    // The address is the next one already.
    return () => {
      left = route.get().view === "document" ? stop.current : undefined;
      ensured.update(() => left);
    };
  }, []);
  const follow = useCallback(() => {
    stop.current = currentPath() ?? stop.current;
    if (board.current !== null) setStop(board.current, stop.current);
  }, []);
  const want = useCallback((path: string) => {
    wanted.current = path;
  }, []);
  useLayoutEffect(() => {
    const path = wanted.current ?? before?.path;
    const isShown = wanted.current !== undefined || before?.isVisible === true;
    wanted.current = undefined;
    if (path !== undefined && focusedPath() !== path) {
      const card = cardAt(board.current, path) ?? neighbourOf(before);
      if (card !== undefined) show(card, isShown);
      else if (before !== undefined) focusView();
    }
    follow();
  });
  return { want, follow };
}

function cardAt(board: ParentNode | null, path: string | undefined): HTMLElement | undefined {
  return cardsIn(board).find((card) => card.dataset["path"] === path);
}

/** What took the place of a card that is gone; undefined if it was the last of its column. */
function neighbourOf(place: Place | undefined): HTMLElement | undefined {
  const cards = cardsIn(place?.column);
  return place && cards[Math.min(place.at, cards.length - 1)];
}

/** Lets Tab reach only the card of `path`, or the first one. */
function setStop(board: Element, path: string | undefined): void {
  const card = cardAt(board, path) ?? cardsIn(board)[0];
  for (const old of board.querySelectorAll<HTMLElement>(`${CARD}[tabindex="0"]`))
    if (old !== card) setTabIndex(old, -1);
  if (card !== undefined) setTabIndex(card, 0);
}

function setTabIndex(card: HTMLElement, tabIndex: 0 | -1): void {
  card.tabIndex = tabIndex;
  for (const inside of card.querySelectorAll<HTMLElement>("a, button, input")) inside.tabIndex = tabIndex;
}
