import type { ToolAnswer } from "../core/mcp/tool.ts";
import type { updateTaskStatusTool } from "../core/mcp/tools/update-task-status.ts";
import { taskName } from "../core/notes/names.ts";
import type { TaskStatus } from "../core/notes/task/statuses.ts";
import { changing } from "./changes.ts";
import { say, statusName, words } from "./language.ts";
import { ToolError } from "./mcp-client.ts";
import type { Task } from "./model.ts";
import { announce, report } from "./notices.ts";
import { refresh } from "./tasks.ts";

type Call = ReturnType<typeof changing>["call"];
type Answer = ToolAnswer<typeof updateTaskStatusTool>;

/** A note becomes a line in the task; alone, it moves nothing. */
type Change = { status: TaskStatus; note?: string } | { status?: undefined; note: string };

/** Sets statuses that belong together; `said` adds to a text what they leave unticked, and which tasks can start now. */
export function settingStatus() {
  const left = { steps: 0, criteria: 0 };
  const ready = new Set<string>();
  return {
    /** The status that the task has here is the one that the person saw. */
    set: async (call: Call, { project, path, status: seen }: Task, change: Change): Promise<void> => {
      // The hint is for agents: a person may move what an agent holds.
      const { open, unblocked } = await call<Answer>("update_task_status", {
        project,
        task: path,
        ...change,
        expected_status: change.status && seen,
      });
      left.steps += open?.steps ?? 0;
      left.criteria += open?.criteria ?? 0;
      for (const task of unblocked ?? []) ready.add(taskName(task));
    },
    said: (text: string): string => {
      const open = [
        left.steps > 0 && say(words.task.openSteps, { count: left.steps }),
        left.criteria > 0 && say(words.task.openCriteria, { count: left.criteria }),
      ].filter(Boolean);
      const stillOpen = open.length > 0 && say(words.task.open, { left: open.join(", ") });
      const unblocked = ready.size > 0 && say(words.task.unblocked, { names: [...ready].join(", ") });
      return [text, stillOpen, unblocked].filter(Boolean).join(" ");
    },
  };
}

/** Sets the status of one task, says so, and reads the project's tasks again; if it was moved meanwhile, the page asks. */
export async function setStatus(task: Task, change: Change, text: string): Promise<void> {
  const { call, done } = changing();
  const { set, said } = settingStatus();
  try {
    await set(call, task, change);
  } catch (error) {
    if (!isMoved(error)) throw error;
    const again = (status: string) => void setStatus({ ...task, status }, change, text).catch(report);
    return reportStatus(error, say(words.board.notMoved, { name: taskName(task) }), again);
  }
  done(said(text));
  await refresh(task.project);
}

/** Whether a status was refused because the person saw another one. */
function isMoved(error: unknown): error is ToolError {
  return error instanceof ToolError && error.details["expected_status"] !== undefined;
}

/** Says what was not done; if a task was moved meanwhile, asks whether to do it all the same. */
export function reportStatus(error: unknown, what: string, again: (now: string) => void): void {
  if (!isMoved(error)) return void report(error, what);
  const now = String(error.details["status"] ?? "");
  const text = `${what} ${say(words.task.statusNow, { status: statusName(now) })}`;
  announce(text, true, { label: words.task.anyway, run: () => again(now) });
}
