export const TASK_STATUSES = ["pending", "in-progress", "done", "blocked"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
