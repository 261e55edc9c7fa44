import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { isClosed } from "../../../core/notes/task/statuses.ts";
import { say, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { can } from "../../state.ts";
import { useStore } from "../../store.ts";
import { giveFocusBack } from "../../view-focus.ts";
import { archive } from "./archive.tsx";
import { choosableName, FIELD_KEYS } from "./chooser.tsx";
import { ask } from "./menu.tsx";
import { clearSelection, keepSelected, selection } from "./selection.ts";
import { useHeight } from "./use-height.ts";

/** What can be done with the selected tasks, all at once and as one change to undo. What the board no longer shows is not selected. */
export function SelectionBar({ tasks }: { tasks: readonly Task[] }) {
  const paths = useStore(selection, (value) => value);
  const selected = useMemo(() => tasks.filter(({ path }) => paths.has(path)), [tasks, paths]);
  useLayoutEffect(() => keepSelected(tasks), [tasks]);
  return selected.length === 0 ? null : <Bar tasks={selected} />;
}

function Bar({ tasks }: { tasks: readonly Task[] }) {
  const bar = useHeight("--board-bar");
  const [isArchiving, setArchiving] = useState(false);
  useEffect(() => () => giveFocusBack(document.querySelector("[data-path][tabindex='0']")), []);
  const closed = tasks.filter(({ status }) => isClosed(status));
  const paths = tasks.map(({ path }) => path);
  const archiveClosed = () => {
    setArchiving(true);
    void archive(closed).finally(() => setArchiving(false));
  };
  return (
    <section class="board-bar" ref={bar} aria-label={words.board.selection}>
      <strong role="status">{say(words.board.selected, { count: tasks.length })}</strong>
      {FIELD_KEYS.filter(([, , tool]) => can(tool)).map(([what]) => (
        <button
          key={what}
          type="button"
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => ask(paths, currentTarget, what)}
        >
          {choosableName(what)}
        </button>
      ))}
      {can("archive_tasks") && closed.length > 0 && (
        <button type="button" disabled={isArchiving} onClick={archiveClosed}>
          {say(words.board.archiveAll, { count: closed.length })}
        </button>
      )}
      <button type="button" class="quiet" onClick={clearSelection}>
        {words.board.clearSelection}
      </button>
    </section>
  );
}
