import { useState } from "preact/hooks";
import { Dialog } from "../../dialog.tsx";
import { nameOf, type Task } from "../../model.ts";
import { announce, report } from "../../notices.ts";
import { call } from "../../state.ts";
import { refresh } from "../../tasks.ts";
import { pathsByProject } from "./tasks.ts";
import { words } from "./words.ts";

/** Archives done tasks, project by project, and says how to get them back. */
export async function archive(tasks: readonly Task[]): Promise<void> {
  const [first] = tasks;
  let [total, calls] = [0, 0];
  try {
    for (const [project, paths] of pathsByProject(tasks)) {
      total += (await call<{ total: number }>("archive_tasks", { project, tasks: paths })).total;
      calls++;
      await refresh(project).catch(() => {});
    }
  } catch (error) {
    report(error);
  }
  if (total === 0 || first === undefined) return;
  const undo = calls === 1 ? "vibe-mcp undo" : `vibe-mcp undo ${calls}`;
  announce(words.archived(total === 1 ? nameOf(first) : words.count(total), undo));
}

export function ArchiveDialog({ tasks, onClose }: { tasks: readonly Task[]; onClose(): void }) {
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    await archive(tasks);
    onClose();
  };
  return (
    <Dialog title={words.archiveTitle} onClose={onClose}>
      <p>{words.archiveQuestion(tasks.length, pathsByProject(tasks).size)}</p>
      <div class="board-buttons">
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
        <button type="button" class="main" disabled={isSaving} onClick={save}>
          {words.archiveAll(tasks.length)}
        </button>
      </div>
    </Dialog>
  );
}
