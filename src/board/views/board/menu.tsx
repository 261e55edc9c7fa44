import { useEffect, useState } from "preact/hooks";
import { BOARD_STATUSES } from "../../../core/notes/task/statuses.ts";
import type { Known } from "../../fields.ts";
import { say, statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Popup, PopupButton } from "../../popup.tsx";
import { ReturnDialog } from "../../review.tsx";
import { can } from "../../state.ts";
import { useStore } from "../../store.ts";
import { copy } from "../document/copy.ts";
import { DocumentButtons, DocumentDialog } from "../document/menu.tsx";
import { readDocument } from "../document/read.ts";
import { ask, asked } from "./asked.ts";
import { nameOfAll } from "./change-all.ts";
import { Chooser, choosableName } from "./chooser.tsx";
import { COPY_KEY, FIELD_KEYS } from "./keys.ts";
import { moveTasks, shownTask } from "./moves.ts";
import { linkTo, pageOf } from "./peek/address.ts";
import { toggle, useSelected, withSelected } from "./selection.ts";

/** What can be done with tasks, for cards, the panel beside the board, and the selection. */
export function Actions({ known }: { known: Known }) {
  const open = useStore(asked, (value) => value);
  // Another view does not go on with it.
  useEffect(() => () => asked.update(() => undefined), []);
  if (open === undefined) return null;
  const { paths, button, what } = open;
  const popup = { button, onClose: () => asked.update((now) => (now === open ? undefined : now)) };
  if (typeof what === "object") return <DocumentDialog question={what} onClose={popup.onClose} />;
  const tasks = paths.flatMap((path) => shownTask(path) ?? []);
  const [task] = tasks;
  if (task === undefined) return null;
  if (what === "menu") return <Menu task={task} {...popup} />;
  if (what === "return") return <ReturnDialog task={task} onClose={popup.onClose} />;
  return <Chooser {...popup} what={what} tasks={tasks} known={known} />;
}

interface MenuProps {
  task: Task;
  button: Element;
  onClose(): void;
}

function Menu({ task, ...popup }: MenuProps) {
  const { path } = task;
  const [seen] = useState(task);
  const [all] = useState(() => withSelected(path));
  const isSelected = useSelected(path);
  const open = (what: Parameters<typeof ask>[2]) => ask([path], popup.button, what);
  const choose = (what: Parameters<typeof ask>[2]) =>
    ask(
      all.map((one) => one.path),
      popup.button,
      what,
    );
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
            <PopupButton onChoose={() => open("return")}>{words.review.return}</PopupButton>
          )}
        </>
      )}
      {can("update_task") &&
        FIELD_KEYS.filter(([what]) => what !== "status").map(([what, key]) => (
          <PopupButton key={key} hint={key} onChoose={() => choose(what)}>
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
      <DocumentButtons isArchived={false} read={() => readDocument(path)} ask={open} />
    </Popup>
  );
}
