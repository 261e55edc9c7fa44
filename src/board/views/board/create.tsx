import { useLayoutEffect, useState } from "preact/hooks";
import type { TaskStatus } from "../../../notes/statuses.ts";
import { PRIORITIES } from "../../../notes/task-fields.ts";
import { changing } from "../../changes.ts";
import { Dialog } from "../../dialog.tsx";
import { statusName, words } from "../../language.ts";
import { messageOf } from "../../notices.ts";
import { createStore, useStore } from "../../store.ts";
import { refresh } from "../../tasks.ts";

const EMPTY = { project: "", title: "", objective: "", priority: "", due: "" };

/** What is typed stays until the task is created, even if the dialog is closed. */
const draft = createStore(EMPTY);

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
    const { project: last } = draft.get();
    const chosen = [project, last, projects[0]].find((one) => one !== undefined && projects.includes(one));
    draft.update((before) => ({ ...before, project: chosen ?? "" }));
  }, []);
  const save = async (event: Event) => {
    event.preventDefault();
    if (isSaving) return;
    setSaving(true);
    setProblem("");
    try {
      onCreated(await create(status, draft.get()));
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
            {words.board.cancel}
          </button>
          <button type="submit" class="main" disabled={isSaving}>
            {words.board.create}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Fields({ projects }: Pick<CreateProps, "projects">) {
  const typed = useStore(draft, (value) => value);
  const field = (name: keyof typeof EMPTY) => ({
    name,
    value: typed[name],
    onInput: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      draft.update((before) => ({ ...before, [name]: value })),
  });
  return (
    <>
      <label>
        {words.board.titleField}
        <input {...field("title")} required autoComplete="off" />
      </label>
      <label>
        {words.board.objective}
        <textarea {...field("objective")} required rows={3} />
      </label>
      <div class="board-fields">
        <label>
          {words.board.project}
          <select {...field("project")} required>
            {projects.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.board.priority}
          <select {...field("priority")}>
            <option value="">{words.board.noPriority}</option>
            {PRIORITIES.map((priority) => (
              <option key={priority} value={priority}>
                {words.task.priority[priority]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {words.board.due}
          <input {...field("due")} type="date" />
        </label>
      </div>
    </>
  );
}

async function create(status: TaskStatus, { project, title, objective, priority, due }: typeof EMPTY) {
  const change = changing();
  const { task } = await change.call<{ task: { number: string; path: string } }>("create_task", {
    project,
    title,
    objective,
    status,
    ...(priority !== "" && { priority }),
    ...(due !== "" && { due }),
  });
  draft.update(() => ({ ...EMPTY, project }));
  change.done(words.board.created(`${task.number} ${title}`, statusName(status)));
  await refresh(project).catch(() => {});
  return task.path;
}
