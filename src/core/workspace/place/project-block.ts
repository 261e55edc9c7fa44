import { basename, dirname, join, relative } from "node:path";
import { changedMeanwhile, UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { hasImport, removeProjectBlock, setImportBlock, setProjectBlock } from "../../notes/project/block.ts";
import { findProjectMarker, projectLine, SHARED_FILES } from "../../notes/project/marker.ts";
import { realPath } from "../../storage/folders.ts";
import { guarded } from "../../storage/fs-errors.ts";
import { isInside } from "../../storage/path-gate.ts";
import { readSmall } from "../../storage/read.ts";
import { readSettings, replaceSettings } from "../../storage/settings.ts";
import { linkBoundary, type UserFile } from "../../storage/user-file.ts";
import { type Here, markerFiles, nearestMarker, surroundingsOf } from "./surroundings.ts";

/** The files of a repository that a client reads, relative to its top. */
export type Guides = readonly string[];

/** Where the block about a folder's project belongs. */
interface LinkPlan {
  /** For people. */
  shown: string;
  /** What its line names now: a project, perhaps with the folder of the notes. */
  current: string | undefined;
  /** Whether a project has the whole block already. */
  isDone(project: string): boolean;
  edits: readonly Edit[];
}

interface Edit {
  place: UserFile;
  after(text: string, project: string): string;
  byHand(project: string): string;
}

/**
 * The file that names a folder's project, or where the block about it belongs: a file for agents at the top of the repository (or in the
 * folder, outside of one), else a new AGENTS.md; with it the files by which each of these clients gets there. Undefined inside the
 * workspace, where the path names the project, and in a folder that belongs to no project.
 */
export function planLink(root: string, here: Here, clients: readonly Guides[] = []): LinkPlan | undefined {
  const around = surroundingsOf(here);
  if (around === undefined || isInside(realPath(root), realPath(here.folder))) return undefined;
  const found = nearestMarker({ speaking: around.own });
  const top = found?.folder ?? around.own.at(-1) ?? here.folder;
  const file = found?.file ?? fileForBlock(top, clients);
  const files = [...new Set([file, ...waysTo(file, top, clients)])];
  const edits = files.map((each) => editOf(placeOf(each, here), file));
  return {
    shown: edits.map(({ place }) => place.shown).join(" and "),
    current: found && projectLine(found.marker),
    isDone: (project) =>
      edits.every(({ place, after }) => {
        const text = readSmall(place.file);
        return text !== undefined && after(text, project) === text;
      }),
    edits,
  };
}

/** Clients that read AGENTS.md read nothing else, and no other file from it. */
function fileForBlock(top: string, clients: readonly Guides[]): string {
  const [common] = SHARED_FILES;
  const files = SHARED_FILES.map((name) => join(top, name));
  const existing = files.find((file) => readSmall(file) !== undefined);
  const isRead = clients.some((guides) => guides.includes(common));
  return isRead || existing === undefined ? join(top, common) : existing;
}

/** The files that must lead to the block: none for a client that gets there already, or if the line is a person's own. */
function waysTo(main: string, top: string, clients: readonly Guides[]): string[] {
  if (basename(main) === "CLAUDE.local.md") return [];
  return clients.flatMap((guides) => {
    const known = SHARED_FILES.filter((name) => guides.includes(name));
    const files = known.map((name) => join(top, name));
    const leadsThere = (file: string) =>
      realPath(file) === realPath(main) || hasImport(readSmall(file) ?? "", pathTo(main, file));
    if (files.some(leadsThere)) return [];
    return files.find((file) => readSmall(file) !== undefined) ?? files[0] ?? [];
  });
}

function editOf(place: UserFile, main: string): Edit {
  const { file, shown } = place;
  const hasLine = findProjectMarker(readSmall(file) ?? "") !== null;
  if (file === main || hasLine || basename(file) === SHARED_FILES[0])
    return {
      place,
      after: (text, project) => setProjectBlock(text, project, shown),
      byHand: (project) => `add the line yourself: vibe: ${escapeName(project)}`,
    };
  const path = pathTo(main, file);
  return {
    place,
    after: (text) => setImportBlock(text, path, shown),
    byHand: () => `add the line yourself: @${escapeName(path)}`,
  };
}

function pathTo(main: string, from: string): string {
  return relative(dirname(from), main).replaceAll("\\", "/");
}

/**
 * Writes the block about a project there and changes nothing else; a link stays a link. Throws CONFLICT if a file is not valid
 * UTF-8 or another program changes it, INVALID_PATH for a link that leaves the repository.
 */
export async function writeLink({ edits }: LinkPlan, project: string): Promise<void> {
  for (const { place, after, byHand } of edits)
    await rewrite(place, (text) => after(text, project), byHand(project));
}

/** Removes the blocks of a folder and its repository; returns their files, for people. Throws like `writeLink`. */
export async function removeLinks(here: Here): Promise<string[]> {
  const removed: string[] = [];
  for (const { file } of markerFiles(surroundingsOf(here)?.own ?? [])) {
    const text = readSmall(file) ?? "";
    const place = placeOf(file, here);
    const edit = (before: string) => removeProjectBlock(before, place.shown);
    if (edit(text) === text) continue;
    await rewrite(place, edit, "remove the block yourself");
    removed.push(place.shown);
  }
  return removed;
}

function placeOf(file: string, { folder, home }: Here): UserFile {
  return { file, shown: relative(folder, file), within: [linkBoundary(dirname(file), home)] };
}

async function rewrite(place: UserFile, edit: (text: string) => string, byHand: string): Promise<void> {
  const { shown } = place;
  await guarded("write", shown, async () => {
    const before = readSettings(place);
    if (!before.exact) throw new UserError("CONFLICT", `${quoteName(shown)} is not valid UTF-8: ${byHand}`);
    const changed = () => changedMeanwhile(quoteName(shown), "Try again.");
    const after = edit(before.text);
    await replaceSettings(before, { after: after === "" ? undefined : Buffer.from(after), changed });
  });
}
