import { join } from "node:path";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { fileTexts } from "../../core/storage/file-lines.ts";
import { realPath } from "../../core/storage/folders.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { inspectPath } from "../../core/storage/inspect.ts";
import { entriesBelow, listPlain } from "../../core/storage/list.ts";
import { gateOf, partsBelow } from "../../core/storage/path-gate.ts";
import { contentOf, readRegular } from "../../core/storage/read.ts";
import { BACKLOG_FOLDERS, type BacklogFile, backlogFiles } from "./backlog.ts";
import { beadsTasks } from "./beads.ts";
import { IMPORT_KINDS, type Imported, type ImportKind } from "./imported-task.ts";
import { taskmasterTasks } from "./taskmaster.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** Where each program keeps its tasks, below a repository or in its own folder. */
const PLACES: Record<ImportKind, readonly string[]> = {
  backlog: ["backlog", ".backlog", "."],
  beads: [".beads/issues.jsonl", ".beads/beads.jsonl", "issues.jsonl", "beads.jsonl"],
  taskmaster: [".taskmaster/tasks/tasks.json", "tasks/tasks.json", "tasks.json"],
};

/** Reads what another program has below a folder (absolute). Throws FILE_NOT_FOUND if it has no tasks there, and system errors. */
export function readImport(kind: ImportKind, folder: string): Imported {
  const places = PLACES[kind].filter((one) => holdsTasks(kind, join(folder, one)));
  const [place] = places;
  if (place === undefined) throw notFound(kind, folder);
  for (const one of places) checkLink(folder, one);
  if (kind === "backlog") return readBacklog(join(folder, place));
  if (kind === "beads") {
    const files = places.map((path) => ({ path, lines: fileTexts(join(folder, path), MAX_LINE_BYTES) }));
    const found = beadsTasks(files);
    // Its newer versions keep issues in a database, and leave the file empty.
    if (found.tasks.length + found.leftOut.length === 0) throw notFound(kind, folder);
    return found;
  }
  return taskmasterTasks({
    path: place,
    text: contentOf(readRegular(join(folder, place), MAX_BYTES).bytes).text,
  });
}

/** The programs that keep tasks below a folder (absolute), in a place called like them. */
export function importsIn(folder: string): ImportKind[] {
  return IMPORT_KINDS.filter((kind) =>
    PLACES[kind].some(
      (place) => place.replace(".", "").startsWith(kind) && holdsTasks(kind, join(folder, place)),
    ),
  );
}

function holdsTasks(kind: ImportKind, path: string): boolean {
  return kind === "backlog"
    ? inspectPath(join(path, "tasks")).kind === "folder"
    : inspectPath(path).kind === "file";
}

function readBacklog(folder: string): Imported {
  const settings = ["config.yml", "config.yaml"].find(
    (name) => inspectPath(join(folder, name)).kind === "file",
  );
  const others = (listPlain(gateOf(folder), "") ?? []).filter(
    ({ name }) => settings !== undefined && !name.startsWith(".") && name !== settings,
  );
  const isThere = (name: string) => inspectPath(join(folder, name)).kind !== "missing";
  const found = BACKLOG_FOLDERS.filter(isThere).map((name) => entriesBelow(folder, name));
  const leftOut = (paths: readonly string[], problem: string) =>
    paths.map((path) => ({ path, text: { problem } }));
  const foreign = others.filter(({ name }) => !BACKLOG_FOLDERS.includes(name)).map(({ name }) => name);
  const paths = found.flatMap(({ files }) => files.sort(byNumber));
  const files = [
    ...paths.map((path) => ({ path, text: textAt(join(folder, path)) })),
    ...leftOut(
      found.flatMap((one) => one.others),
      "a link, or a folder that cannot be read",
    ),
    ...leftOut(foreign, "no file or folder of Backlog.md"),
  ];
  const text = settings === undefined ? "" : textAt(join(folder, settings));
  return backlogFiles(files, typeof text === "string" ? text : "");
}

/** `task-2` before `task-10`. */
function byNumber(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function textAt(file: string): BacklogFile["text"] {
  const content = attempt(() => contentOf(readRegular(file, MAX_BYTES).bytes));
  if (content === undefined) return { problem: "it cannot be read" };
  return !content.exact && content.text.includes("\uFFFD") ? { problem: "no UTF-8" } : content.text;
}

/** The repository may be a stranger's: a link in it could bring in files that only you may read. */
function checkLink(folder: string, place: string): void {
  if (partsBelow(realPath(folder), realPath(join(folder, place))) !== undefined) return;
  const message = `${quoteName(place)} is a link that leads out of ${quoteName(folder)}. Name the folder it leads to.`;
  throw new UserError("INVALID_PATH", message);
}

function notFound(kind: ImportKind, folder: string): UserError {
  if (kind === "beads" && inspectPath(join(folder, ".beads")).kind === "folder") {
    const message = `${quoteName(folder)} has no issues in a file: beads keeps them in its database. Run \`bd export -o .beads/issues.jsonl\` there, then this again.`;
    return new UserError("FILE_NOT_FOUND", message);
  }
  const places = PLACES[kind].filter((place) => place !== ".").join(", ");
  const message = `${quoteName(folder)} holds no tasks of ${kind}: looked for ${places}. Name the repository, or the program's own folder in it.`;
  return new UserError("FILE_NOT_FOUND", message);
}
