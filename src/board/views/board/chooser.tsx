import { useState } from "preact/hooks";
import { projectOf } from "../../../core/notes/names.ts";
import type { NewFields, TaskField } from "../../../core/notes/task/fields.ts";
import { BOARD_STATUSES } from "../../../core/notes/task/statuses.ts";
import { fieldText, fieldValue, inputType, isList, knownValues, listOf } from "../../fields.ts";
import { say, statusName, valuesOf, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Popup, PopupButton } from "../../popup.tsx";
import { route } from "../../route.ts";
import { state } from "../../state.ts";
import { Suggest } from "../../suggest.tsx";
import { changeAll, setFields } from "./change-all.ts";
import { moveTasks } from "./moves.ts";
import { changedTags, filterTasks } from "./tasks.ts";

export type Choosable = "status" | TaskField;

/** What can be chosen for tasks: the key that asks, and the tool that sets it. */
export const FIELD_KEYS = [
  ["status", "s", "update_task_status"],
  ["priority", "p", "update_task"],
  ["owner", "a", "update_task"],
  ["due", "d", "update_task"],
  ["tags", "l", "update_task"],
] as const;

export function choosableName(what: Choosable): string {
  return what === "status" ? words.board.table.status : words.field.names[what];
}

interface ChooserProps {
  what: Choosable;
  /** It opens there. */
  button: Element;
  tasks: readonly Task[];
  onClose(): void;
}

/** Asks what tasks get: their status, or a field. */
export function Chooser({ what, tasks, ...place }: ChooserProps) {
  const popup = { ...place, label: choosableName(what) };
  // The person chooses for what stood there.
  const [seen] = useState(tasks);
  if (what === "status") {
    const statuses = BOARD_STATUSES.map((status) => [status, statusName(status)] as const);
    return <Choices {...popup} choices={statuses} onChoose={(status) => moveTasks(seen, { status })} />;
  }
  const values = valuesOf(what);
  if (values.length === 0) return <FieldForm {...popup} field={what} tasks={tasks} />;
  return (
    <Choices
      {...popup}
      choices={[...values, [null, words.field.none]]}
      onChoose={(value) => update(tasks, () => ({ [what]: value }))}
    />
  );
}

interface PopupProps extends Pick<ChooserProps, "button" | "onClose"> {
  label: string;
}

interface ChoicesProps<T> extends PopupProps {
  choices: readonly (readonly [T, string])[];
  onChoose(value: T): void;
}

function Choices<T extends string | null>({ choices, onChoose, ...popup }: ChoicesProps<T>) {
  return (
    <Popup {...popup}>
      {choices.map(([value, name]) => (
        <PopupButton key={value} onChoose={() => onChoose(value)}>
          {name}
        </PopupButton>
      ))}
    </Popup>
  );
}

function update(tasks: readonly Task[], fields: (task: Task) => NewFields): void {
  const said = {
    done: (name: string) => say(words.board.changed, { name }),
    failed: (name: string) => say(words.board.notChanged, { name }),
  };
  void changeAll(tasks, (task, call) => setFields(call, task, fields(task)), said);
}

interface FormProps extends PopupProps {
  tasks: readonly Task[];
  field: TaskField;
}

/** What one task has is there to change; several lists keep what they have. */
function FieldForm({ field, tasks, ...popup }: FormProps) {
  const [task] = tasks;
  const [known] = useState(() => knownFor(field));
  const isMerged = isList(field) && tasks.length > 1;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const text = (input: string) => String(new FormData(form).get(input) ?? "");
    const [value, added, removed] = [text("value"), listOf(text("add")), listOf(text("remove"))];
    form.closest("dialog")?.close();
    update(tasks, (one) => ({
      [field]: isMerged
        ? changedTags([one[field] ?? []].flat().map(String), added, removed)
        : fieldValue(field, value),
    }));
  };
  const input = (name: string, label: string, now = "") => (
    <Input key={name} name={name} label={label} now={now} values={known} field={field} />
  );
  const now = tasks.length === 1 && task !== undefined ? fieldText(task, field) : "";
  return (
    <Popup {...popup}>
      <form class="form" onSubmit={submit}>
        {isMerged
          ? [input("add", words.board.addTags), input("remove", words.board.removeTags)]
          : input("value", say(words.field.clear, { name: popup.label }), now)}
        <button type="submit" class="main">
          {words.board.apply}
        </button>
      </form>
    </Popup>
  );
}

/** The values of the project that is shown, or of all. */
function knownFor(field: TaskField): readonly string[] {
  const { project, path = "" } = route.get().parameters;
  const all = [...state.get().tasks.values()].flat();
  return knownValues(filterTasks(all, { project: project || projectOf(path) }))[field] ?? [];
}

interface InputProps {
  name: string;
  label: string;
  now: string;
  values: readonly string[];
  field: TaskField;
}

function Input({ name, label, now, values, field }: InputProps) {
  const [value, setValue] = useState(now);
  return (
    <Suggest
      name={name}
      label={label}
      type={inputType(field)}
      isList={isList(field)}
      options={values}
      value={value}
      onType={setValue}
    />
  );
}
