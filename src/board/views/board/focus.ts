import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { route } from "../../route.ts";
import { createStore, useStore } from "../../store.ts";
import { focusView } from "../../view-focus.ts";
import { ensured, moves } from "./moves.ts";
import { peek, peeked } from "./peek/address.ts";

const CARD = "[data-path]";
const COLUMN = "[data-column]";

/** The card that has the focus, on itself or on its menu. */
export function focusedCard(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>(CARD) ?? undefined;
}

/** The path of the task that a key means: of the card that has the focus, else of the panel. */
export function currentPath(): string | undefined {
  return focusedCard()?.dataset["path"] ?? peeked();
}

/** Whether the element that has the focus is a card, so that Enter is not for a link or button inside. */
export function isOnCard(): boolean {
  return document.activeElement?.matches(CARD) === true;
}

export function columnAt(card: Element | undefined): Element | undefined {
  return card?.closest(COLUMN) ?? undefined;
}

export function cardsIn(element: ParentNode | undefined): HTMLElement[] {
  return [...(element?.querySelectorAll<HTMLElement>(CARD) ?? [])];
}

function cardAt(path: string | undefined): HTMLElement | undefined {
  return cardsIn(document).find((card) => card.dataset["path"] === path);
}

/** The card of `currentPath`. */
function currentCard(): HTMLElement | undefined {
  return focusedCard() ?? cardAt(peeked());
}

/** The card that Tab reaches. */
function stopCard(): HTMLElement | undefined {
  return cardsIn(document).find(({ tabIndex }) => tabIndex === 0);
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
  const card = cardAt(path);
  if (card === undefined) focusView();
  else show(card);
}

/** Moves the focus to the card above (-1) or below (1), which it returns; from elsewhere, to a card. */
export function focusInColumn(step: 1 | -1): HTMLElement | undefined {
  const card = currentCard();
  if (card === undefined) return void show(stopCard());
  const cards = cardsIn(columnAt(card));
  const next = cards[cards.indexOf(card) + step];
  goTo(next);
  return next;
}

/** Moves the focus to the nearest column that has cards on the left (-1) or right (1), at the same height; from elsewhere, to a card. */
export function focusInNeighbour(step: 1 | -1): void {
  const card = currentCard();
  if (card === undefined) return void show(stopCard());
  const columns = [...(card.closest("[data-columns]")?.querySelectorAll(COLUMN) ?? [])]
    .map(cardsIn)
    .filter((cards) => cards.length > 0);
  const here = columns.findIndex((cards) => cards.includes(card));
  const next = columns[here + step];
  if (next !== undefined) goTo(next[Math.min(columns[here]?.indexOf(card) ?? 0, next.length - 1)]);
}

/** Outside changes do not scroll to a card that is not in view. */
function show(card: HTMLElement | undefined, isShown = true): void {
  card?.focus({ preventScroll: true });
  if (isShown) card?.scrollIntoView({ block: "nearest" });
}

function focusedPlace() {
  const card = focusedCard();
  if (card === undefined) return undefined;
  const column = columnAt(card);
  const { top, bottom } = card.getBoundingClientRect();
  const isVisible = bottom > 0 && top < innerHeight;
  return { path: card.dataset["path"], column, at: cardsIn(column).indexOf(card), isVisible };
}

/** Lets a card that someone else moved glide to its column. */
export function useGlide(board: RefObject<HTMLElement | null>): void {
  const placesNow = () =>
    cardsIn(board.current ?? undefined).map((card) => {
      const { left, top } = card.getBoundingClientRect();
      return { card, path: card.dataset["path"] ?? "", column: columnAt(card), left, top };
    });
  const places = new Map(placesNow().map((place) => [place.path, place]));
  useLayoutEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const { card, path, column, left, top } of placesNow()) {
      const before = places.get(path);
      if (before === undefined || before.column === column || moves.get()[path] !== undefined) continue;
      card.animate({ translate: [`${before.left - left}px ${before.top - top}px`, "0 0"] }, 150);
    }
  });
}

/** The card that Tab reaches: the last that had the focus. */
let stop: string | undefined;
/** The card that gets the focus with the next render: a new one, or the one from which the board was left for a document. */
const wanted = createStore<string | undefined>(undefined);

export function focusNext(path: string | undefined): void {
  wanted.update(() => path);
  ensured.update(() => path);
}

/** Keeps the focus on a card wherever it moves, and on its neighbour if it goes. The answer is for each move of the focus. */
export function useCardFocus(board: RefObject<HTMLElement | null>): () => void {
  const before = focusedPlace();
  const next = useStore(wanted, (value) => value);
  useLayoutEffect(
    () => () => {
      // The address is the next one already.
      focusNext(route.get().view === "document" ? stop : undefined);
      stop = undefined;
    },
    [],
  );
  const follow = () => {
    stop = currentPath() ?? stop;
    if (board.current !== null) setStop(board.current, stop);
  };
  useLayoutEffect(() => {
    const path = next ?? before?.path;
    const isShown = next !== undefined || before?.isVisible === true;
    wanted.update(() => undefined);
    if (path !== undefined && focusedCard()?.dataset["path"] !== path) {
      const cards = cardsIn(before?.column);
      // What took the place of a card that is gone.
      const card = cardAt(path) ?? cards[Math.min(before?.at ?? 0, cards.length - 1)];
      if (card !== undefined) show(card, isShown);
      else if (before !== undefined) focusView();
    }
    follow();
  });
  return follow;
}

/** Lets Tab reach only the card of `path`, or the first one. */
function setStop(board: Element, path: string | undefined): void {
  const card = cardAt(path) ?? cardsIn(board)[0];
  for (const old of cardsIn(board)) if (old !== card && old.tabIndex === 0) setTabIndex(old, -1);
  if (card !== undefined) setTabIndex(card, 0);
}

function setTabIndex(card: HTMLElement, tabIndex: 0 | -1): void {
  card.tabIndex = tabIndex;
  for (const inside of card.querySelectorAll<HTMLElement>("a, button, input")) inside.tabIndex = tabIndex;
}
