import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { parseFrontmatter } from "../../../markdown/frontmatter.ts";
import { taskName } from "../../../notes/names.ts";
import { TASK_FIELDS } from "../../../notes/task/fields.ts";
import { BOARD_STATUSES, isTaskStatus } from "../../../notes/task/statuses.ts";
import { change } from "../../changes.ts";
import { Choice } from "../../choice.tsx";
import { fieldText, fieldValue, inputType, isList, type Known, knownValues, listOf } from "../../fields.ts";
import { isComposing } from "../../keys.ts";
import { statusName, valuesOf, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { report } from "../../notices.ts";
import { can, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { Suggest, type SuggestProps } from "../../suggest.tsx";
import { setStatus } from "../../task-status.ts";
import { type Field, readFields, yamlValue } from "./fields.ts";
import type { Doc } from "./model.ts";
import { canWrite, writeFields } from "./write.ts";

/** The frontmatter; what a person may change is a field of a form. */
export function Fields({ doc, task }: { doc: Doc; task: Task | undefined }) {
  const known = useKnown(doc.project);
  const { data, problem } = parseFrontmatter(doc.content);
  const fields = readFields(data);
  const hasTaskFields = task !== undefined && can("update_task");
  const shown: readonly string[] =
    task === undefined ? [] : ["status", ...(hasTaskFields ? TASK_FIELDS : [])];
  const others = fields.filter(({ name }) => !shown.includes(name));
  if (task === undefined && !canWrite() && fields.length === 0 && problem === null) return null;
  return (
    <section class="panel fields" aria-labelledby="fields-title">
      <h2 id="fields-title">{words.document.fields}</h2>
      {problem !== null && <p class="problem-text">{problem}</p>}
      {task?.unread?.map((line) => (
        <p key={line} class="problem-text">
          {line}
        </p>
      ))}
      <div class="form">
        {hasTaskFields && <TaskFields task={task} known={known} />}
        {task !== undefined && !hasTaskFields && (
          <Row name={words.document.status}>{task.status === null ? "" : statusName(task.status)}</Row>
        )}
        {others.map((field) => (
          <FieldRow key={field.name} doc={doc} field={field} known={known} />
        ))}
      </div>
      {canWrite() && <NewField doc={doc} />}
    </section>
  );
}

interface TaskFieldsProps {
  task: Task;
  known: Known;
}

function TaskFields({ task, known }: TaskFieldsProps) {
  const { project, filename } = task;
  const text = words.document.saved(taskName(task));
  const update = (fields: object) =>
    change(project, "update_task", { project, task: filename, ...fields }, text).catch(report);
  return (
    <>
      <Choice
        label={words.document.status}
        value={task.status ?? ""}
        options={BOARD_STATUSES.map((status) => [status, statusName(status)])}
        onChoose={(status) => isTaskStatus(status) && setStatus(task, { status }, text).catch(report)}
      />
      {TASK_FIELDS.map((name) => {
        const label = words.field.names[name];
        const value = fieldText(task, name);
        const save = (text: string) => update({ [name]: fieldValue(name, text) });
        const values = valuesOf(name);
        return values.length > 0 ? (
          <Choice
            key={name}
            label={label}
            value={value}
            options={[["", words.field.none], ...values]}
            onChoose={save}
          />
        ) : (
          <TextField
            key={name}
            label={label}
            type={inputType(name)}
            value={value}
            options={known[name] ?? []}
            isList={isList(name)}
            onChange={save}
          />
        );
      })}
    </>
  );
}

/** The owners and tags of a project's tasks. */
function useKnown(project: string): Known {
  const tasks = useStore(state, (value) => value.tasks.get(project));
  return useMemo(() => knownValues(tasks ?? []), [tasks]);
}

function FieldRow({ doc, field, known }: { doc: Doc; field: Field; known: Known }) {
  const { name } = field;
  if (!canWrite() || field.kind === "other")
    return (
      <Row name={name}>
        {field.kind === "list"
          ? field.items.map((item) => [<span class="chip">{item}</span>, " "])
          : field.text}
      </Row>
    );
  const typedValue = (text: string) =>
    field.kind === "list" ? listOf(text) : yamlValue(text, field.isQuoted);
  return (
    <TextField
      label={name}
      value={field.kind === "list" ? field.items.join(", ") : field.text}
      options={known[name] ?? []}
      isList={field.kind === "list"}
      onChange={(text) => void writeFields(doc, { [name]: typedValue(text) }).catch(report)}
    />
  );
}

function Row({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <dl class="field">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </dl>
  );
}

interface TextFieldProps extends Omit<SuggestProps, "onType"> {
  onChange(value: string): void;
}

/** Saved on Enter and when the focus leaves; Escape takes the change back. What someone types survives changes from elsewhere. */
function TextField({ onChange, ...field }: TextFieldProps) {
  const { value, isList } = field;
  const [typed, setTyped] = useState<string>();
  useEffect(() => setTyped(undefined), [value]);
  const commit = () => {
    if (typed !== undefined && typed !== value) onChange(typed);
    else setTyped(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Enter") commit();
    if (event.key === "Escape") setTyped(undefined);
  };
  return (
    <Suggest
      {...field}
      title={isList ? words.document.listHint : undefined}
      placeholder={words.field.none}
      value={typed ?? value}
      onType={setTyped}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  );
}

function NewField({ doc }: { doc: Doc }) {
  const [isOpen, setOpen] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const [name, value] = [String(fields.get("name")).trim(), String(fields.get("value"))];
    if (name === "") return;
    writeFields(doc, { [name]: yamlValue(value) })
      .then(() => setOpen(false))
      .catch(report);
  };
  if (!isOpen)
    return (
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        + {words.document.addField}
      </button>
    );
  return (
    <form class="form new-field" onSubmit={submit}>
      <label>
        {words.document.field}
        <input name="name" required autoComplete="off" />
      </label>
      <label>
        {words.document.value}
        <input name="value" required autoComplete="off" />
      </label>
      <div class="toolbar">
        <button type="submit">{words.document.save}</button>
        <button type="button" class="quiet" onClick={() => setOpen(false)}>
          {words.app.cancel}
        </button>
      </div>
    </form>
  );
}
