import { dirname, join, relative } from "node:path";
import { changedMeanwhile, UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { removeProjectBlock, setProjectBlock } from "../../notes/project/block.ts";
import { findProjectMarker, MARKER_FILES, projectLine } from "../../notes/project/marker.ts";
import { isCommonFolder, realPath, repositoryOf } from "../../storage/folders.ts";
import { guarded } from "../../storage/fs-errors.ts";
import { isInside } from "../../storage/path-gate.ts";
import { readSmall } from "../../storage/read.ts";
import { readSettings, replaceSettings } from "../../storage/settings.ts";
import { linkBoundary, type UserFile } from "../../storage/user-file.ts";

/** Where the block about a folder's project belongs. */
interface LinkPlan extends UserFile {
  /** What its line names now: a project, perhaps with the folder of the notes. */
  current: string | undefined;
  /** Whether a project has the whole block already. */
  isDone(project: string): boolean;
}

/**
 * The file that names a folder's project, or where the block about it belongs: an existing AGENTS.md or CLAUDE.md at the top of
 * the repository (or in the folder, outside of one), else a new AGENTS.md. Undefined inside the workspace, where the path names
 * the project, and in a folder that belongs to no project. `home` is the user's.
 */
export function planLink(root: string, { folder, home }: Here): LinkPlan | undefined {
  if (isInside(realPath(root), realPath(folder)) || isCommonFolder(folder, home)) return undefined;
  const { files, top } = markerFiles({ folder, home });
  const linked = files.find(({ text }) => findProjectMarker(text ?? "") !== null);
  const atTop = files.filter(({ file, text }) => dirname(file) === top && text !== undefined);
  const agents = atTop.find(({ file }) => file.endsWith("AGENTS.md")) ?? atTop[0];
  const { file, text } = linked ?? agents ?? { file: join(top, "AGENTS.md"), text: undefined };
  const place = placeOf(file, { folder, home });
  const { shown } = place;
  return {
    ...place,
    current: currentName(text ?? ""),
    isDone: (project) => text !== undefined && setProjectBlock(text, project, shown) === text,
  };
}

function currentName(text: string): string | undefined {
  const marker = findProjectMarker(text);
  return marker === null ? undefined : projectLine(marker);
}

/**
 * Writes the block about a project there and changes nothing else; a link stays a link. Throws CONFLICT if the file is not valid
 * UTF-8 or another program changes it, INVALID_PATH for a link that leaves the repository.
 */
export async function writeLink(place: UserFile, project: string): Promise<void> {
  await rewrite(
    place,
    (text) => setProjectBlock(text, project, place.shown),
    `add the line yourself: vibe: ${escapeName(project)}`,
  );
}

/** Removes the blocks of a folder and its repository; returns their files, for people. Throws like `writeLink`. */
export async function removeLinks(here: Here): Promise<string[]> {
  const { files } = markerFiles(here);
  const removed: string[] = [];
  for (const { file, text = "" } of files) {
    const place = placeOf(file, here);
    const edit = (before: string) => removeProjectBlock(before, place.shown);
    if (edit(text) === text) continue;
    await rewrite(place, edit, "remove the block yourself");
    removed.push(place.shown);
  }
  return removed;
}

interface Here {
  /** Absolute. */
  folder: string;
  home: string;
}

function markerFiles({ folder, home }: Here) {
  const repository = repositoryOf(folder) ?? folder;
  const top = isCommonFolder(repository, home) ? folder : repository;
  const places = [...new Set([folder, top])].flatMap((place) =>
    MARKER_FILES.map((name) => join(place, name)),
  );
  return { files: places.map((file) => ({ file, text: readSmall(file) })), top };
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
