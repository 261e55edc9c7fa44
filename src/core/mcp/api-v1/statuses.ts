import { isClosed, isTaskStatus } from "../../notes/task/statuses.ts";

/** The statuses that the earlier server knows. */
export const V1_STATUSES = ["pending", "in-progress", "done", "blocked"] as const;

/** A status as its clients know it: a later one is done or work in progress. */
export function v1Status<T extends string | null>(status: T): T | "done" | "in-progress" {
  const isLater = isTaskStatus(status) && !(V1_STATUSES as readonly string[]).includes(status);
  if (!isLater) return status;
  return isClosed(status) ? "done" : "in-progress";
}
