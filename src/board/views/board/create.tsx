import { useLayoutEffect, useMemo } from "preact/hooks";
import { definedOf } from "../../../core/lib/collections.ts";
import { projectOf } from "../../../core/notes/names.ts";
import type { TaskStatus } from "../../../core/notes/task/statuses.ts";
import { changing } from "../../changes.ts";
import { Choice, sameNames } from "../../choice.tsx";
import { FormDialog, openDialog } from "../../dialog.tsx";
import { useKeys } from "../../keys.ts";
import { say, statusName, words } from "../../language.ts";
import { Line } from "../../line.tsx";
import { type Route, route } from "../../route.ts";
import { state } from "../../state.ts";
import { createStore, useStore } from "../../store.ts";
import { refresh } from "../../tasks.ts";
import { focusNext } from "./focus.ts";

/** What is typed stays until the task is created, even if the dialog is closed. */
const draft = createStore({ project: "", title: "", objective: "" });
type Name = keyof ReturnType<typeof draft.get>;

export function startTask(status: TaskStatus): void {
  openDialog((close) => <CreateDialog status={status} onClose={close} />);
}

function type(name: Name, value: string): void {
  draft.update((before) => ({ ...before, [name]: value }));
}

/** On every view. */
export function useCreateKey(): void {
  const isOffered = useStore(state, ({ tools }) => tools.has("create_task"));
  const key = { key: "n", label: words.board.newTask, run: () => startTask("pending") };
  useKeys(useMemo(() => (isOffered ? [key] : []), [isOffered]));
}

function CreateDialog({ status, onClose }: { status: TaskStatus; onClose(): void }) {
  const { project, projects } = useProject();
  const typed = useStore(draft, (value) => value);
  useLayoutEffect(() => type("project", project), []);
  const submit = async () => {
    const path = await create({ ...draft.get(), status });
    type("title", "");
    type("objective", "");
    onClose();
    focusNext(path);
  };
  const field = (name: Name) => ({
    name,
    value: typed[name],
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => type(name, value),
  });
  const title = say(words.board.newIn, { status: statusName(status) });
  return (
    <FormDialog title={title} action={words.board.create} submit={submit} onClose={onClose}>
      <label>
        {words.board.table.title}
        <input {...field("title")} required autoComplete="off" />
      </label>
      <label>
        {words.board.objective}
        <textarea {...field("objective")} rows={3} />
      </label>
      <Choice
        label={words.board.table.project}
        value={typed.project}
        options={sameNames(projects)}
        onChoose={(name) => type("project", name)}
      />
    </FormDialog>
  );
}

/** Answers with the path of the new task. */
async function create(args: Record<Name, string> & { status: TaskStatus; due?: string }): Promise<string> {
  const { project, title, status } = args;
  const change = changing();
  const { task } = await change.call<{ task: { number: string; path: string } }>("create_task", args);
  type("project", project);
  change.done(
    say(words.board.created, { name: `${project} ${task.number} ${title}`, status: statusName(status) }),
  );
  await refresh(project).catch(() => {});
  return task.path;
}

/** Where a task is made: in the project that is filtered, else in the last one used. */
function useProject() {
  const projects = useStore(state, (value) => value.projects).map(({ name }) => name);
  const filtered = useStore(route, projectOfView);
  const last = useStore(draft, (value) => value.project);
  const project = [filtered, last].find((one) => projects.includes(one ?? "")) ?? projects[0] ?? "";
  return { project, projects };
}

function projectOfView({ view, parameters }: Route): string | undefined {
  const { project, name, path = "" } = parameters;
  return { project: name, document: projectOf(path) }[view as string] ?? project;
}

/** Tasks get their numbers in the order in which their titles were typed. */
let creating: Promise<unknown> = Promise.resolve();

interface TitleProps {
  status: TaskStatus;
  due?: string;
  /** What it is added to. */
  list?: string;
}

/** At the end of a list: a title and Enter make a task in it. */
export function TitleLine({ status, due, list = statusName(status) }: TitleProps) {
  const { project, projects } = useProject();
  const enter = (title: string) => {
    const created = creating.then(() =>
      create({ project, title, objective: "", status, ...definedOf({ due }) }),
    );
    creating = created.catch(() => {});
    return created;
  };
  return (
    <Line
      of={`${project} ${list}`}
      label={say(words.board.titleIn, { status: list })}
      placeholder={[words.board.titleLine, ...(projects.length > 1 ? [project] : [])].join(" · ")}
      onEnter={enter}
      failed={(title) => say(words.board.notCreated, { title })}
    />
  );
}
