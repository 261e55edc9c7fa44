import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { Task } from "../../model.ts";
import { moveTasks, shownTask } from "./moves.ts";
import { canPlace, hideLine, placeTasks, showLine } from "./placing.ts";
import { selection } from "./selection.ts";
import { changes, type Move } from "./tasks.ts";

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

/** Gives the tasks whose cards are dropped on an element what it stands for; those that have it already, a place in it. */
export function useDrop(target: RefObject<HTMLElement | null>, move: Move | undefined): void {
  const key = JSON.stringify(move);
  useEffect(() => {
    const element = target.current;
    if (element === null || move === undefined) return;
    let place: { moved: readonly Task[]; at: number } | undefined;
    const leave = () => {
      element.removeAttribute("data-over");
      hideLine(element);
    };
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => {
        const task = taskOf(source.data);
        return task !== undefined && (changes(move, task) || canPlace(element, task));
      },
      onDrag: ({ source, location }) => {
        const task = taskOf(source.data);
        const isMove = task === undefined || changes(move, task);
        element.toggleAttribute("data-over", isMove);
        const moved = isMove ? [] : withSelected(task).filter((one) => canPlace(element, one));
        place = isMove ? undefined : { moved, at: showLine(element, moved, location.current.input) };
      },
      onDragLeave: leave,
      onDrop: ({ source }) => {
        leave();
        const task = taskOf(source.data);
        if (task === undefined) return;
        if (changes(move, task)) moveTasks(withSelected(task), move);
        else if (place !== undefined) placeTasks(element, place.moved, place.at);
      },
    });
  }, [key]);
}

function taskOf({ path }: Record<string, unknown>) {
  return typeof path === "string" ? shownTask(path) : undefined;
}

/** A card of the selection takes the others along. */
function withSelected(task: Task): Task[] {
  const paths = selection.get();
  return paths.has(task.path) ? [...paths].flatMap((path) => shownTask(path) ?? []) : [task];
}
