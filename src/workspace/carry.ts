import { join } from "node:path";
import { copyHistory } from "../history/carry.ts";
import { MAX_CHANGES } from "../history/record.ts";
import { indexLookup } from "../index/links.ts";
import { UserError } from "../lib/errors.ts";
import { listNames, quoteName } from "../lib/escape.ts";
import { pauses } from "../lib/pauses.ts";
import { lineCounter } from "../lib/text.ts";
import { resolveLink } from "../notes/link-target.ts";
import { documentLinks } from "../notes/links.ts";
import { type FileChange, presentContent } from "../storage/change-file.ts";
import { makeFolder, removeEmptyFolders } from "../storage/folders.ts";
import { filesBelow, foldersBelow, isEmptyFolder, projectNames } from "../storage/list.ts";
import type { LockOf } from "../storage/project-locks.ts";
import type { FileContent } from "../storage/read.ts";
import { linksTo } from "./delete.ts";
import { shownLink } from "./links.ts";
import { findProject, matchProject } from "./locate.ts";
import { readProjectFiles } from "./project-files.ts";
import { indexChanged } from "./undo.ts";
import type { Workspace } from "./workspace.ts";

export interface Carried {
  /** As the source has its name. */
  project: string;
  /** The paths of its files. */
  files: string[];
  /** The links between it and other projects, which lead nowhere afterwards. */
  broken: { path: string; line: number; link: string }[];
}

/**
 * Moves a project to another workspace, with its history: at every moment its files are in one of them, or in both. Throws
 * PROJECT_NOT_FOUND, and CONFLICT if the other workspace has other notes in a project of that name.
 */
export async function carryProject(
  from: Workspace,
  to: Workspace,
  name: string,
): Promise<Carried & { changes: number; isGone: boolean }> {
  makeFolder(to.root);
  return lockedBoth(from, to, findProject(from.root, name), async (lockOf) => {
    const plan = await planCarry(from, to, name);
    const { project } = plan;
    const contents = await readAll(from.root, plan.files);
    const created = contents.flatMap(([path, after]): FileChange[] => {
      const before = presentContent(to.root, path);
      return before?.hash === after.hash ? [] : [{ path, before, after }];
    });
    const changes = await copyHistory(from.root, to.root, project);
    const made = matchProject(projectNames(to.root), project) === undefined ? { made: project } : {};
    if (created.length > 0) await to.history.acting(made, () => to.history.changeAll(created, lockOf(to)));
    const removed = contents.map(([path, before]) => ({ path, before, after: null }));
    await from.history.changeAll(removed, lockOf(from));
    await removeEmptyFolders(from.root, project, foldersBelow(from.root, project));
    await indexChanged(to, created);
    return { ...plan, changes, isGone: isEmptyFolder(join(from.root, project)) };
  });
}

/** What carryProject would move. Throws like it. */
export async function planCarry(from: Workspace, to: Workspace, name: string): Promise<Carried> {
  const project = findProject(from.root, name);
  const files = filesBelow(from.root, project, MAX_CHANGES);
  checkOther(from, to, project);
  const inner = await linksOut(from, project);
  const outer = await linksTo(from, files);
  return {
    project,
    files,
    broken: [...inner, ...outer.map(({ before, ...link }) => ({ ...link, link: before }))],
  };
}

/** A project that was only just created has nothing but its status. */
function checkOther(from: Workspace, to: Workspace, project: string): void {
  const there = matchProject(projectNames(to.root), project);
  const files = there === undefined ? [] : filesBelow(to.root, there);
  if (there === project && files.every((path) => path === `${project}/status.md`)) return;
  const others = files.filter(
    (path) => presentContent(from.root, path)?.hash !== presentContent(to.root, path)?.hash,
  );
  if (others.length === 0 && (there === undefined || there === project)) return;
  const named = there === project ? ` with notes of its own: ${listNames(others)}` : "";
  const message = `The other workspace has a project ${quoteName(there ?? project)}${named}. Nothing was moved. Rename one of the two, or move these notes first.`;
  throw new UserError("CONFLICT", message, { details: { project, paths: others.slice(0, 10) } });
}

async function linksOut(workspace: Workspace, project: string): Promise<Carried["broken"]> {
  const documents = readProjectFiles(workspace.root, project);
  const broken: Carried["broken"] = [];
  const pause = pauses();
  for (const { path, read } of documents) {
    const document = read();
    if (document === null) continue;
    const { text, facts } = document;
    const lineOf = lineCounter(text);
    await workspace.index.query((db) => {
      const lookup = indexLookup(db);
      for (const link of documentLinks(text, facts)) {
        const target = resolveLink(path, link, lookup);
        if (target.kind !== "document" || target.path.startsWith(`${project}/`)) continue;
        broken.push({ path, line: lineOf(link.start), link: shownLink(text.slice(link.start, link.end)) });
      }
    });
    await pause();
  }
  return broken;
}

async function readAll(root: string, paths: readonly string[]): Promise<[string, FileContent][]> {
  const pause = pauses();
  const contents: [string, FileContent][] = [];
  for (const path of paths) {
    const content = presentContent(root, path);
    if (content !== null) contents.push([path, content]);
    await pause();
  }
  return contents;
}

/** Always in the same order, so that two that move in opposite directions do not wait for each other. */
function lockedBoth<T>(
  from: Workspace,
  to: Workspace,
  project: string,
  work: (lockOf: (workspace: Workspace) => LockOf) => Promise<T>,
): Promise<T> {
  const [first, second] = from.root < to.root ? [from, to] : [to, from];
  return first.history.locked([project], (outer) =>
    second.history.locked([project], (inner) => work((workspace) => (workspace === first ? outer : inner))),
  );
}
