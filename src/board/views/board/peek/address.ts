import { addressOf, navigate, route, setParameters } from "../../../route.ts";

/** The path of the task that the panel beside the board, the inbox or Today shows. */
export function peeked(): string | undefined {
  const { view, parameters } = route.get();
  return ["board", "inbox", "today"].includes(view) ? parameters["task"] : undefined;
}

/** Shows a task beside the board or Today. Back closes the panel, however many tasks it showed meanwhile. */
export function peek(path: string): void {
  const { view, parameters } = route.get();
  if (peeked() === undefined) navigate(view === "today" ? view : "board", { ...parameters, task: path });
  else setParameters({ task: path, change: undefined });
}

export function closePeek(): void {
  if (route.get().view !== "inbox") setParameters({ task: undefined, change: undefined });
}

/** The page of a task. */
export function pageOf(path: string): string {
  return addressOf("document", { path });
}

/** For other programs. */
export function linkTo(path: string): string {
  return new URL(pageOf(path), location.href).href;
}
