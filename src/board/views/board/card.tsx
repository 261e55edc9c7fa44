import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { taskName } from "../../../core/notes/names.ts";
import { writerOf } from "../../activity/groups.ts";
import type { Entry } from "../../activity/model.ts";
import { activity, look } from "../../activity/store.ts";
import { shownName } from "../../activity/who.tsx";
import { Kept } from "../../kept.tsx";
import { say, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { can } from "../../state.ts";
import { useStore } from "../../store.ts";
import { TitleText } from "../../task-facts.tsx";
import { CardFacts, CardLine } from "./card-facts.tsx";
import { useDrag } from "./drag.ts";
import { ask } from "./menu.tsx";
import { pageOf } from "./peek/address.ts";
import { useSelected } from "./selection.ts";

interface CardProps {
  task: Task;
  /** Names the project on the card. */
  showsProject: boolean;
  /** In place of what a card says in one line; depends on its task alone. */
  facts?: JSX.Element;
}

/** Rendered again only if its task changed. */
export function Card({ task, showsProject, facts }: CardProps) {
  const card = useRef<HTMLElement>(null);
  useDrag(card, task.path);
  const fresh = useStore(activity, (value) => value.fresh.get(task.path));
  const last = useStore(activity, (value) => value.latest.get(task.path));
  const isSelected = useSelected(task.path);
  return (
    <Kept by={[task, showsProject, fresh, last, isSelected]}>
      {() => {
        const { path } = task;
        return (
          <article
            ref={card}
            class={`board-card ${fresh === undefined ? "" : "fresh"} ${isSelected ? "selected" : ""}`}
            tabIndex={-1}
            aria-label={taskName(task)}
            aria-keyshortcuts={can("update_task_status") ? "Shift+ArrowLeft Shift+ArrowRight" : undefined}
            data-path={path}
            onFocusIn={() => look(path)}
          >
            <div class="board-card-head">
              <h3 dir="auto" title={`${task.project} ${task.number ?? ""}`}>
                <a href={pageOf(path)} draggable={false} tabIndex={-1}>
                  <TitleText text={task.title} />
                </a>
              </h3>
              {isSelected && <Selected />}
              {fresh !== undefined && <Fresh entry={fresh} />}
              <MenuButton task={task} />
            </div>
            {facts ?? <CardFacts task={task} showsProject={showsProject} />}
            <CardLine task={task} last={last} />
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
  const text = say(words.activity.changedBy, { name: shownName(writerOf(entry)) });
  return (
    <span class="board-fresh" title={text}>
      <span class="unseen">{text}</span>
    </span>
  );
}

export function MenuButton({ task }: { task: Task }) {
  if (!can("update_task_status")) return null;
  const name = say(words.board.menu, { name: taskName(task) });
  return (
    <button
      type="button"
      class="quiet board-menu-button"
      tabIndex={-1}
      aria-label={name}
      aria-haspopup="dialog"
      title={name}
      onClick={({ currentTarget }) => ask([task.path], currentTarget)}
    >
      <span aria-hidden="true">⋯</span>
    </button>
  );
}
