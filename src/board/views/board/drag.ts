import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { TaskStatus } from "../../../notes/statuses.ts";
import type { Task } from "../../model.ts";
import { moveTasks, shownTask } from "./moves.ts";
import { selection } from "./selection.ts";

/** Lets people drag the card of the task at `path`. */
export function useDrag(card: RefObject<HTMLElement | null>, path: string, isWritable: boolean): void {
  useEffect(() => {
    const element = card.current;
    if (element === null || !isWritable) return;
    return draggable({
      element,
      getInitialData: () => ({ path }),
      onDragStart: () => element.toggleAttribute("data-dragged", true),
      onDrop: () => element.toggleAttribute("data-dragged", false),
    });
  }, [path, isWritable]);
}

/** Moves the cards that are dropped on an element to `status`. */
export function useDrop(target: RefObject<HTMLElement | null>, status: TaskStatus | undefined): void {
  useEffect(() => {
    const element = target.current;
    if (element === null || status === undefined) return;
    const mark = (isOver: boolean) => element.toggleAttribute("data-over", isOver);
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => taskOf(source.data)?.status !== status,
      onDragEnter: () => mark(true),
      onDragLeave: () => mark(false),
      onDrop: ({ source }) => {
        mark(false);
        const task = taskOf(source.data);
        if (task !== undefined) moveTasks(withSelected(task), status);
      },
    });
  }, [status]);
}

function taskOf({ path }: Record<string, unknown>) {
  return typeof path === "string" ? shownTask(path) : undefined;
}

/** A card of the selection takes the others along. */
function withSelected(task: Task): Task[] {
  const paths = selection.get();
  return paths.has(task.path) ? [...paths].flatMap((path) => shownTask(path) ?? []) : [task];
}
