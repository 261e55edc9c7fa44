import { taskName } from "../../../notes/names.ts";
import { changing } from "../../changes.ts";
import { words } from "../../language.ts";
import { ToolError } from "../../mcp-client.ts";
import type { Task } from "../../model.ts";
import { report } from "../../notices.ts";
import { refresh } from "../../tasks.ts";

export type Call = ReturnType<typeof changing>["call"];

/** What to say of a task by its name, or of several by their number. */
interface Said {
  done(name: string): string;
  failed(name: string): string;
}

/** Changes tasks one after the other, as one change to undo. Those that the server refuses do not hold up the others. */
export async function changeAll(
  tasks: readonly Task[],
  change: (task: Task, call: Call) => Promise<unknown>,
  said: Said,
): Promise<void> {
  const { call, done } = changing();
  const changed: Task[] = [];
  let problem: unknown;
  for (const task of tasks) {
    // Without a connection, the others fail too.
    if (problem !== undefined && !(problem instanceof ToolError)) break;
    try {
      await change(task, call);
      changed.push(task);
    } catch (error) {
      problem = error;
    }
  }
  if (changed.length > 0) done(said.done(namesOf(changed)));
  const failed = tasks.filter((task) => !changed.includes(task));
  if (failed.length > 0) report(problem, said.failed(namesOf(failed)));
  // Without a connection, everything is read again as soon as there is one.
  await Promise.allSettled([...new Set(tasks.map(({ project }) => project))].map(refresh));
}

function namesOf(tasks: readonly Task[]): string {
  const [first] = tasks;
  return tasks.length === 1 && first !== undefined ? taskName(first) : words.board.count(tasks.length);
}
