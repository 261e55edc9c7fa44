import { leadingDate } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { isMarkdown, MARKDOWN_EXTENSION } from "../lib/file-names.ts";
import { byteLength } from "../lib/text.ts";
import { withoutHalfCharacter } from "./short-text.ts";
import { TASK_WORD } from "./words/languages.ts";

export const STANDARD_FOLDERS = [
  "tasks",
  "plans",
  "sessions",
  "reports",
  "changelog",
  "references",
  "scratch",
  "assets",
] as const;

/** The folder of finished work: `archive/tasks/003-x.md` was `tasks/003-x.md`. Lists and search skip it. */
export const ARCHIVE = "archive";
/** A standard folder or the archive by its name under any letter case, in which they count as the same; other names unchanged. */
export function standardFolder(name: string): string {
  return isStandardFolder(name) ? name.toLowerCase() : name;
}

export function isStandardFolder(name: string): boolean {
  const standard: readonly string[] = [...STANDARD_FOLDERS, ARCHIVE];
  return standard.includes(name.toLowerCase());
}

/** Where tasks are: the present ones, then the archived ones. */
export const TASK_FOLDERS = ["tasks", `${ARCHIVE}/tasks`] as const;

const DEVICE_NAME = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/** The limit of common file systems. */
const MAX_SEGMENT_BYTES = 255;
const MAX_NAME_CHARS = 1_000;
const MAX_SLUG_CHARS = 60;

/** Throws INVALID_PATH unless a new file may be called `name`; `/` separates folders. */
export function checkNewFilename(name: string): void {
  const problem = filenameProblem(name);
  if (problem === null) return;
  throw new UserError(
    "INVALID_PATH",
    `The filename ${quoteName(name, 80)} ${problem}. Use a relative name such as 'notes.md' or 'diagrams/flow.md'.`,
  );
}

/** Throws INVALID_PATH unless a new project may be called `name`. */
export function checkProjectName(name: string): void {
  const problem = name.includes("/") ? "contains '/'" : filenameProblem(name);
  if (problem === null) return;
  throw new UserError(
    "INVALID_PATH",
    `The project name ${quoteName(name, 80)} ${problem}. Use one plain name such as 'my-project'.`,
  );
}

/** A file name part made from a title: lower case, hyphens, letters of any script, at most 60 characters. */
export function slugify(title: string): string {
  const slug = hyphenate(title);
  if (slug === "") return "task";
  return DEVICE_NAME.test(slug) ? `${slug}-task` : slug;
}

/** The words of a text as part of a name (`debugging-auth`); `""` if it has none. */
export function hyphenate(text: string): string {
  const words = withoutLatinAccents(
    text.slice(0, MAX_NAME_CHARS).replace(/['’ʼ`´]|\uFE0E|\uFE0F|\u20E3/g, ""),
  )
    .replace(/(?<![\p{L}\p{N}\p{M}])\p{M}+/gu, "")
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, "-")
    .replace(/^-|-$/g, "");
  return cutAtWord(words, MAX_SLUG_CHARS);
}

/** Also in `task-12 - Login.md` and `15. login.md`; `1.5 x.md` has none. */
const NUMBERED = new RegExp(
  `^(?:${TASK_WORD}[-_ ]?)?#?(\\d{1,9})(?=[-_ ]|[.)、．](?=[-_ ]|[^\\x00-\\x7F])|[、．]|${MARKDOWN_EXTENSION}$|$)`,
  "diu",
);
const [YEAR, MONTH, DAY] = ["(?:19|20)\\d\\d", "(?:0[1-9]|1[0-2])", "(?:0[1-9]|[12]\\d|3[01])"];
/** `20260301`, with a time or without; `2026_03_01`; `01.03.2026`; and a month, a week or a quarter alone. */
const DATED = new RegExp(
  `^(?:${YEAR}${MONTH}(?:${DAY}(?:\\d\\d){0,3})?(?!\\d)|${YEAR}([._ ])${MONTH}\\1${DAY}(?!\\d)|\\d{1,2}([-._ ])\\d{1,2}\\2${YEAR}(?!\\d)|${YEAR}-(?:${MONTH}|W\\d\\d|Q[1-4])(?:${MARKDOWN_EXTENSION})?$)`,
  "i",
);

/** Whether a name starts with a date, as notes of a day do. */
export function isDated(filename: string): boolean {
  const name = baseName(filename);
  return leadingDate(name) !== null || DATED.test(name);
}

/** `"004"` for `004-setup.md`, `"12"` for `task-12 - Login.md`; null for a name that starts with no number, or with a date. */
export function parseTaskNumber(filename: string): string | null {
  const [start, end] = numberIn(filename);
  return filename.slice(start, end) || null;
}

/** The name of a task with another number; unchanged if it has none. */
export function withTaskNumber(filename: string, number: string): string {
  const [start, end] = numberIn(filename);
  return start === end ? filename : filename.slice(0, start) + number + filename.slice(end);
}

/** Between a number and what follows, unless that is the extension alone. */
const SIGNS = new RegExp(`^(?!${MARKDOWN_EXTENSION}$)[-_ .)、．]+`, "i");

/** What stands behind the number, without the signs between them. */
export function behindNumber(filename: string): string {
  const [start, end] = numberIn(filename);
  return start === end ? filename : filename.slice(end).replace(SIGNS, "");
}

/** Where the number stands; nowhere without one. */
function numberIn(filename: string): [start: number, end: number] {
  const name = baseName(filename);
  const found = isDated(name) ? undefined : NUMBERED.exec(name)?.indices?.[1];
  const before = filename.length - name.length;
  return found === undefined ? [0, 0] : [before + found[0], before + found[1]];
}

export function formatTaskNumber(number: number): string {
  return String(number).padStart(3, "0");
}

/** The last part of a name such as `diagrams/flow.md`, or of `repo:README.md`. */
export function baseName(filename: string): string {
  return filename.slice(filename.lastIndexOf("/") + 1).replace(/^repo:/i, "");
}

function filenameProblem(name: string): string | null {
  if (name.trim() === "") return "is empty";
  if (name.length > MAX_NAME_CHARS) return `is too long: it may have ${MAX_NAME_CHARS} characters`;
  if (name.startsWith("/")) return "is absolute";
  for (const segment of name.split("/")) {
    const problem = segmentProblem(segment);
    if (problem !== null) return problem;
  }
  return null;
}

function segmentProblem(segment: string): string | null {
  if (segment === "") return "has an empty part between '/'";
  if (segment.includes("..")) return "contains '..'";
  if (segment.startsWith(".")) return "is hidden (it starts with a dot)";
  if (segment.includes("\\")) return "contains '\\'";
  const impossible = /[:?*<>|"]/.exec(segment)?.[0];
  if (impossible !== undefined) return `contains '${impossible}', which Windows does not allow in names`;
  if (/[\p{Cc}\p{Cs}]/u.test(segment)) return "contains a control character";
  if (/[\s.]$/u.test(segment)) return "has a part that ends in a space or dot";
  if (DEVICE_NAME.test(segment.split(".")[0]?.trimEnd() ?? "")) return "is a Windows device name";
  if (byteLength(segment) > MAX_SEGMENT_BYTES)
    return `is too long: a part of it may have ${MAX_SEGMENT_BYTES} bytes`;
  return null;
}

/** What people call a task: its number and title; documents that only look like tasks have no number. */
export function taskName({ number, title }: { number: string | null; title: string }): string {
  return number === null ? title : `${number} ${title}`;
}

/** Only after Latin letters: elsewhere a mark makes another letter (`ば` is not `は`, `й` is not `и`). */
function withoutLatinAccents(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFD")
    .replace(/(\p{Script=Latin})\p{Mn}+/gu, "$1")
    .normalize("NFC");
}

function cutAtWord(words: string, limit: number): string {
  if (words.length <= limit) return words;
  const head = withoutHalfCharacter(words.slice(0, limit));
  const hyphen = words[limit] === "-" ? limit : head.lastIndexOf("-");
  return (hyphen >= limit / 2 ? head.slice(0, hyphen) : head).replace(/-$/, "");
}

/** The project of the notes directly in the root of a workspace. */
export const ROOT_PROJECT = ".";

/** The first part of a path; a document in the root itself belongs to the project `.`. */
export function projectOf(path: string): string {
  const [first = "", second] = path.split("/", 2);
  return second === undefined && isMarkdown(first) ? ROOT_PROJECT : first;
}

/** The path of what has this path in a project or, if that is `""`, in the root. */
export function pathIn(project: string, path: string): string {
  return project === "" || project === ROOT_PROJECT ? path : `${project}/${path}`;
}
