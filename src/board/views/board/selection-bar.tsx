import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { say, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { can } from "../../state.ts";
import { useStore } from "../../store.ts";
import { giveFocusBack } from "../../view-focus.ts";
import { archive } from "./archive.tsx";
import { ask } from "./asked.ts";
import { choosableName } from "./chooser.tsx";
import { FIELD_KEYS } from "./keys.ts";
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
  const done = tasks.filter(({ status }) => status === "done");
  const paths = tasks.map(({ path }) => path);
  const archiveDone = () => {
    setArchiving(true);
    void archive(done).finally(() => setArchiving(false));
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
      {can("archive_tasks") && done.length > 0 && (
        <button type="button" disabled={isArchiving} onClick={archiveDone}>
          {say(words.board.archiveAll, { count: done.length })}
        </button>
      )}
      <button type="button" class="quiet" onClick={clearSelection}>
        {words.board.clearSelection}
      </button>
    </section>
  );
}
