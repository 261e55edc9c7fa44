import { useLayoutEffect, useState } from "preact/hooks";
import { OWN_FIELDS, perField } from "../../../notes/task/fields.ts";
import type { TaskStatus } from "../../../notes/task/statuses.ts";
import { changing } from "../../changes.ts";
import { Choice, sameNames } from "../../choice.tsx";
import { Dialog } from "../../dialog.tsx";
import { fieldValue, inputType } from "../../fields.ts";
import { statusName, valuesOf, words } from "../../language.ts";
import { messageOf } from "../../notices.ts";
import { createStore, useStore } from "../../store.ts";
import { refresh } from "../../tasks.ts";
import { ensured } from "./moves.ts";
import type { Board } from "./use-board.ts";

const EMPTY = { project: "", title: "", objective: "", ...perField(() => "") };

/** What is typed stays until the task is created, even if the dialog is closed. */
export const draft = createStore(EMPTY);

interface CreateProps {
  board: Pick<Board, "names" | "filter">;
  status: TaskStatus;
  /** Puts the focus on the card of a path. */
  want(path: string): void;
  onClose(): void;
}

export function CreateDialog({ board: { names, filter }, status, want, onClose }: CreateProps) {
  const [problem, setProblem] = useState("");
  const [isSaving, setSaving] = useState(false);
  useLayoutEffect(() => {
    type("project", projectFor(filter.project, names));
  }, []);
  const save = async (event: Event) => {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    setProblem("");
    try {
      const { project, title, objective, ...typed } = draft.get();
      const filled = OWN_FIELDS.filter((name) => typed[name].trim() !== "");
      const fields = Object.fromEntries(filled.map((name) => [name, fieldValue(name, typed[name])]));
      const path = await create({ project, title, objective, status, ...fields });
      draft.update(() => ({ ...EMPTY, project }));
      want(path);
      ensured.update(() => path);
      onClose();
    } catch (error) {
      setProblem(messageOf(error));
      setSaving(false);
    }
  };
  return (
    <Dialog title={words.board.newIn(statusName(status))} onClose={onClose}>
      <form class="board-form" onSubmit={save}>
        <Fields projects={names} />
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

function Fields({ projects }: { projects: readonly string[] }) {
  const typed = useStore(draft, (value) => value);
  const field = (name: Name) => ({
    name,
    value: typed[name],
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => type(name, value),
  });
  return (
    <>
      <label>
        {words.board.table.title}
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
    </>
  );
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
