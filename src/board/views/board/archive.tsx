import { useState } from "preact/hooks";
import { quoted } from "../../../lib/shell.ts";
import { taskName } from "../../../notes/names.ts";
import { Dialog } from "../../dialog.tsx";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { announce, report } from "../../notices.ts";
import { call, state } from "../../state.ts";
import { refresh } from "../../tasks.ts";
import { pathsByProject } from "./tasks.ts";

/** Archives done tasks, project by project, and says how to get them back. */
export async function archive(tasks: readonly Task[]): Promise<void> {
  const [first] = tasks;
  let total = 0;
  const changes: string[] = [];
  try {
    for (const [project, paths] of pathsByProject(tasks)) {
      const answer = await call<{ total: number; change?: string }>("archive_tasks", {
        project,
        tasks: paths,
      });
      total += answer.total;
      if (answer.change !== undefined) changes.push(answer.change);
      await refresh(project).catch(() => {});
    }
  } catch (error) {
    report(error);
  }
  if (total === 0 || first === undefined) return;
  announce(
    words.board.archived(total === 1 ? taskName(first) : words.board.count(total), undoCommand(changes)),
  );
}

/** Complete: typed in any folder, it takes back exactly these changes. */
function undoCommand(changes: readonly string[]): string {
  const [project] = state.get().projects;
  const root = project === undefined ? "" : project.path.slice(0, -project.name.length - 1);
  return `vibe-mcp undo ${changes.join(" ")} --root ${quoted(root)}`;
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
          {words.board.cancel}
        </button>
        <button type="button" class="main" disabled={isSaving} onClick={save}>
          {words.board.archiveAll(tasks.length)}
        </button>
      </div>
    </Dialog>
  );
}
