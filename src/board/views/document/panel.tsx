import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { parseFrontmatter } from "../../../markdown/frontmatter.ts";
import { taskName } from "../../../notes/names.ts";
import { BOARD_STATUSES, isTaskStatus } from "../../../notes/task/statuses.ts";
import { changing } from "../../changes.ts";
import { isComposing } from "../../keys.ts";
import { statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { report } from "../../notices.ts";
import { can, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { Suggest } from "../../suggest.tsx";
import { setStatus } from "../../task-status.ts";
import { refresh } from "../../tasks.ts";
import { choicesOf } from "../board/tasks.ts";
import { type Field, listOf, readFields, yamlValue } from "./fields.ts";
import type { Doc } from "./model.ts";
import { canWrite, writeFields } from "./write.ts";

/** The frontmatter; what a person may change is a field of a form. */
export function Fields({ doc, task }: { doc: Doc; task: Task | undefined }) {
  const known = useKnown(doc.project);
  const fields = readFields(parseFrontmatter(doc.content).data);
  const hasTaskFields = task !== undefined && can("update_task");
  const shown = hasTaskFields ? TASK_FIELDS : task !== undefined ? ["status"] : [];
  const others = fields.filter(({ name }) => !shown.includes(name));
  if (task === undefined && !canWrite() && fields.length === 0) return null;
  return (
    <section class="panel fields" aria-labelledby="fields-title">
      <h2 id="fields-title">{words.document.fields}</h2>
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

const TASK_FIELDS = ["status", "priority", "due", "owner", "tags"];

interface TaskFieldsProps {
  task: Task;
  known: Known;
}

function TaskFields({ task, known }: TaskFieldsProps) {
  const { project, filename } = task;
  const text = words.document.saved(taskName(task));
  const after = (saved: Promise<void>) => void saved.then(() => refresh(project)).catch(report);
  const update = (fields: object) => {
    const change = changing();
    const called = change.call("update_task", { project, task: filename, ...fields });
    after(called.then(() => change.done(text)));
  };
  return (
    <>
      <Choice
        label={words.document.status}
        value={task.status ?? ""}
        options={BOARD_STATUSES.map((status) => [status, statusName(status)])}
        onChoose={(status) => isTaskStatus(status) && after(setStatus(task, { status }, text))}
      />
      <Choice
        label={words.document.priority}
        value={task.priority ?? ""}
        options={[["", words.document.noStatus], ...Object.entries(words.task.priority)]}
        onChoose={(priority) => update({ priority: priority || null })}
      />
      <TextField
        label={words.document.due}
        type="date"
        value={task.due ?? ""}
        onChange={(due) => update({ due: due || null })}
      />
      <TextField
        label={words.document.owner}
        value={task.owner ?? ""}
        options={known.owners}
        onChange={(owner) => update({ owner: owner.trim() || null })}
      />
      <TextField
        label={words.document.tags}
        value={task.tags.join(", ")}
        options={known.tags}
        isList
        onChange={(tags) => update({ tags: listOf(tags) })}
      />
    </>
  );
}

type Known = ReturnType<typeof choicesOf>;

/** The owners and tags of a project's tasks. */
function useKnown(project: string): Known {
  const tasks = useStore(state, (value) => value.tasks.get(project));
  return useMemo(() => choicesOf(tasks ?? []), [tasks]);
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
  onChoose(value: string): void;
}

/** A value that is none of the options is shown too. */
function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const isKnown = options.some(([one]) => one === value);
  const all = isKnown ? options : [[value, value || words.document.noStatus] as const, ...options];
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {all.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function FieldRow({ doc, field, known }: { doc: Doc; field: Field; known: Known }) {
  const { name } = field;
  if (!canWrite() || field.kind === "other")
    return (
      <Row name={name}>
        {field.kind === "list" ? field.items.map((item) => <Chip key={item}>{item}</Chip>) : field.text}
      </Row>
    );
  const write = (value: unknown) => void writeFields(doc, { [name]: value }).catch(report);
  if (field.kind === "list")
    return (
      <TextField
        label={name}
        value={field.items.join(", ")}
        options={name === "tags" ? known.tags : []}
        isList
        onChange={(text) => write(listOf(text))}
      />
    );
  return (
    <TextField
      label={name}
      value={field.text}
      options={name === "owner" ? known.owners : []}
      onChange={(text) => write(yamlValue(text, field.isQuoted))}
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

function Chip({ children }: { children: ComponentChildren }) {
  return (
    <Fragment>
      <span class="chip">{children}</span>{" "}
    </Fragment>
  );
}

interface TextFieldProps {
  label: string;
  value: string;
  type?: "text" | "date";
  /** To choose from. */
  options?: readonly string[];
  /** Several values with commas between them. */
  isList?: boolean;
  onChange(value: string): void;
}

/** Saved on Enter and when the focus leaves; Escape takes the change back. What someone types survives changes from elsewhere. */
function TextField({
  value,
  type = "text",
  options = [],
  isList = false,
  onChange,
  ...rest
}: TextFieldProps) {
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
      {...rest}
      type={type}
      title={isList ? words.document.listHint : undefined}
      placeholder={words.document.noStatus}
      options={options}
      isList={isList}
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
