import { dirname, join, relative } from "node:path";
import { changedMeanwhile, UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { removeProjectBlock, setProjectBlock } from "../../notes/project/block.ts";
import { projectLine, SHARED_FILES } from "../../notes/project/marker.ts";
import { realPath } from "../../storage/folders.ts";
import { guarded } from "../../storage/fs-errors.ts";
import { isInside } from "../../storage/path-gate.ts";
import { readSmall } from "../../storage/read.ts";
import { readSettings, replaceSettings } from "../../storage/settings.ts";
import { linkBoundary, type UserFile } from "../../storage/user-file.ts";
import { type Here, markerFiles, nearestMarker, surroundingsOf } from "./surroundings.ts";

/** Where the block about a folder's project belongs. */
interface LinkPlan extends UserFile {
  /** What its line names now: a project, perhaps with the folder of the notes. */
  current: string | undefined;
  /** Whether a project has the whole block already. */
  isDone(project: string): boolean;
}

/**
 * The file that names a folder's project, or where the block about it belongs: a file for agents at the top of the repository (or in the
 * folder, outside of one), else a new AGENTS.md. Undefined inside the workspace, where the path names the project, and in a folder that
 * belongs to no project.
 */
export function planLink(root: string, here: Here): LinkPlan | undefined {
  const around = surroundingsOf(here);
  if (around === undefined || isInside(realPath(root), realPath(here.folder))) return undefined;
  const found = nearestMarker({ speaking: around.own });
  const file = found?.file ?? fileForBlock(around.own.at(-1) ?? here.folder);
  const text = readSmall(file);
  const place = placeOf(file, here);
  return {
    ...place,
    current: found && projectLine(found.marker),
    isDone: (project) => text !== undefined && setProjectBlock(text, project, place.shown) === text,
  };
}

function fileForBlock(top: string): string {
  const files = SHARED_FILES.map((name) => join(top, name));
  return files.find((file) => readSmall(file) !== undefined) ?? join(top, SHARED_FILES[0]);
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
