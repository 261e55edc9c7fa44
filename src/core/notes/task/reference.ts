import { once } from "../../lib/collections.ts";
import { isMarkdown, withoutMarkdownExtension } from "../../lib/file-names.ts";
import { decodeDestination, encodeDestination, escapeLabel } from "../../markdown/links.ts";
import { baseName } from "../names.ts";
import { splitList } from "../short-text.ts";
import { TASK_WORD } from "../words/languages.ts";
import { LABELS } from "../words/type.ts";
import { IN_PROJECT, type NamedTask } from "./dependencies.ts";
import { idKeys } from "./ids.ts";
import { labelsIn } from "./labels.ts";

const MAX_REFERENCE_CHARS = 300;
const TASK_MARK = new RegExp(`^${TASK_WORD}?\\s*#?(?=\\d)`, "i");
/** The bound keeps the time proportional to the length of the item. */
const LINK = /\[((?:\\.|[^[\]\\]){0,300})\]\(([^()#]*)[^()]*\)/;

/**
 * `003-setup` from `` `tasks/003-setup.md` ``, `[Setup](003-setup.md)`, `[[003-setup|Setup]]`; `3` from `Task #3`; a path with a
 * project stays one: `api/tasks/003-setup`.
 */
export function taskReference(item: string): string {
  const short = item.slice(0, 3 * MAX_REFERENCE_CHARS);
  const [, label, destination = ""] = LINK.exec(short) ?? [];
  const target = decodeDestination(destination.trim().replace(/^<(.*)>$/, "$1"));
  const plain = isMarkdown(target) ? target : withoutMarks(label ?? short);
  const path = plain.trim().replace(/^(?:\.{0,2}\/)+|\/+$/g, "");
  if (IN_PROJECT.test(path)) return withoutMarkdownExtension(path);
  const name = withoutMarkdownExtension(baseName(path)).slice(0, MAX_REFERENCE_CHARS);
  return name.replace(TASK_MARK, "").trim();
}

function withoutMarks(text: string): string {
  return text.replace(/[`[\]*"“”]/g, "").split("|")[0] ?? "";
}

/** A reference as a list of dependencies holds it: plain, as `[[name]]` or as a link; null if no form reads back. */
export function writtenReference(reference: string): string | null {
  const link = `[${escapeLabel(reference)}](${encodeDestination(reference)}.md)`;
  const forms = [reference, `[[${reference}]]`, link];
  return forms.find((form) => isOneItem(form) && taskReference(form) === reference) ?? null;
}

/** Whether a text stays one item, alone and among others. */
export function isOneItem(form: string): boolean {
  const list = `1, ${form}, 2)`;
  if (labelsIn(`${LABELS[0]}: ${list}`).length > 1) return false;
  const [, item, last] = splitList(list);
  return item === form && last === "2)" && splitList(form).join() === form;
}

/** The name of the task that a whole text means; null if it means none, or several. */
export type TaskNamer = (text: string) => string | null;

interface TitledTask extends NamedTask {
  title: string;
}

/** By the names of a project's tasks, else by their titles and names elsewhere, which are read only then. */
export function taskNamer(
  filenames: () => readonly string[],
  readTitles: () => readonly TitledTask[],
): TaskNamer {
  const byName = once(() => new Map(filenames().map((file) => [key(nameOf(file)), nameOf(file)])));
  const titled = once(readTitles);
  return (text) => {
    const path = withoutMarkdownExtension(text.trim()).replace(
      /^(?:\.{0,2}\/)*(?:(?:archive\/)?tasks\/)?/i,
      "",
    );
    const name = byName().get(key(path)) ?? titledName(text, titled);
    return name === null || writtenReference(name) === null ? null : name;
  };
}

function titledName(text: string, titled: () => readonly TitledTask[]): string | null {
  if (/^#?\d*$/.test(text.trim())) return null;
  const names = titled().flatMap((task) =>
    key(task.title) === key(text) || idKeys(task.filename, task.ids).includes(key(text))
      ? [nameOf(task.filename)]
      : [],
  );
  return names.length === 1 ? (names[0] ?? null) : null;
}

function nameOf(filename: string): string {
  return withoutMarkdownExtension(baseName(filename));
}

function key(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}
