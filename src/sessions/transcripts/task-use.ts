import { stringOf } from "../../core/lib/fields.ts";
import { isTaskStatus } from "../../core/notes/task/statuses.ts";
import type { Call } from "./fact.ts";

/** A task as a call named it, and what the call did with it. */
export interface TaskUse {
  /** Undefined if the call named none. */
  project: string | undefined;
  /** A number, a name, a path; the title of a new one. */
  task: string;
  /** `read`, `changed`, `created`, `claimed`, or the status that it got. */
  use: string;
}

const TASK_PATH = /(?:^|[\\/])tasks[\\/][^\\/]+\.md$/i;

/** The task that a call reads or changes, if it does. */
export function taskUse({ tool, input = {}, reads, files }: Call): TaskUse[] {
  const path = [reads ?? "", ...(files ?? [])].find((file) => TASK_PATH.test(file));
  if (path !== undefined)
    return [{ project: undefined, task: path, use: reads === undefined ? "changed" : "read" }];
  const project = stringOf(input["project"]) || undefined;
  const named = (key: string, use: string): TaskUse[] => {
    const value = input[key];
    const task = typeof value === "number" ? String(value) : stringOf(value);
    return task === "" ? [] : [{ project, task: task.slice(0, 300), use }];
  };
  switch (tool) {
    case "update_task_status": {
      const status = stringOf(input["status"]);
      return named("task", isTaskStatus(status) ? status : "changed");
    }
    case "update_task":
      return named("task", "changed");
    case "claim_task":
      return named("task", "claimed");
    case "create_task":
      return named("title", "created");
    case "read_doc":
    case "update_doc": {
      const file = `${stringOf(input["folder"])}/${stringOf(input["filename"])}`;
      const place = stringOf(input["path"]) || file;
      if (!TASK_PATH.test(place.replace(/(?:\.md)?$/i, ".md"))) return [];
      return [{ project, task: place.slice(0, 300), use: tool === "read_doc" ? "read" : "changed" }];
    }
    default:
      return [];
  }
}
