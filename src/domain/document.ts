import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { trackedHeadings } from "../markdown/headings.ts";
import { type Metadata, readMetadata } from "./metadata.ts";
import { baseName, parseTaskNumber, withoutMarkdownExtension } from "./names.ts";
import { sessionDate } from "./session-file.ts";
import { statusInBody } from "./status.ts";
import { type ParsedTask, parseTask } from "./task.ts";

/** Where a document lives: `<project>/<folder>/<filename>`, with folder `""` for root files. */
export interface DocumentLocation {
  project: string;
  folder: string;
  filename: string;
}

export interface TaskFacts extends Omit<ParsedTask, "title"> {
  /** `"004"`, or null for a file without a number. */
  number: string | null;
}

/** All that the index and the tools need to know about a document's text. */
export interface DocumentFacts extends Omit<Metadata, "title"> {
  title: string;
  /** Null unless the document is in `tasks/`. */
  task: TaskFacts | null;
  /** Why the frontmatter could not be read. */
  problem: string | null;
  bodyOffset: number;
}

const TASKS_FOLDER = "tasks";

/** The document that a workspace-relative path names; null for what is never one (hidden, not `.md`, in no project). */
export function locateDocument(path: string): DocumentLocation | null {
  const parts = path.split("/");
  if (parts.length < 2 || !/\.md$/i.test(path)) return null;
  if (parts.some((part) => part === "" || part.startsWith("."))) return null;
  const [project = "", ...rest] = parts;
  const folder = rest.length > 1 ? (rest[0] ?? "") : "";
  return { project, folder, filename: (folder === "" ? rest : rest.slice(1)).join("/") };
}

export function documentPath({ project, folder, filename }: DocumentLocation): string {
  return folder === "" ? `${project}/${filename}` : `${project}/${folder}/${filename}`;
}

/** `task` for `tasks`, `status` for the project's `status.md`, null for other root files. */
export function documentType(folder: string, filename: string): string | null {
  if (folder === "") return filename.toLowerCase() === "status.md" ? "status" : null;
  return singular(folder);
}

export function describeDocument(location: DocumentLocation, text: string): DocumentFacts {
  const { data, bodyOffset, problem } = parseFrontmatter(text);
  const metadata = readMetadata(data);
  const parsed = location.folder === TASKS_FOLDER ? parseTask(text, bodyOffset) : null;
  const heading = parsed === null ? firstTitle(text, bodyOffset) : parsed.title;
  return {
    title: heading ?? metadata.title ?? titleFromFilename(location),
    type: metadata.type ?? documentType(location.folder, location.filename),
    status: metadata.status ?? (parsed === null ? null : statusInBody(text, bodyOffset)),
    updated: metadata.updated,
    tags: metadata.tags,
    owner: metadata.owner,
    task: parsed === null ? null : taskFacts(location.filename, parsed),
    problem,
    bodyOffset,
  };
}

function taskFacts(filename: string, parsed: ParsedTask): TaskFacts {
  return {
    number: parseTaskNumber(filename),
    get objective() {
      return parsed.objective;
    },
    get progress() {
      return parsed.progress;
    },
    get dependencies() {
      return parsed.dependencies;
    },
  };
}

function firstTitle(text: string, bodyOffset: number): string | null {
  for (const heading of trackedHeadings(text, bodyOffset)) {
    if (heading.level === 1 && heading.text !== "") return heading.text;
  }
  return null;
}

/** `setup the index` for `tasks/004-setup_the-index.md`; a leading date keeps its hyphens. */
function titleFromFilename({ folder, filename }: DocumentLocation): string {
  const name = withoutMarkdownExtension(baseName(filename));
  const kept = sessionDate(name) ?? "";
  const number = folder === TASKS_FOLDER ? (parseTaskNumber(name) ?? "") : "";
  const words = name
    .slice(kept.length + number.length)
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
