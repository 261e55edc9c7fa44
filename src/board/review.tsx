import { useState } from "preact/hooks";
import { taskName } from "../core/notes/names.ts";
import { FormDialog } from "./dialog.tsx";
import { say, statusName, words } from "./language.ts";
import type { Task } from "./model.ts";
import { Panel } from "./panel.tsx";
import { can } from "./state.ts";
import { reportStatus, setStatus, statusNow } from "./task-status.ts";

/** What the buttons show. */
const SEEN = "review";

function approve(task: Task, seen: string = SEEN): void {
  const name = taskName(task);
  setStatus({ ...task, status: seen }, { status: "done" }, say(words.review.approved, { name })).catch(
    (error) => reportStatus(error, say(words.board.notMoved, { name }), (now) => approve(task, now)),
  );
}

/** A task that waits for someone to look. */
export function ReviewPanel({ task }: { task: Task }) {
  const [isReturning, setReturning] = useState(false);
  const isInReview = task.status === SEEN;
  // What is typed stays if the task is moved meanwhile.
  if (!(isInReview || isReturning) || !can("update_task_status")) return null;
  return (
    <>
      {isInReview && (
        <Panel class="review" title={words.status.review}>
          <p>{words.review.hint}</p>
          <div class="toolbar">
            <button type="button" class="main" onClick={() => approve(task)}>
              {words.review.approve}
            </button>
            <button type="button" onClick={() => setReturning(true)}>
              {words.review.return}
            </button>
          </div>
        </Panel>
      )}
      {isReturning && <ReturnDialog task={task} onClose={() => setReturning(false)} />}
    </>
  );
}

export function ReturnDialog({ task, onClose }: { task: Task; onClose(): void }) {
  const [note, setNote] = useState("");
  const [seen, setSeen] = useState<string>(SEEN);
  const send = async () => {
    const change = { status: "pending", note } as const;
    await setStatus({ ...task, status: seen }, change, say(words.review.returned, { name: taskName(task) }));
    onClose();
  };
  const ask = (error: unknown) => {
    const now = statusNow(error);
    if (now === undefined) throw error;
    setSeen(now);
    throw new Error(say(words.task.statusNow, { status: statusName(now) }));
  };
  return (
    <FormDialog
      title={say(words.review.returnTitle, { name: taskName(task) })}
      action={seen === SEEN ? words.review.send : words.task.anyway}
      submit={() => send().catch(ask)}
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
