import { localDate } from "../lib/clock.ts";
import { isMarkdown, pathKey, withoutMarkdownExtension } from "../lib/file-names.ts";
import { type Conflict, firstConflicts } from "../markdown/conflicts.ts";
import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { trackedHeadings } from "../markdown/headings.ts";
import { type Data, fieldsOf, readUpdated } from "./field-names.ts";
import {
  ARCHIVE,
  baseName,
  behindNumber,
  isDated,
  parseTaskNumber,
  pathIn,
  ROOT_PROJECT,
  standardFolder,
} from "./names.ts";
import { propertyText, readAliases } from "./properties.ts";
import { asFolder, asPath, repositoryFile } from "./repository-path.ts";
import { sessionDate } from "./session/file.ts";
import { shorten } from "./short-text.ts";
import { readStanding, type Standing } from "./standing/standing.ts";
import { tagsOfBody } from "./tags.ts";
import { keysOf, localReference } from "./task/dependencies.ts";
import { dependenciesInFields } from "./task/dependency-fields.ts";
import { fieldText } from "./task/field-kinds.ts";
import { withFieldLines } from "./task/field-lines.ts";
import { readFieldOf, readTaskFields, type TaskFields } from "./task/fields.ts";
import { idInName, idsOf } from "./task/ids.ts";
import { lastNote } from "./task/note-line.ts";
import { otherFile } from "./task/other-files.ts";
import { statusInFields } from "./task/status.ts";
import { statusInBody } from "./task/status-line.ts";
import { type ParsedTask, parseTask } from "./task/task.ts";
import { isBlank, textProblem } from "./text-form.ts";
import { unreadFields } from "./unread.ts";

/**
 * Where a document lives: `<project>/<folder>/<filename>`, with folder `""` for root files. A standard folder has its standard name here,
 * whatever its letter case on the disk.
 */
export interface DocumentLocation {
  project: string;
  folder: string;
  filename: string;
}

/** The known fields of the frontmatter; values of the wrong type are ignored. */
interface Metadata {
  title: string | null;
  type: string | null;
  status: string | null;
  /** `YYYY-MM-DD` or an ISO date-time, as written. */
  updated: string | null;
  tags: string[];
  owner: string | null;
}

export interface TaskFacts extends Omit<ParsedTask, "title">, TaskFields {
  /** `"004"`, or null for a file without a number. */
  number: string | null;
  /** What its frontmatter says it is called elsewhere, if anything. */
  ids?: string[] | undefined;
  /** What a merge left in it, if anything. */
  conflicts?: Conflict[] | undefined;
  /** Why its frontmatter could not be read, or not all of it, or why its file is never changed. */
  problem?: string | undefined;
  /** What is wrong with a file that can be read, but not changed. */
  form?: string | undefined;
  /** What it says that is not read, if anything. */
  unread?: string[] | undefined;
  /** Why it is blocked: the newest of its notes. */
  reason?: string | undefined;
}

/** All that the index and the tools need to know about a document's text. */
export interface DocumentFacts extends Omit<Metadata, "title"> {
  title: string;
  /** Null unless the document is in `tasks/` or `archive/tasks/`. */
  task: TaskFacts | null;
  /** Why the frontmatter could not be read, or not all of it; null if it could. */
  problem: string | null;
  /** What its frontmatter says that is not read, with what to write. */
  unread: string[];
  bodyOffset: number;
  /** What search finds of its frontmatter. */
  properties: string;
  /** Its other names for links. */
  aliases: string[];
  /** Whether it still holds, by its own words; null if it says nothing of that. */
  standing: Standing | null;
  /** The day on which somebody saw that it is right, `YYYY-MM-DD`. */
  confirmed: string | null;
}

const TASKS_FOLDER = "tasks";
const MAX_REASON_CHARS = 300;
/** Most texts without a title have no line that looks like one. */
const LIKE_TITLE = /^\uFEFF?[ \t]{0,3}(?:#(?!#)|=)/m;

/** The document at a workspace-relative path; null for hidden files and all but Markdown. */
export function locateDocument(path: string): DocumentLocation | null {
  const parts = asFolder(path).split("/");
  if (!isMarkdown(path) || parts.some((part) => part === "" || part.startsWith("."))) return null;
  if (parts.length === 1) return { project: ROOT_PROJECT, folder: "", filename: path };
  const [project = "", ...rest] = parts;
  const folder = rest.length > 1 ? standardFolder(rest[0] ?? "") : "";
  return { project, folder, filename: (folder === "" ? rest : rest.slice(1)).join("/") };
}

export function documentPath({ project, folder, filename }: DocumentLocation): string {
  return asPath(pathIn(project, folder === "" ? filename : `${folder}/${filename}`));
}

/** Where a document belongs: an archived one, where it was before. */
export function homeOf(location: DocumentLocation): DocumentLocation {
  const { project, filename } = location;
  const folder = standardFolder(location.folder);
  return (folder === ARCHIVE ? locateDocument(`${project}/${filename}`) : null) ?? { ...location, folder };
}

/** Whether a document may be read as a task, archived or not: one that is named by a day needs a status, too. */
export function isTask(location: DocumentLocation): boolean {
  return isAmongTasks(location) && otherFile(location.filename) === null;
}

/** Whether its folder is that of tasks, archived or not. */
export function isAmongTasks(location: DocumentLocation): boolean {
  return homeOf(location).folder === TASKS_FOLDER;
}

export function isTaskPath(path: string): boolean {
  const location = locateDocument(path);
  return location !== null && isTask(location);
}

/** The project and the number of a task, archived or not; undefined for what has none. */
export function taskKey(path: string): string | undefined {
  const location = locateDocument(path);
  if (location === null || !isTask(location)) return undefined;
  const number = parseTaskNumber(location.filename);
  return number === null ? undefined : `${location.project}/${Number(number)}`;
}

/** The day a document was updated: frontmatter's `updated`, else the file's modification time. */
export function updatedDate(document: { updated: string | null; mtime: number }): string {
  return document.updated?.slice(0, 10) ?? localDate(new Date(document.mtime));
}

/** `task` for `tasks`, `status` for the project's `status.md`, null for other root files. */
export function documentType(folder: string, filename: string): string | null {
  if (folder === "") return filename.toLowerCase() === "status.md" ? "status" : null;
  return repositoryFile(folder) === undefined ? singular(folder) : null;
}

/** `file` is what holds the text, if it may be no UTF-8. */
export function describeDocument(
  location: DocumentLocation,
  text: string,
  file = { exact: true },
): DocumentFacts {
  const frontmatter = parseFrontmatter(text);
  const { data, block, bodyOffset, problem } = frontmatter;
  const fields = fieldsOf(data);
  const metadata = metadataOf(fields);
  const home = homeOf(location);
  const status = metadata.status ?? (isTask(home) ? statusInBody(text, bodyOffset) : null);
  const isDayNote = isDated(home.filename) && status === null;
  const isNone = !isTask(home) || isDayNote || isBlank(text) || textProblem({ text, exact: true }) !== null;
  const parsed = isNone ? null : parseTask(text, bodyOffset);
  const yaml = block === null ? "" : text.slice(block.yamlStart, block.yamlEnd);
  const said = parsed === null ? data : withFieldLines(data, text, bodyOffset);
  const saidFields = said === data ? fields : fieldsOf(said);
  const { tags, owner } = sharedOf(saidFields);
  const unread = unreadFields(said, { yaml, isTask: parsed !== null });
  const heading = parsed === null ? firstTitle(text, bodyOffset) : parsed.title;
  const isOther = parsed === null && home.folder === TASKS_FOLDER;
  const standing = readStanding(text, data, { bodyOffset, isTask: parsed !== null });
  return {
    ...metadata,
    owner,
    tags: [...new Set([...tags, ...tagsOfBody(text, bodyOffset)])],
    title: heading ?? metadata.title ?? titleFromFilename(home),
    type: metadata.type ?? (isOther ? null : documentType(home.folder, home.filename)),
    status: statusBeside(standing, status),
    task:
      parsed === null
        ? null
        : {
            ...taskFacts(home, parsed, { text, data, unread, status }),
            ...readTaskFields(saidFields),
            ...(problem !== null && { problem }),
            ...formOf(text, file),
          },
    problem,
    unread,
    bodyOffset,
    properties: propertyText(text, frontmatter),
    aliases: aliasesOf(home, data, parsed),
    standing,
    confirmed: dayConfirmed(fields),
  };
}

function dayConfirmed(fields: Data): string | null {
  return readUpdated(fields["confirmed"])?.slice(0, 10) ?? null;
}

/** Links may call a task what it is called elsewhere. */
function aliasesOf({ filename }: DocumentLocation, data: Data, task: ParsedTask | null): string[] {
  const aliases = readAliases(data);
  if (task === null) return aliases;
  return [...new Set([aliases, idInName(filename) ?? [], idsOf(data)].flat())];
}

function taskFacts(
  { project, filename }: DocumentLocation,
  { title: _, ...facts }: ParsedTask,
  { text, data, unread, status }: { text: string; data: Data; unread: string[]; status: string | null },
): TaskFacts {
  const references = [...dependenciesInFields(data), ...facts.dependencies];
  const dependencies = [...new Set(references.map((one) => localReference(one, project)))];
  const conflicts = firstConflicts(text);
  const reason = status === "blocked" ? lastNote(text) : undefined;
  const number = parseTaskNumber(filename);
  const known = new Set(keysOf({ filename }));
  const ids = idsOf(data).filter((id) => !known.has(pathKey(id)));
  return {
    number,
    ...(ids.length > 0 && { ids }),
    ...facts,
    dependencies,
    ...(conflicts.length > 0 && { conflicts }),
    ...(unread.length > 0 && { unread }),
    ...(reason !== undefined && { reason: shorten(reason, MAX_REASON_CHARS) }),
  };
}

function formOf(text: string, { exact }: { exact: boolean }): Pick<TaskFacts, "form" | "problem"> {
  const form = textProblem({ text, exact });
  return form === null ? {} : { form, problem: `The file ${form}: it cannot be changed here.` };
}

function firstTitle(text: string, bodyOffset: number): string | null {
  if (!LIKE_TITLE.test(text)) return null;
  for (const heading of trackedHeadings(text, bodyOffset)) {
    if (heading.level === 1 && heading.text !== "") return heading.text;
  }
  return null;
}

/** `setup the index` for `tasks/004-setup_the-index.md`; a leading date keeps its hyphens. */
function titleFromFilename({ folder, filename }: DocumentLocation): string {
  const name = withoutMarkdownExtension(baseName(filename));
  const kept = sessionDate(name) ?? "";
  const words = (folder === TASKS_FOLDER ? behindNumber(name) : name)
    .slice(kept.length)
    .replace(/[-_\s]+/g, " ")
    .trim();
  return `${kept} ${words}`.trim() || name;
}

function singular(folder: string): string {
  if (/(?:ss|us|is|series|news)$/i.test(folder)) return folder;
  if (/[^aeiou]ies$/i.test(folder)) return folder.replace(/ies$/i, "y");
  if (/(?:ss|x|ch|sh)es$/i.test(folder)) return folder.replace(/es$/i, "");
  return folder.length > 1 ? folder.replace(/s$/i, "") : folder;
}

/** A rejected decision is no cancelled task, although one word says both. */
function statusBeside(standing: Standing | null, status: string | null): string | null {
  return status !== null && standing?.word === "rejected" ? standing.word : status;
}

export function readMetadata(data: Data): Metadata {
  const fields = fieldsOf(data);
  return { ...metadataOf(fields), ...sharedOf(fields) };
}

type Shared = Pick<Metadata, "tags" | "owner">;

function metadataOf(fields: Data): Omit<Metadata, keyof Shared> {
  return {
    title: fieldText(fields["title"]),
    type: fieldText(fields["type"]),
    status: statusInFields(fields),
    updated: readUpdated(fields["updated"]),
  };
}

function sharedOf(fields: Data): Shared {
  return { tags: [...(readFieldOf(fields, "tags") ?? [])], owner: readFieldOf(fields, "owner") ?? null };
}
