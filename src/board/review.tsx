import { useRef, useState } from "preact/hooks";
import { taskName } from "../core/notes/names.ts";
import { isClosed, type TaskStatus } from "../core/notes/task/statuses.ts";
import { FormDialog, openDialog } from "./dialog.tsx";
import { useKeys } from "./keys.ts";
import { say, words } from "./language.ts";
import { Line } from "./line.tsx";
import type { Task } from "./model.ts";
import { report } from "./notices.ts";
import { Panel } from "./panel.tsx";
import { can, state } from "./state.ts";
import { setStatus } from "./task-status.ts";

/** Decides on a task whose status is what the person saw; a note becomes a line in it. */
function review(task: Task, status: TaskStatus, note = ""): Promise<void> {
  const said = status === "done" ? words.review.approved : words.review.returned;
  const text = say(said, { name: taskName(task) });
  return setStatus(task, { status, ...(note.trim() !== "" && { note }) }, text);
}

/** A task that waits for someone to look. */
export function ReviewPanel({ task }: { task: Task }) {
  if (task.status !== "review" || !can("update_task_status")) return null;
  return (
    <Panel class="review" title={words.today.you}>
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

/** What a field for a word says: who hears it; else `otherwise`. */
export function wordLabel({ owner, status }: Task, otherwise = words.review.word): string {
  const isHeard = owner !== null && owner !== state.get().you && !isClosed(status);
  return isHeard ? say(words.review.wordTo, { owner }) : otherwise;
}

/** In the inbox: a word gives a task back, Enter approves it, and the person goes on to the next. */
export function Decision({ task, goOn }: { task: Task; goOn(): void }) {
  const isBusy = useRef(false);
  const { path, status } = task;
  const decide = async (to: TaskStatus, note?: string) => {
    if (isBusy.current) return;
    isBusy.current = true;
    await review(task, to, note).finally(() => {
      isBusy.current = false;
    });
    goOn();
  };
  const approve = () => void decide("done").catch(report);
  const isReview = status === "review";
  const canApprove = (event: KeyboardEvent) => isReview && isForCard(event);
  useKeys([
    { key: "Shift+Enter", label: words.review.send, also: "fields", run: sendLine },
    { key: "Enter", label: words.review.approveNext, when: canApprove, run: approve },
  ]);
  return (
    <Line
      of={path}
      label={wordLabel(task, words.review.wordNext)}
      onEnter={(note) => decide("pending", note)}
      failed={() => words.review.notWritten}
    >
      <button type="submit">
        {words.review.send}{" "}
        <span class="key" aria-hidden="true">
          ⇧⏎
        </span>
      </button>
      {isReview && (
        <button type="button" class="main" onClick={approve}>
          {words.review.approveNext}{" "}
          <span class="key" aria-hidden="true">
            ⏎
          </span>
        </button>
      )}
    </Line>
  );
}

/** Enter opens a link that has the focus; a key that is held down approves once. */
function isForCard({ repeat }: KeyboardEvent): boolean {
  return !repeat && document.activeElement?.matches("body, [data-path]") === true;
}

const sendLine = () => document.querySelector<HTMLFormElement>(".inbox .line")?.requestSubmit();
