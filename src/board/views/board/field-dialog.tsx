import { useState } from "preact/hooks";
import { Dialog } from "../../dialog.tsx";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Suggest } from "../../suggest.tsx";
import { listOf } from "../document/fields.ts";
import { changedTags } from "./changed-tags.ts";

/** What `update_task` changes. */
export interface Changed {
  priority?: Task["priority"] | null;
  owner?: string | null;
  due?: string | null;
  tags?: string[];
}

export type FieldName = "owner" | "due" | "tags";

interface FieldProps {
  what: FieldName;
  title: string;
  owners: readonly string[];
  tags: readonly string[];
  onChange(fields: (task: Task) => Changed): void;
  onClose(): void;
}

/** Asks for what several tasks get. */
export function FieldDialog({ what, title, owners, tags, onChange, onClose }: FieldProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    onChange((task) => fieldsOf(what, text, task));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="board-form" onSubmit={submit}>
        {what === "owner" && <Known name="owner" label={words.board.ownerHint} values={owners} />}
        {what === "due" && (
          <label>
            {words.board.dueHint}
            <input name="due" type="date" />
          </label>
        )}
        {what === "tags" && (
          <>
            <Known name="add" label={words.board.addTags} values={tags} isList />
            <Known name="remove" label={words.board.removeTags} values={tags} isList />
          </>
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
}

function Known({ values, ...field }: KnownProps) {
  const [value, setValue] = useState("");
  return <Suggest {...field} options={values} value={value} onType={setValue} />;
}

function fieldsOf(what: FieldName, text: (name: string) => string, { tags }: Task): Changed {
  if (what === "owner") return { owner: text("owner") || null };
  if (what === "due") return { due: text("due") || null };
  return { tags: changedTags(tags, listOf(text("add")), listOf(text("remove"))) };
}
