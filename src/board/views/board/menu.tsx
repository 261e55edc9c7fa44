import { useState } from "preact/hooks";
import { BOARD_STATUSES } from "../../../core/notes/task/statuses.ts";
import { openDialog } from "../../dialog.tsx";
import { say, statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Popup, PopupButton } from "../../popup.tsx";
import { askToReturn } from "../../review.tsx";
import { can, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { copy } from "../document/copy.ts";
import { DocumentButtons } from "../document/menu.tsx";
import { readDocument } from "../document/read.ts";
import { nameOfAll } from "./change-all.ts";
import { type Choosable, Chooser, choosableName, FIELD_KEYS } from "./chooser.tsx";
import { moves, moveTasks, shownTask } from "./moves.ts";
import { linkTo, pageOf } from "./peek/address.ts";
import { toggle, useSelected, withSelected } from "./selection.ts";

export const COPY_KEY = "c";

/** What can be asked for tasks: a field of all; for one, its menu too. */
interface Asked {
  paths: readonly string[];
  /** It opens there. */
  button: Element;
  what: "menu" | Choosable;
  /** Or there. */
  at?: DOMRect | undefined;
}

export function ask(
  paths: Asked["paths"],
  button: Element,
  what: Asked["what"] = "menu",
  at?: DOMRect,
): void {
  openDialog((close) => <Asking paths={paths} button={button} what={what} at={at} onClose={close} />);
}

function Asking({ paths, what, ...popup }: Asked & { onClose(): void }) {
  useStore(moves, (value) => value);
  useStore(state, (value) => value.tasks);
  const tasks = paths.flatMap((path) => shownTask(path) ?? []);
  const [task] = tasks;
  if (task === undefined) return null;
  return what === "menu" ? <Menu task={task} {...popup} /> : <Chooser {...popup} what={what} tasks={tasks} />;
}

interface MenuProps extends Pick<Asked, "button" | "at"> {
  task: Task;
  onClose(): void;
}

function Menu({ task, ...popup }: MenuProps) {
  const { path } = task;
  const [seen] = useState(task);
  const [all] = useState(() => withSelected(path));
  const isSelected = useSelected(path);
  const paths = all.map((one) => one.path);
  return (
    <Popup label={say(words.board.menu, { name: nameOfAll(all) })} {...popup}>
      {can("update_task_status") && (
        <>
          <p class="soft" aria-hidden="true">
            {words.board.moveTo}
          </p>
          {BOARD_STATUSES.filter((one) => one !== seen.status).map((one) => (
            <PopupButton key={one} onChoose={() => moveTasks(all, { status: one })}>
              {statusName(one)}
            </PopupButton>
          ))}
          {seen.status === "review" && (
            <PopupButton onChoose={() => askToReturn(seen)}>{words.review.return}</PopupButton>
          )}
        </>
      )}
      {can("update_task") &&
        FIELD_KEYS.filter(([what]) => what !== "status").map(([what, key]) => (
          <PopupButton key={key} hint={key} onChoose={() => ask(paths, popup.button, what)}>
            {choosableName(what)}
          </PopupButton>
        ))}
      <PopupButton class="popup-line" hint={COPY_KEY} onChoose={() => void copy(linkTo(path))}>
        {words.board.copyLink}
      </PopupButton>
      <PopupButton onChoose={() => void copy(path)}>{words.document.copyPath}</PopupButton>
      <a class="quiet" href={pageOf(path)} target="_blank" rel="noopener">
        {words.board.openTab}
      </a>
      {can("update_task_status") && (
        <PopupButton onChoose={() => toggle(path)}>
          {isSelected ? words.board.deselect : words.board.select}
        </PopupButton>
      )}
      <DocumentButtons isArchived={false} read={() => readDocument(path)} />
    </Popup>
  );
}
