import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { withoutMarkdownExtension } from "../../../lib/file-names.ts";
import { taskName } from "../../../notes/names.ts";
import { isOwnField, OWN_FIELDS, perField, TASK_FIELDS } from "../../../notes/task/fields.ts";
import { byUrgency } from "../../../notes/task/order.ts";
import type { TaskStatus } from "../../../notes/task/statuses.ts";
import { changing } from "../../changes.ts";
import { Choice, sameNames } from "../../choice.tsx";
import { Dialog } from "../../dialog.tsx";
import { fieldValue, inputType, isList, knownValues, listOf } from "../../fields.ts";
import { statusName, valuesOf, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { messageOf } from "../../notices.ts";
import { state } from "../../state.ts";
import { createStore, useStore } from "../../store.ts";
import { Suggest } from "../../suggest.tsx";
import { refresh } from "../../tasks.ts";

const SHARED_FIELDS = TASK_FIELDS.filter((name) => !isOwnField(name));

const EMPTY = {
  project: "",
  title: "",
  objective: "",
  ...perField(() => ""),
  dependencies: "",
  steps: "",
  criteria: "",
};

/** What is typed stays until the task is created, even if the dialog is closed. */
export const draft = createStore(EMPTY);

interface CreateProps {
  status: TaskStatus;
  projects: readonly string[];
  /** The one to choose; without it the last one used. */
  project: string | undefined;
  onClose(): void;
  /** With the path of the new task. */
  onCreated(path: string): void;
}

export function CreateDialog({ status, projects, project, onClose, onCreated }: CreateProps) {
  const [problem, setProblem] = useState("");
  const [isSaving, setSaving] = useState(false);
  useLayoutEffect(() => {
    type("project", projectFor(project, projects));
  }, []);
  const save = async (event: Event) => {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    setProblem("");
    try {
      const { project, title, objective, ...typed } = draft.get();
      const path = await create({ project, title, objective, status, ...partsOf(typed) });
      draft.update(() => ({ ...EMPTY, project }));
      onCreated(path);
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  };
  return (
    <Dialog title={words.board.newIn(statusName(status))} onClose={onClose}>
      <form class="board-form" onSubmit={save}>
        <Fields projects={projects} />
        {problem !== "" && (
          <p class="board-problem" role="alert">
            {problem}
          </p>
        )}
        <div class="board-buttons">
          <button type="button" onClick={onClose}>
            {words.app.cancel}
          </button>
          <button type="submit" class="main" disabled={isSaving}>
            {words.board.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type Name = keyof typeof EMPTY;

function type(name: Name, value: string): void {
  draft.update((before) => ({ ...before, [name]: value }));
}

function useField() {
  const typed = useStore(draft, (value) => value);
  return (name: Name) => ({
    name,
    value: typed[name],
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => type(name, value),
  });
}

function Fields({ projects }: Pick<CreateProps, "projects">) {
  const field = useField();
  const typed = useStore(draft, (value) => value);
  return (
    <>
      <label>
        {words.board.titleField}
        <input {...field("title")} required autoComplete="off" />
      </label>
      <label>
        {words.board.objective}
        <textarea {...field("objective")} rows={3} />
      </label>
      <div class="board-fields">
        <Choice
          label={words.board.project}
          value={typed.project}
          options={sameNames(projects)}
          onChoose={(name) => type("project", name)}
        />
        {OWN_FIELDS.map((name) => {
          const [label, values] = [words.field.names[name], valuesOf(name)];
          return values.length > 0 ? (
            <Choice
              key={name}
              label={label}
              value={typed[name]}
              options={[["", words.field.none], ...values]}
              onChoose={(value) => type(name, value)}
            />
          ) : (
            <label key={name}>
              {label}
              <input {...field(name)} type={inputType(name) as "text"} />
            </label>
          );
        })}
      </div>
      <MoreFields />
    </>
  );
}

/** What a task may have besides; open if something is typed there. */
function MoreFields() {
  const field = useField();
  const isOpen = useRef(rest(draft.get()).some((value) => value !== ""));
  const project = useStore(draft, (value) => value.project);
  const tasks = useStore(state, (value) => value.tasks.get(project)) ?? [];
  const known = knownValues(tasks);
  const open = byUrgency(tasks.filter(({ status }) => status !== "done"));
  const suggested = (name: Name) => {
    const { value } = field(name);
    return { name, value, onType: (text: string) => type(name, text) };
  };
  return (
    <details class="board-more-fields" open={isOpen.current}>
      <summary>{words.board.moreFields}</summary>
      <div class="board-form">
        <div class="board-fields">
          {SHARED_FIELDS.map((name) => (
            <Suggest
              key={name}
              {...suggested(name)}
              label={words.field.names[name]}
              options={known[name] ?? []}
              isList={isList(name)}
            />
          ))}
          <Suggest
            {...suggested("dependencies")}
            label={words.document.dependencies}
            options={open.map(referenceTo)}
            isList
          />
        </div>
        <label>
          {words.board.steps}
          <textarea {...field("steps")} rows={3} />
        </label>
        <label>
          {words.board.criteria}
          <textarea {...field("criteria")} rows={2} />
        </label>
      </div>
    </details>
  );
}

function rest({ dependencies, steps, criteria, ...typed }: typeof EMPTY) {
  return [...SHARED_FIELDS.map((name) => typed[name]), dependencies, steps, criteria];
}

/** What a dependency calls a task, and its name. */
function referenceTo(task: Task): [string, string] {
  return [task.number ?? withoutMarkdownExtension(task.filename), taskName(task)];
}

/** What was typed, without what was left empty. */
function partsOf({
  dependencies,
  steps,
  criteria,
  ...typed
}: Omit<typeof EMPTY, "project" | "title" | "objective">) {
  const lines = (text: string) => text.split("\n").filter((line) => line.trim() !== "");
  const fields = perField((name) => fieldValue(name, typed[name]) ?? []);
  const filled = Object.entries({ ...fields, steps: lines(steps), acceptance_criteria: lines(criteria) });
  const before = listOf(dependencies);
  return {
    ...Object.fromEntries(filled.filter(([, value]) => !Array.isArray(value) || value.length > 0)),
    ...(before.length > 0 && { context: { dependencies: before } }),
  };
}

interface NewTask {
  project: string;
  title: string;
  objective: string;
  status: TaskStatus;
}

/** Answers with the path of the new task. */
export async function create(args: NewTask): Promise<string> {
  const { project, title, status } = args;
  const change = changing();
  const { task } = await change.call<{ task: { number: string; path: string } }>("create_task", args);
  type("project", project);
  change.done(words.board.created(`${project} ${task.number} ${title}`, statusName(status)));
  await refresh(project).catch(() => {});
  return task.path;
}

/** The one that is filtered, else the last one used. */
export function projectFor(filtered: string | undefined, projects: readonly string[]): string {
  const { project: last } = draft.get();
  return [filtered, last, projects[0]].find((one) => one !== undefined && projects.includes(one)) ?? "";
}
