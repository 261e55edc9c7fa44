import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { type NewFields, TASK_FIELDS, type TaskField } from "../../../notes/task/fields.ts";
import { BOARD_STATUSES } from "../../../notes/task/statuses.ts";
import type { Known } from "../../fields.ts";
import { statusName, valuesOf, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Popup } from "../../popup.tsx";
import { can } from "../../state.ts";
import { useStore } from "../../store.ts";
import { giveFocusBack } from "../../view-focus.ts";
import { archive } from "./archive.tsx";
import { changeAll, setFields } from "./change-all.ts";
import { FieldDialog } from "./field-dialog.tsx";
import { moveTasks } from "./moves.ts";
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

type Open = "status" | TaskField;

function Bar({ tasks, known }: BarProps) {
  const bar = useHeight("--board-bar");
  const [open, setOpen] = useState<{ what: Open; button: Element }>();
  const [isSaving, setSaving] = useState(false);
  useEffect(() => () => giveFocusBack(document.querySelector("[data-path][tabindex='0']")), []);
  const done = tasks.filter(({ status }) => status === "done");
  const run = (work: Promise<void>) => {
    setOpen(undefined);
    setSaving(true);
    void work.finally(() => setSaving(false));
  };
  const opener = (what: Open, name: string) => (
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

interface ChooserProps extends BarProps {
  what: Open;
  button: Element;
  onRun(work: Promise<void>): void;
  onClose(): void;
}

function Chooser({ what, button, tasks, known, onRun, onClose }: ChooserProps) {
  const change = (fields: (task: Task) => NewFields) => onRun(update(tasks, fields));
  const values = what === "status" ? [] : valuesOf(what);
  if (what !== "status" && values.length > 0)
    return (
      <Choices
        label={words.field.names[what]}
        button={button}
        choices={[...values, [null, words.field.none]]}
        onChoose={(value) => change(() => ({ [what]: value }))}
        onClose={onClose}
      />
    );
  if (what !== "status")
    return <FieldDialog field={what} known={known[what] ?? []} onChange={change} onClose={onClose} />;
  const move = (status: (typeof BOARD_STATUSES)[number]) => {
    onClose();
    moveTasks(tasks, { status });
  };
  return (
    <Choices
      label={words.document.status}
      button={button}
      choices={BOARD_STATUSES.map((status) => [status, statusName(status)])}
      onChoose={move}
      onClose={onClose}
    />
  );
}

interface ChoicesProps<T> {
  label: string;
  button: Element;
  choices: readonly (readonly [T, string])[];
  onChoose(value: T): void;
  onClose(): void;
}

function Choices<T extends string | null>({ choices, onChoose, ...popup }: ChoicesProps<T>) {
  return (
    <Popup {...popup}>
      {choices.map(([value, name]) => (
        <button key={value} type="button" class="quiet" onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
    </Popup>
  );
}

function update(tasks: readonly Task[], fields: (task: Task) => NewFields): Promise<void> {
  const said = { done: words.board.changed, failed: words.board.notChanged };
  return changeAll(tasks, (task, call) => setFields(call, task, fields(task)), said);
}
