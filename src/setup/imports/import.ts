import { locked } from "../../core/history/interrupted.ts";
import { groupBy } from "../../core/lib/collections.ts";
import { UserError } from "../../core/lib/errors.ts";
import { listNames } from "../../core/lib/escape.ts";
import { isMarkdown, pathKey, withoutMarkdownExtension } from "../../core/lib/file-names.ts";
import { counted } from "../../core/lib/text.ts";
import { withClosingLine } from "../../core/markdown/blocks.ts";
import { codeSpan, oneLine, renderHeading } from "../../core/markdown/embed.ts";
import { parseFrontmatter } from "../../core/markdown/frontmatter.ts";
import { mergeFrontmatter } from "../../core/markdown/frontmatter-edit.ts";
import { ARCHIVE, baseName, checkNewFilename, slugify } from "../../core/notes/names.ts";
import { addDecisions } from "../../core/notes/project/decisions.ts";
import { MAX_TITLE_CHARS, renderTask, taskFilename } from "../../core/notes/task/file.ts";
import { ORIGIN, originOf } from "../../core/notes/task/ids.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { filesBelow } from "../../core/storage/list.ts";
import { contentOf } from "../../core/storage/read.ts";
import { change } from "../../core/workspace/change/change.ts";
import { checkDocument } from "../../core/workspace/change/limits.ts";
import type { DocumentChange } from "../../core/workspace/change/rules.ts";
import { newPathOnDisk } from "../../core/workspace/find/folder.ts";
import { readIfThere, readProjectFiles } from "../../core/workspace/read.ts";
import { nextNumber } from "../../core/workspace/tasks.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import {
  type Imported,
  type ImportedDocument,
  type ImportedTask,
  type ImportKind,
  leftOutLines,
  PART_OF,
} from "./imported-task.ts";

export interface ImportResult {
  /** The paths of the new documents, in their order. */
  created: string[];
  /** How many were there already. */
  known: number;
  /** What came in otherwise than it was, in words. */
  notes: string[];
  /** What stays out, and why. */
  skipped: string[];
  /** The id of the change, to take it back. */
  change?: string;
}

/** Where documents of another program go. */
const DOCUMENTS = "references";

type Item = ImportedTask | ImportedDocument;
/** A new document, and its place in the project. */
interface Placed {
  item: Item;
  path: string;
}
type Made = Placed & { wanted: DocumentChange };
/** The names here of what came from a program, by its names there, which may occur twice. */
type Names = Map<string, string[]>;

/** Creates the tasks and documents that the project does not have yet, as one change. */
export async function importTasks(
  workspace: Workspace,
  project: string,
  { kind, source, dryRun }: { kind: ImportKind; source: Imported; dryRun: boolean },
): Promise<ImportResult> {
  const least = await workspace.branches.nextNumber(project);
  return locked(workspace.history, [project], async (lockOf) => {
    const { wanted, ...result } = planImport(workspace, project, { kind, source, least });
    const { id } = await change(workspace, { lockOf }, dryRun ? [] : wanted);
    const created = wanted.filter(({ before }) => before === null).map(({ path }) => path);
    return { created, ...result, ...(id !== undefined && { change: id }) };
  });
}

interface Importing {
  kind: ImportKind;
  source: Imported;
  /** The least number of a new task. */
  least: number;
}

function planImport(
  workspace: Workspace,
  project: string,
  { kind, source, least }: Importing,
): Omit<ImportResult, "created" | "change"> & { wanted: DocumentChange[] } {
  const names = knownNames(workspace, project, kind);
  const tasks = newItems(source.tasks, names);
  const documents = newItems(source.documents, names);
  const numberOf = numbering(tasks, nextNumber(workspace, project, least));
  const named = tasks.map((item): Placed => {
    const name = withoutMarkdownExtension(taskFilename(numberOf(item), item.title));
    names.set(item.id, [...(names.get(item.id) ?? []), name]);
    return { item, path: `${item.isArchived === true ? `${ARCHIVE}/` : ""}tasks/${name}.md` };
  });
  const leftOut = [...source.leftOut];
  const make = ({ item, path }: Placed): Made[] => {
    try {
      const after = contentOf(Buffer.from(textOf(item, kind, names)));
      checkDocument(path, after.bytes.length);
      const wanted = { path: newPathOnDisk(workspace.root, `${project}/${path}`), before: null, after };
      return [{ item, path, wanted }];
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      leftOut.push({ path: "path" in item ? item.path : item.id, reason: error.message });
      return [];
    }
  };
  const made = [...named, ...placedDocuments(workspace, project, { kind, documents })].flatMap(make);
  return {
    wanted: [...made.map(({ wanted }) => wanted), ...listDecisions(workspace, project, made)],
    known: source.tasks.length + source.documents.length - tasks.length - documents.length,
    notes: notesOn(tasks, source.tasks, names),
    skipped: leftOutLines(leftOut),
  };
}

/** A larger one would be a date, or make all later numbers long. */
const MAX_KEPT = 99_999;

/** The number in the id of each task if it is free, from `least` on; the others get those behind all of these. */
function numbering(tasks: readonly ImportedTask[], least: number): (task: ImportedTask) => number {
  const kept = new Map<number, ImportedTask>();
  for (const task of tasks) {
    const number = Number(/^(?:\p{L}[\p{L}\p{N}]*[-_])?(\d+)$/u.exec(task.id)?.[1]);
    if (number >= least && number <= MAX_KEPT && !kept.has(number)) kept.set(number, task);
  }
  const byTask = new Map([...kept].map(([number, task]) => [task, number]));
  let next = Math.max(least, ...[...kept.keys()].map((number) => number + 1));
  return (task) => byTask.get(task) ?? next++;
}

function textOf(item: Item, kind: ImportKind, names: Names): string {
  const origin = { [ORIGIN]: `${kind} ${item.id}` };
  return "path" in item
    ? mergeFrontmatter(item.text, origin)
    : mergeFrontmatter(taskText(item, names), { ...origin, ...item.dates });
}

/** Decisions that hold stand on the status page, if there is one. */
function listDecisions({ root }: Workspace, project: string, made: readonly Made[]): DocumentChange[] {
  const decisions = made.flatMap(({ item, path }) =>
    "decision" in item && item.decision !== undefined
      ? [`[${oneLine(item.decision).replace(/[\\[\]]/g, "\\$&")}](<${path}>)`]
      : [],
  );
  const page = readIfThere(root, { project, folder: "", filename: "status.md" });
  if (page === undefined || !page.exact || decisions.length === 0) return [];
  const after = contentOf(Buffer.from(addDecisions(page.text, decisions)));
  return [{ path: page.path, before: page, after }];
}

/** Those that are not there yet: of several with one id, those whose names are there are known first. */
function newItems<T extends Item>(items: readonly T[], names: Names): T[] {
  const fresh = new Set<T>();
  for (const [id, all] of groupBy(items, (item) => item.id)) {
    const left = [...(names.get(id) ?? [])];
    const others = all.filter((item) => {
      const at = left.findIndex((name) => name.replace(/^\d{3,9}-/, "") === nameOf(item));
      return at === -1 || left.splice(at, 1).length === 0;
    });
    for (const item of others.slice(left.length)) fresh.add(item);
  }
  return items.filter((item) => fresh.has(item));
}

function nameOf(item: Item): string {
  return "path" in item ? withoutMarkdownExtension(baseName(item.path)) : slugify(item.title);
}

/** Names of what came from a program before. */
function knownNames({ root }: Workspace, project: string, kind: ImportKind): Names {
  const known: Names = new Map();
  for (const file of readProjectFiles(root, project)) {
    const { kind: from, id = "" } =
      originOf(parseFrontmatter(file.read()?.text.slice(0, 64 * 1024) ?? "").data) ?? {};
    if (from === kind)
      known.set(id, [...(known.get(id) ?? []), withoutMarkdownExtension(baseName(file.filename))]);
  }
  return known;
}

/** Where documents go: below a folder of their program as they were there, so that links between them lead on. */
function placedDocuments(
  { root }: Workspace,
  project: string,
  { kind, documents }: { kind: ImportKind; documents: readonly ImportedDocument[] },
): Placed[] {
  const folder = `${DOCUMENTS}/${kind}`;
  const taken = new Set(filesBelow(root, `${project}/${folder}`).map(pathKey));
  return documents.map((item) => {
    const name = item.path.split("/").map(possibleName).join("/");
    for (let count = 1; ; count++) {
      const path = `${folder}/${count === 1 ? name : name.replace(/\.md$/i, `-${count}.md`)}`;
      const key = pathKey(`${project}/${path}`);
      if (!taken.has(key) && taken.add(key)) return { item, path };
    }
  });
}

/** A part of a path as every system allows it. */
function possibleName(name: string): string {
  const isPossible = attempt(() => checkNewFilename(name) ?? true) === true;
  return isPossible ? name : `${slugify(withoutMarkdownExtension(name))}${isMarkdown(name) ? ".md" : ""}`;
}

function taskText(task: ImportedTask, names: Names): string {
  const { title, objective, tags, criteria, files } = task;
  const found = task.dependencies.flatMap((id) => names.get(id)?.[0] ?? []);
  return renderTask({
    ...task,
    objective: objective || title,
    tags: [...new Set(tags)],
    parent: names.get(task.parent ?? "")?.[0],
    acceptance_criteria: criteria,
    context: { related_files: files, dependencies: found },
    notes: notesOf(task, names),
  });
}

/** Links to tasks that are not there stay as texts. */
function notesOf(task: ImportedTask, names: Names): string {
  const { title, dependencies, parent, related, sections } = task;
  const needed = dependencies.filter((id) => !names.has(id)).map((id) => ({ id, how: "Needs" }));
  const above = parent == null || names.has(parent) ? [] : [{ id: parent, how: PART_OF }];
  const links = [...needed, ...above, ...related].map(({ id, how }) => {
    const [name] = names.get(id) ?? [];
    return `- ${how} ${name === undefined ? codeSpan(id) : `[[${name}]]`}`;
  });
  const isLong = oneLine(title).length > MAX_TITLE_CHARS;
  const parts = [...(isLong ? [{ title: "Whole title", text: title }] : []), ...sections].map((part) =>
    `${renderHeading(3, part.title)}\n${withClosingLine(part.text)}`.trimEnd(),
  );
  return [...(links.length > 0 ? [links.join("\n")] : []), ...parts].join("\n\n");
}

function notesOn(tasks: readonly ImportedTask[], all: readonly ImportedTask[], names: Names): string[] {
  const twice = [...groupBy(all, ({ id }) => id)].filter(([, { length }]) => length > 1);
  const isLost = (id: string) => !names.has(id);
  const lost = tasks.filter(
    ({ dependencies, parent, related }) =>
      [...dependencies, ...(parent == null ? [] : [parent])].some(isLost) ||
      related.some(({ id }) => isLost(id)),
  );
  const ids = listNames(twice.map(([id]) => id));
  return [
    twice.length > 0 &&
      `More than one task has the id ${ids}: each gets its own number here, and links lead to the first`,
    lost.length > 0 &&
      `${counted(lost.length, "task")} with links to tasks that are not there: the links stay as names`,
  ].filter((note) => note !== false);
}
