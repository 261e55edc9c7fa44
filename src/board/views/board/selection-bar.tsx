import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { TASK_FIELDS } from "../../../notes/task/fields.ts";
import type { Known } from "../../fields.ts";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { can } from "../../state.ts";
import { useStore } from "../../store.ts";
import { giveFocusBack } from "../../view-focus.ts";
import { archive } from "./archive.tsx";
import { type Choosable, Chooser } from "./chooser.tsx";
import { clearSelection, keepSelected, selection } from "./selection.ts";
import { useHeight } from "./use-height.ts";

interface BarProps {
  /** What the board shows; others are selected no longer. */
  tasks: readonly Task[];
  known: Known;
}

/** What can be done with the selected tasks, all at once and as one change to undo. */
export function SelectionBar({ tasks, known }: BarProps) {
  const paths = useStore(selection, (value) => value);
  const selected = useMemo(() => tasks.filter(({ path }) => paths.has(path)), [tasks, paths]);
  useLayoutEffect(() => keepSelected(tasks), [tasks]);
  return selected.length === 0 ? null : <Bar tasks={selected} known={known} />;
}

function Bar({ tasks, known }: BarProps) {
  const bar = useHeight("--board-bar");
  const [open, setOpen] = useState<{ what: Choosable; button: Element }>();
  const [isSaving, setSaving] = useState(false);
  useEffect(() => () => giveFocusBack(document.querySelector("[data-path][tabindex='0']")), []);
  const done = tasks.filter(({ status }) => status === "done");
  const run = (work: Promise<void>) => {
    setOpen(undefined);
    setSaving(true);
    void work.finally(() => setSaving(false));
  };
  const opener = (what: Choosable, name: string) => (
    <button
      type="button"
      aria-haspopup="dialog"
      disabled={isSaving}
      onClick={({ currentTarget }) => setOpen({ what, button: currentTarget })}
    >
      {name}
    </button>
  );
  return (
    <section class="board-bar" ref={bar} aria-label={words.board.selection} aria-busy={isSaving}>
      <strong role="status">{words.board.selected(tasks.length)}</strong>
      {can("update_task_status") && opener("status", words.document.status)}
      {can("update_task") && TASK_FIELDS.map((field) => opener(field, words.field.names[field]))}
      {can("archive_tasks") && done.length > 0 && (
        <button type="button" disabled={isSaving} onClick={() => run(archive(done))}>
          {words.board.archiveAll(done.length)}
        </button>
      )}
      <button type="button" class="quiet" onClick={clearSelection}>
        {words.board.clearSelection}
      </button>
      {open !== undefined && (
        <Chooser {...open} known={known} tasks={tasks} onRun={run} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
}
