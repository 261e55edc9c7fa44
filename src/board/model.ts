export const STATUSES = ["pending", "in-progress", "blocked", "done"] as const;
export type Status = (typeof STATUSES)[number];

/** A task as `list_tasks` shows it. */
export interface Task {
  project: string;
  path: string;
  filename: string;
  number: string | null;
  title: string;
  status: string | null;
  updated: string;
  owner: string | null;
  /** An ISO time. */
  claimed_until?: string;
  priority?: "high" | "medium" | "low";
  /** YYYY-MM-DD */
  due?: string;
  tags: string[];
  objective: string | null;
  progress: { done: number; total: number };
  dependencies: string[];
  open_dependencies: string[];
  missing_dependencies?: string[];
}

/** A project as `list_projects` shows it. */
export interface Project {
  name: string;
  path: string;
  last_updated: string | null;
  stats: {
    total_docs: number;
    open_tasks: number;
    pending_tasks: number;
    in_progress_tasks: number;
    blocked_tasks: number;
    done_tasks: number;
    last_session_date: string | null;
  };
  /** Their numbers of documents; `""` is the project's own folder. */
  folders: Readonly<Record<string, number>>;
}

/** A task's number and title; documents that only look like tasks have no number. */
export function nameOf({ number, title }: Pick<Task, "number" | "title">): string {
  return number === null ? title : `${number} ${title}`;
}

export function projectOf(path: string): string {
  return path.split("/", 1)[0] ?? "";
}
