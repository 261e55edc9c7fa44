import type { TaskStatus } from "../../../notes/task/statuses.ts";
import type { Board } from "./use-board.ts";

export interface LayoutProps {
  board: Board;
  /** Must be the same function in each render. */
  onMenu: ((path: string, button: Element) => void) | undefined;
  onArchive: (() => void) | undefined;
  onCreate: ((status: TaskStatus) => void) | undefined;
}
