import { useState } from "preact/hooks";
import type { NewFields, TaskField } from "../../../notes/task/fields.ts";
import { BOARD_STATUSES } from "../../../notes/task/statuses.ts";
import { fieldText, fieldValue, inputType, isList, type Known, listOf } from "../../fields.ts";
import { statusName, valuesOf, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Popup, PopupButton } from "../../popup.tsx";
import { Suggest } from "../../suggest.tsx";
import { changeAll, setFields } from "./change-all.ts";
import { changedTags } from "./changed-tags.ts";
import { moveTasks } from "./moves.ts";

export type Choosable = "status" | TaskField;

export function choosableName(what: Choosable): string {
  return what === "status" ? words.document.status : words.field.names[what];
}

interface ChooserProps {
  what: Choosable;
  /** It opens there. */
  button: Element;
  tasks: readonly Task[];
  known: Known;
  onRun(work: Promise<void>): void;
  onClose(): void;
}

/** Asks what tasks get: their status, or a field. */
export function Chooser({ what, button, tasks, known, onRun, onClose }: ChooserProps) {
  const popup = { button, onClose, label: choosableName(what) };
  if (what === "status")
    return (
      <Choices
        {...popup}
        choices={BOARD_STATUSES.map((status) => [status, statusName(status)])}
        onChoose={(status) => moveTasks(tasks, { status })}
      />
    );
  const change = (fields: (task: Task) => NewFields) => onRun(update(tasks, fields));
  const values = valuesOf(what);
  if (values.length === 0)
    return <FieldForm {...popup} field={what} tasks={tasks} known={known[what] ?? []} onChange={change} />;
  return (
    <Choices
      {...popup}
      choices={[...values, [null, words.field.none]]}
      onChoose={(value) => change(() => ({ [what]: value }))}
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

function update(tasks: readonly Task[], fields: (task: Task) => NewFields): Promise<void> {
  const said = { done: words.board.changed, failed: words.board.notChanged };
  return changeAll(tasks, (task, call) => setFields(call, task, fields(task)), said);
}

interface FormProps extends PopupProps {
  tasks: readonly Task[];
  field: TaskField;
  known: readonly string[];
  onChange(fields: (task: Task) => NewFields): void;
}

/** What one task has is there to change; several lists keep what they have. */
function FieldForm({ field, tasks, known, onChange, ...popup }: FormProps) {
  const [task] = tasks;
  const isMerged = isList(field) && tasks.length > 1;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const text = (input: string) => String(new FormData(form).get(input) ?? "");
    const [value, added, removed] = [text("value"), listOf(text("add")), listOf(text("remove"))];
    form.closest("dialog")?.close();
    onChange((one) => ({
      [field]: isMerged ? changedTags([one[field] ?? []].flat().map(String), added, removed) : fieldValue(field, value),
    }));
  };
  const input = { values: known, isList: isList(field), type: inputType(field) };
  const now = tasks.length === 1 && task !== undefined ? fieldText(task, field) : "";
  return (
    <Popup {...popup}>
      <form class="board-form" onSubmit={submit}>
        {isMerged ? (
          <>
            <Input name="add" label={words.board.addTags} {...input} />
            <Input name="remove" label={words.board.removeTags} {...input} />
          </>
        ) : (
          <Input name="value" label={words.field.clear(popup.label)} now={now} {...input} />
        )}
        <button type="submit" class="main">
          {words.board.apply}
        </button>
      </form>
    </Popup>
  );
}

interface InputProps {
  name: string;
  label: string;
  now?: string;
  values: readonly string[];
  isList: boolean;
  type: ReturnType<typeof inputType>;
}

function Input({ values, now = "", ...field }: InputProps) {
  const [value, setValue] = useState(now);
  return <Suggest {...field} options={values} value={value} onType={setValue} />;
}
