import { useRef } from "preact/hooks";
import { taskName } from "../../../notes/names.ts";
import { writerOf } from "../../activity/groups.ts";
import type { Entry } from "../../activity/model.ts";
import { Owner } from "../../activity/owner.tsx";
import { activity, look } from "../../activity/store.ts";
import { hueOf, Mark, shownName } from "../../activity/who.tsx";
import { Kept } from "../../kept.tsx";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { addressOf } from "../../route.ts";
import { useStore } from "../../store.ts";
import { CardFacts, TitleText } from "./card-facts.tsx";
import { useDrag } from "./drag.ts";
import { useSelected } from "./selection.ts";
import { columnOf } from "./tasks.ts";

export interface CardProps {
  task: Task;
  /** Names the project on the card. */
  showsProject: boolean;
  /** Opens the menu of the card; undefined if the token may not write. Must be the same function in each render. */
  onMenu: ((path: string, button: Element) => void) | undefined;
}

/** Rendered again only if its task changed. */
export function Card({ task, showsProject, onMenu }: CardProps) {
  const card = useRef<HTMLElement>(null);
  useDrag(card, task.path, onMenu !== undefined);
  const fresh = useStore(activity, (value) => value.fresh.get(task.path));
  const isSelected = useSelected(task.path);
  return (
    <Kept by={[task, showsProject, onMenu, fresh, isSelected]}>
      {() => {
        const { path, number, title, project } = task;
        return (
          <article
            ref={card}
            class={`board-card ${fresh === undefined ? "" : "fresh"} ${isSelected ? "selected" : ""}`}
            tabIndex={-1}
            aria-label={taskName(task)}
            aria-keyshortcuts={onMenu && "Shift+ArrowLeft Shift+ArrowRight"}
            data-path={path}
            onFocusIn={() => look(path)}
          >
            <div class="board-card-head">
              <span class="board-number">{number}</span>
              {isSelected && <Selected />}
              {fresh !== undefined && <Fresh entry={fresh} />}
              {showsProject && (
                <span class="board-project" style={{ "--hue": hueOf(project) }} dir="auto">
                  {project}
                </span>
              )}
              <Owner task={task} isShort />
              {onMenu !== undefined && <MenuButton task={task} onMenu={onMenu} />}
            </div>
            <h3 dir="auto">
              <a href={addressOf("document", { path })} draggable={false} tabIndex={-1}>
                <TitleText text={title} />
              </a>
            </h3>
            {columnOf(task) === "other" && <span class="chip warn">{task.status ?? "–"}</span>}
            <CardFacts task={task} />
          </article>
        );
      }}
    </Kept>
  );
}

function Selected() {
  return (
    <span class="board-selected">
      <span aria-hidden="true">✓</span>
      <span class="unseen">{words.board.isSelected}</span>
    </span>
  );
}

/** Someone else changed the task, and no one has looked at it here since. */
function Fresh({ entry }: { entry: Entry }) {
  const writer = writerOf(entry);
  const text = words.activity.changedBy(shownName(writer));
  return (
    <span class="board-fresh" title={text}>
      <Mark {...writer} />
      <span class="unseen">{text}</span>
    </span>
  );
}

export function MenuButton({
  task,
  onMenu,
}: Pick<CardProps, "task"> & { onMenu: NonNullable<CardProps["onMenu"]> }) {
  const name = words.board.menu(taskName(task));
  return (
    <button
      type="button"
      class="quiet board-menu-button"
      tabIndex={-1}
      aria-label={name}
      aria-haspopup="dialog"
      title={words.board.moveTo}
      onClick={({ currentTarget }) => onMenu(task.path, currentTarget)}
    >
      <span aria-hidden="true">⋯</span>
    </button>
  );
}
