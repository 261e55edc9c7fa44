import { useState } from "preact/hooks";
import { taskName } from "../core/notes/names.ts";
import type { TaskStatus } from "../core/notes/task/statuses.ts";
import { FormDialog, openDialog } from "./dialog.tsx";
import { say, words } from "./language.ts";
import type { Task } from "./model.ts";
import { report } from "./notices.ts";
import { Panel } from "./panel.tsx";
import { can } from "./state.ts";
import { setStatus } from "./task-status.ts";

/** Ends the review of a task, which is what the person saw; a note becomes a line in it. */
function review(task: Task, status: TaskStatus, note = ""): Promise<void> {
  const said = status === "done" ? words.review.approved : words.review.returned;
  const text = say(said, { name: taskName(task) });
  return setStatus({ ...task, status: "review" }, { status, ...(note.trim() !== "" && { note }) }, text);
}

/** A task that waits for someone to look. */
export function ReviewPanel({ task }: { task: Task }) {
  if (task.status !== "review" || !can("update_task_status")) return null;
  return (
    <Panel class="review" title={words.status.review}>
      <p>{words.review.hint}</p>
      <div class="toolbar">
        <button type="button" class="main" onClick={() => void review(task, "done").catch(report)}>
          {words.review.approve}
        </button>
        <button type="button" onClick={() => askToReturn(task)}>
          {words.review.return}
        </button>
      </div>
    </Panel>
  );
}

/** What is typed stays if the task is moved meanwhile. */
export function askToReturn(task: Task): void {
  openDialog((close) => <ReturnDialog task={task} onClose={close} />);
}

function ReturnDialog({ task, onClose }: { task: Task; onClose(): void }) {
  const [note, setNote] = useState("");
  return (
    <FormDialog
      title={say(words.review.returnTitle, { name: taskName(task) })}
      action={words.review.send}
      submit={() => review(task, "pending", note).then(onClose)}
      onClose={onClose}
    >
      <label>
        {words.review.note}
        <textarea
          rows={4}
          required
          value={note}
          onInput={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </label>
    </FormDialog>
  );
}
