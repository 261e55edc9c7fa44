import { groupBy } from "../../../core/lib/collections.ts";
import { taskName } from "../../../core/notes/names.ts";
import { changing } from "../../changes.ts";
import { FormDialog, openDialog } from "../../dialog.tsx";
import { say, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { report } from "../../notices.ts";
import { refresh } from "../../tasks.ts";

/** Archives done tasks, project by project, as one change to undo. */
export async function archive(tasks: readonly Task[]): Promise<void> {
  const [first] = tasks;
  let total = 0;
  const change = changing();
  try {
    for (const [project, own] of byProject(tasks)) {
      const args = { project, tasks: own.map(({ path }) => path) };
      total += (await change.call<{ total: number }>("archive_tasks", args)).total;
      await refresh(project).catch(() => {});
    }
  } catch (error) {
    report(error);
  }
  if (total === 0 || first === undefined) return;
  change.done(
    say(words.board.archived, {
      what: total === 1 ? taskName(first) : say(words.board.count, { count: total }),
    }),
  );
}

const byProject = (tasks: readonly Task[]) => groupBy(tasks, ({ project }) => project);

export function askToArchive(tasks: readonly Task[]): void {
  openDialog((close) => <ArchiveDialog tasks={tasks} onClose={close} />);
}

function ArchiveDialog({ tasks, onClose }: { tasks: readonly Task[]; onClose(): void }) {
  const submit = async () => {
    onClose();
    await archive(tasks);
  };
  return (
    <FormDialog
      title={words.board.archiveTitle}
      action={say(words.board.archiveAll, { count: tasks.length })}
      submit={submit}
      onClose={onClose}
    >
      <p>
        {say(words.board.archiveQuestion, {
          tasks: say(words.board.doneTasks, { count: tasks.length }),
          projects: say(words.board.ofProjects, { count: byProject(tasks).size }),
        })}
      </p>
    </FormDialog>
  );
}
