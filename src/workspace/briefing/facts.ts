import { updatedDate } from "../../domain/calendar.ts";
import { taskKeys } from "../../domain/dependencies.ts";
import { baseName } from "../../domain/names.ts";
import { sessionDate } from "../../domain/session-file.ts";
import { type DocumentRow, listDocuments } from "../../index/catalog.ts";
import { groupBy } from "../../lib/group.ts";
import { compareRecent, type Recency } from "../documents.ts";
import type { ProjectFiles } from "../project-files.ts";
import { type ProjectSummary, summarize } from "../projects.ts";
import type { WorkspaceDocument } from "../read.ts";
import { projectTasks, type WorkspaceTask } from "../tasks.ts";
import type { Workspace } from "../workspace.ts";

const NEWEST_SESSIONS = 50;

/** What the index knows of a project, and a way to the texts behind it. */
export interface Facts {
  project: string;
  summary: ProjectSummary;
  /** By path. */
  documents: ReadonlyMap<string, DocumentRow>;
  tasks: WorkspaceTask[];
  /** Tasks by what refers to them: a name, or `#` and a number. */
  tasksByKey: () => ReadonlyMap<string, WorkspaceTask[]>;
  /** The newest notes, newest first. */
  sessions: DocumentRow[];
  /** The text of a document; null when it cannot be read now. Each is read once. */
  read: (path: string) => WorkspaceDocument | null;
}

/** One look at the index, or at the `files` that were read in its place; texts are read when a section needs them. */
export async function gatherFacts(
  workspace: Workspace,
  project: string,
  files?: ProjectFiles,
): Promise<Facts> {
  const rows = files?.rows ?? (await workspace.query((db) => listDocuments(db, { project })));
  const documents = new Map(rows.map((row) => [row.path, row]));
  const tasks = projectTasks(rows);
  let byKey: Map<string, WorkspaceTask[]> | undefined;
  return {
    project,
    summary: summarize(workspace.root, project, rows),
    documents,
    tasks,
    tasksByKey: () => {
      byKey ??= indexTasks(tasks);
      return byKey;
    },
    sessions: newestSessions(rows),
    read: files?.read ?? documentReader(workspace, documents),
  };
}

/** The documents of a folder, newest first. */
export function recentIn({ documents }: Facts, folder: string): DocumentRow[] {
  return [...documents.values()]
    .filter((row) => row.folder === folder)
    .map((row) => ({ row, key: recency(row) }))
    .sort((a, b) => compareRecent(a.key, b.key))
    .map(({ row }) => row);
}

/** The tasks that a reference such as `003-setup` or `#3` means. */
export function referencedTasks({ tasksByKey }: Pick<Facts, "tasksByKey">, reference: string) {
  const [name, number] = taskKeys(reference);
  return tasksByKey().get(name) ?? tasksByKey().get(number ?? "") ?? [];
}

function indexTasks(tasks: WorkspaceTask[]): Map<string, WorkspaceTask[]> {
  const keyed = tasks.flatMap((task) => taskKeys(task.filename).map((key) => ({ key, task })));
  const groups = groupBy(keyed, ({ key }) => key);
  return new Map([...groups].map(([key, entries]) => [key, entries.map(({ task }) => task)]));
}

/** By the day in the name; on one day the note that was written last comes first. */
function newestSessions(rows: readonly DocumentRow[]): DocumentRow[] {
  const named = rows
    .filter(({ folder }) => folder === "sessions")
    .map((row) => ({ row, name: baseName(row.filename) }));
  // Names that start with their date sort as dates do: only the last of them are looked at closely.
  const isDated = ({ name }: { name: string }) => /^\d{4}-/.test(name);
  const dated = named.filter(isDated).sort((a, b) => (a.name < b.name ? 1 : -1));
  const others = named.filter((entry) => !isDated(entry));
  const days = [...dated.slice(0, NEWEST_SESSIONS), ...others].map(({ row }) => row);
  return days
    .map((row) => ({ row, day: sessionDate(row.filename) ?? "" }))
    .sort(compareDays)
    .map(({ row }) => row);
}

interface Dated {
  row: DocumentRow;
  day: string;
}

function compareDays(a: Dated, b: Dated): number {
  if (a.day !== b.day) return a.day > b.day ? -1 : 1;
  return compareRecent(recency(a.row), recency(b.row));
}

function recency(row: DocumentRow): Recency {
  return { updated: updatedDate(row), mtime: row.mtime, path: row.path };
}

function documentReader(workspace: Workspace, documents: ReadonlyMap<string, DocumentRow>): Facts["read"] {
  const known = new Map<string, WorkspaceDocument | null>();
  const read = (path: string) => {
    const row = documents.get(path);
    try {
      return row === undefined ? null : workspace.read(row);
    } catch {
      return null; // Gone or unreadable since it was indexed: the rest of the briefing stands.
    }
  };
  return (path) => {
    const found = known.get(path);
    if (found !== undefined) return found;
    const document = read(path);
    known.set(path, document);
    return document;
  };
}
