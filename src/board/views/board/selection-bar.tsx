import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { PRIORITIES } from "../../../notes/task/fields.ts";
import { BOARD_STATUSES } from "../../../notes/task/statuses.ts";
import { statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Popup } from "../../popup.tsx";
import { can } from "../../state.ts";
import { useStore } from "../../store.ts";
import { giveFocusBack } from "../../view-focus.ts";
import { archive } from "./archive.tsx";
import { changeAll, setFields } from "./change-all.ts";
import { type Changed, FieldDialog, type FieldName } from "./field-dialog.tsx";
import { moveTasks } from "./moves.ts";
import { clearSelection, keepSelected, selection } from "./selection.ts";
import { useHeight } from "./use-height.ts";

interface BarProps {
  /** What the board shows; others are selected no longer. */
  tasks: readonly Task[];
  owners: readonly string[];
  tags: readonly string[];
}

/** What can be done with the selected tasks, all at once and as one change to undo. */
export function SelectionBar({ tasks, ...known }: BarProps) {
  const paths = useStore(selection, (value) => value);
  const selected = useMemo(() => tasks.filter(({ path }) => paths.has(path)), [tasks, paths]);
  useLayoutEffect(() => keepSelected(tasks), [tasks]);
  return selected.length === 0 ? null : <Bar tasks={selected} {...known} />;
}

type Open = "status" | "priority" | FieldName;

function Bar({ tasks, ...known }: BarProps) {
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
      {can("update_task") && FIELDS.map((field) => opener(field, NAMES[field]))}
      {can("archive_tasks") && done.length > 0 && (
        <button type="button" disabled={isSaving} onClick={() => run(archive(done))}>
          {words.board.archiveAll(done.length)}
        </button>
      )}
      <button type="button" class="quiet" onClick={clearSelection}>
        {words.board.clearSelection}
      </button>
      {open !== undefined && (
        <Chooser {...open} {...known} tasks={tasks} onRun={run} onClose={() => setOpen(undefined)} />
      )}
    </section>
  );
}

const FIELDS = ["priority", "owner", "due", "tags"] as const;
const NAMES: Record<(typeof FIELDS)[number], string> = {
  priority: words.board.priority,
  owner: words.board.owner,
  due: words.board.due,
  tags: words.document.tags,
};

interface ChooserProps extends BarProps {
  what: Open;
  button: Element;
  onRun(work: Promise<void>): void;
  onClose(): void;
}

function Chooser({ what, button, tasks, onRun, onClose, ...known }: ChooserProps) {
  const change = (fields: (task: Task) => Changed) => onRun(update(tasks, fields));
  if (what !== "status" && what !== "priority")
    return <FieldDialog what={what} title={NAMES[what]} {...known} onChange={change} onClose={onClose} />;
  if (what === "priority")
    return (
      <Choices
        label={NAMES.priority}
        button={button}
        choices={[
          ...PRIORITIES.map((one) => [one, words.task.priority[one]] as const),
          [null, words.board.noPriority],
        ]}
        onChoose={(priority) => change(() => ({ priority }))}
        onClose={onClose}
      />
    );
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

function update(tasks: readonly Task[], fields: (task: Task) => Changed): Promise<void> {
  const said = { done: words.board.changed, failed: words.board.notChanged };
  return changeAll(tasks, (task, call) => setFields(call, task, fields(task)), said);
}
