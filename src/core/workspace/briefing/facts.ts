import { signerOf } from "../../history/machine-key.ts";
import type { DocumentRow } from "../../index/catalog.ts";
import { localDate } from "../../lib/clock.ts";
import { groupBy, once } from "../../lib/collections.ts";
import { pauses } from "../../lib/pauses.ts";
import { compareText } from "../../lib/text.ts";
import { updatedDate } from "../../notes/document.ts";
import { lookupOf } from "../../notes/link/target.ts";
import { ARCHIVE, baseName } from "../../notes/names.ts";
import { withoutDecisions } from "../../notes/project/decisions.ts";
import { sessionDate } from "../../notes/session/file.ts";
import { parseSessionNotes, type SessionNotes, sessionEntries } from "../../notes/session/notes.ts";
import { directSuccessors, lapseOf, lastOf } from "../../notes/standing/successors.ts";
import { byReference, tasksByKey } from "../../notes/task/dependencies.ts";
import { matchName } from "../find/entries.ts";
import { lacksMergeDriver } from "../merging.ts";
import { lostIn } from "../outdated.ts";
import { compareRecent, type ProjectSummary, type Recency, summarize } from "../projects.ts";
import { type Document, type ProjectDocument, readProjectFiles } from "../read.ts";
import type { SharingState } from "../sharing.ts";
import { projectTasks, type WorkspaceTask } from "../tasks.ts";
import type { Workspace } from "../workspace.ts";

const NEWEST_SESSIONS = 50;

/** The contents of a project's files; each is read once, when it is first needed. */
export interface Facts {
  project: string;
  /** `YYYY-MM-DD` */
  today: string;
  /** Milliseconds since 1970. */
  now: number;
  summary: ProjectSummary;
  /** Undefined if the notes are not synced with other machines. */
  sharing: SharingState | undefined;
  /** Whether git should merge the notes by what they say, and this clone does not know how. */
  lacksMergeDriver: boolean;
  /** By path. */
  documents: ReadonlyMap<string, ProjectDocument>;
  /** Without the archived ones. */
  tasks: WorkspaceTask[];
  allTasks: WorkspaceTask[];
  /** Without the archived ones; by a standard status, another text as written, or null. */
  tasksByStatus: () => ReadonlyMap<string | null, WorkspaceTask[]>;
  /** All tasks by the keys that refer to them: a name, or `#` and a number. */
  tasksByKey: () => ReadonlyMap<string, readonly WorkspaceTask[]>;
  /** The last ones that came after a document, by what it says itself, and those beside it that a briefing reads. */
  successors: (path: string) => string[];
  /** What no longer holds of a document, or of the lines of it that are quoted. */
  outdated: (path: string, quoted: string) => string[];
  /** The newest notes, newest first. */
  sessions: DocumentRow[];
  /** Null if it cannot be read now. */
  read: (path: string) => Document | null;
  /** The parts of a session note; null if it cannot be read now. */
  readSession: (path: string) => SessionNotes | null;
  /** The same for each session in it without decisions, the newest first. */
  readSessions: (path: string) => SessionNotes[] | null;
}

/** Other calls are answered while the tasks are read. */
export async function gatherFacts(workspace: Workspace, project: string): Promise<Facts> {
  const { root, clock, sharing, git } = workspace;
  const [files, pause] = [readProjectFiles(root, project), pauses()];
  for (const file of files) if (file.task !== null) await pause();
  const documents = new Map(files.map((file) => [file.path, file]));
  const allTasks = projectTasks(files, clock.now().getTime());
  const tasks = allTasks.filter((task) => !task.archived);
  const read = (path: string) => documents.get(path)?.read() ?? null;
  const successors = successorsIn(documents);
  const signer = (path: string) => signerOf(workspace.history.state, "capture", path);
  const readSession = (path: string) => {
    const document = read(path);
    return document && parseSessionNotes(document.text, document.facts.bodyOffset, signer(path));
  };
  const readSessions = (path: string) => {
    const document = read(path);
    const entries = document && sessionEntries(document.text, document.facts.bodyOffset);
    const parse = (entry: string) => parseSessionNotes(withoutDecisions(entry), 0, signer(path));
    return entries?.map(parse).reverse() ?? null;
  };
  return {
    project,
    today: localDate(clock.now()),
    now: clock.now().getTime(),
    summary: summarize(root, project, files),
    sharing: sharing?.state(project),
    lacksMergeDriver: await lacksMergeDriver(root, git),
    documents,
    tasks,
    allTasks,
    tasksByStatus: once(() => groupBy(tasks, ({ status }) => status)),
    tasksByKey: once(() => tasksByKey(allTasks)),
    successors,
    outdated: (path, quoted) => outdatedIn(workspace, read(path), { quoted, successors: successors(path) }),
    sessions: newestSessions(files),
    read,
    readSession,
    readSessions,
  };
}

/** How many documents of each folder may hold a recent decision. */
const SOURCES = { "": 5, plans: 5, references: 5, changelog: 5 };

const MOST_RECORDS = 5;

/** The documents that a briefing reads for what is decided: the newest of each folder, and records of decisions. */
export function newestSources(facts: Pick<Facts, "documents">): DocumentRow[] {
  const named = Object.entries(SOURCES).flatMap(([folder, most]) => recentIn(facts, folder).slice(0, most));
  const records = recent(facts, ({ folder, path }) => folder !== ARCHIVE && isDecisionRecord(path));
  return [...named, ...records.slice(0, MOST_RECORDS)];
}

/** `decisions/0012-kafka.md`, `docs/adr/1-queue.md` */
export function isDecisionRecord(path: string): boolean {
  return RECORDS.test(path) && /\d/.test(baseName(path));
}

const RECORDS = /(?:^|\/)(?:adrs?|decisions?|decision-records?|decision-log)\//i;

function successorsIn(documents: Facts["documents"]): Facts["successors"] {
  const direct = once(() => {
    const said = newestSources({ documents }).flatMap(({ path }) => {
      const { relations = [] } = documents.get(path)?.read()?.facts.standing ?? {};
      return [{ source: path, relations }];
    });
    const paths = [...documents.keys()];
    return directSuccessors(said, lookupOf(paths), () => paths);
  });
  return (path) => lastOf(path, direct());
}

function outdatedIn(
  workspace: Workspace,
  document: Document | null,
  { quoted, successors }: { quoted: string; successors: readonly string[] },
): string[] {
  if (document === null) return [];
  const lapse = lapseOf(document.facts.standing?.word, successors);
  if (lapse !== undefined) return [lapse];
  const lines = document.text.split("\n");
  const lost = lostIn(workspace, document).filter(({ line }) =>
    quoted.includes(lines[line - 1]?.trim() ?? ""),
  );
  return [...new Set(lost.map(({ says }) => says))];
}

/** The documents of a folder, newest first. */
export function recentIn(facts: Pick<Facts, "documents">, folder: string): DocumentRow[] {
  return recent(facts, (row) => row.folder === folder);
}

function recent(
  { documents }: Pick<Facts, "documents">,
  isMeant: (row: DocumentRow) => boolean,
): DocumentRow[] {
  return [...documents.values()]
    .filter(isMeant)
    .map((row) => ({ row, key: recency(row) }))
    .sort((a, b) => compareRecent(a.key, b.key))
    .map(({ row }) => row);
}

/** The day in a note's name, else the day the document was updated. */
export function dayOf(row: DocumentRow): string {
  return (row.folder === "sessions" ? sessionDate(row.filename) : null) ?? updatedDate(row);
}

/** A document by its folder and filename, whose letter case and Unicode composition may differ. */
export function documentIn({ documents }: Facts, folder: string, filename: string): DocumentRow | undefined {
  const rows = new Map(
    [...documents.values()].flatMap((row) => (row.folder === folder ? [[row.filename, row]] : [])),
  );
  return rows.get(matchName([...rows.keys()], filename) ?? "");
}

/** The tasks that a reference such as `003-setup` or `#3` means. */
export function referencedTasks({ tasksByKey }: Pick<Facts, "tasksByKey">, reference: string) {
  return byReference(tasksByKey(), reference) ?? [];
}

/** By the day in the name, then by mtime and frontmatter, for which only the notes of the newest days are read. */
function newestSessions(rows: readonly DocumentRow[]): DocumentRow[] {
  const dated = rows
    .filter(({ folder }) => folder === "sessions")
    .map((row) => ({ row, day: sessionDate(row.filename) ?? "" }))
    .sort((a, b) => compareText(b.day, a.day));
  const last = dated[NEWEST_SESSIONS]?.day;
  return dated
    .filter(({ day }, at) => at < NEWEST_SESSIONS || day === last)
    .sort((a, b) => compareText(b.day, a.day) || compareRecent(recency(a.row), recency(b.row)))
    .map(({ row }) => row);
}

function recency(row: DocumentRow): Recency {
  return { updated: updatedDate(row), mtime: row.mtime, path: row.path };
}
