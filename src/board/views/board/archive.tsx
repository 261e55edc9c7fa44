import { useState } from "preact/hooks";
import { taskName } from "../../../notes/names.ts";
import { changing } from "../../changes.ts";
import { Dialog } from "../../dialog.tsx";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { report } from "../../notices.ts";
import { refresh } from "../../tasks.ts";
import { pathsByProject } from "./tasks.ts";

/** Archives done tasks, project by project, as one change to undo. */
export async function archive(tasks: readonly Task[]): Promise<void> {
  const [first] = tasks;
  let total = 0;
  const change = changing();
  try {
    for (const [project, paths] of pathsByProject(tasks)) {
      const answer = await change.call<{ total: number }>("archive_tasks", { project, tasks: paths });
      total += answer.total;
      await refresh(project).catch(() => {});
    }
  } catch (error) {
    report(error);
  }
  if (total === 0 || first === undefined) return;
  change.done(words.board.archived(total === 1 ? taskName(first) : words.board.count(total)));
}

export function ArchiveDialog({ tasks, onClose }: { tasks: readonly Task[]; onClose(): void }) {
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await archive(tasks);
    onClose();
  };
  return (
    <Dialog title={words.board.archiveTitle} onClose={onClose}>
      <p>{words.board.archiveQuestion(tasks.length, pathsByProject(tasks).size)}</p>
      <div class="board-buttons">
        <button type="button" onClick={onClose}>
          {words.app.cancel}
        </button>
        <button type="button" class="main" disabled={isSaving} onClick={save}>
          {words.board.archiveAll(tasks.length)}
        </button>
      </div>
    </Dialog>
  );
}
