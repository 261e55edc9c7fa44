import { useState } from "preact/hooks";
import type { NewFields, TaskField } from "../../../notes/task/fields.ts";
import { Dialog } from "../../dialog.tsx";
import { fieldValue, inputType, isList, listOf } from "../../fields.ts";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Suggest } from "../../suggest.tsx";
import { changedTags } from "./changed-tags.ts";

interface FieldProps {
  field: TaskField;
  known: readonly string[];
  onChange(fields: (task: Task) => NewFields): void;
  onClose(): void;
}

/** Asks for what several tasks get. */
export function FieldDialog({ field, known, onChange, onClose }: FieldProps) {
  const name = words.field.names[field];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (input: string) => String(form.get(input) ?? "");
    const tagsOf = (task: Task) =>
      changedTags([task[field] ?? []].flat(), listOf(text("add")), listOf(text("remove")));
    onChange((task) => ({ [field]: isList(field) ? tagsOf(task) : fieldValue(field, text("value")) }));
  };
  return (
    <Dialog title={name} onClose={onClose}>
      <form class="board-form" onSubmit={submit}>
        {isList(field) ? (
          <>
            <Known name="add" label={words.board.addTags} values={known} isList />
            <Known name="remove" label={words.board.removeTags} values={known} isList />
          </>
        ) : (
          <Known name="value" label={words.field.clear(name)} values={known} type={inputType(field)} />
        )}
        <div class="board-buttons">
          <button type="button" onClick={onClose}>
            {words.app.cancel}
          </button>
          <button type="submit" class="main">
            {words.board.apply}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface KnownProps {
  name: string;
  label: string;
  values: readonly string[];
  isList?: boolean;
  type?: ReturnType<typeof inputType>;
}

function Known({ values, ...field }: KnownProps) {
  const [value, setValue] = useState("");
  return <Suggest {...field} options={values} value={value} onType={setValue} />;
}
