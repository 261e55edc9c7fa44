import { dirname, join, relative } from "node:path";
import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { findProjectMarker, MARKER_FILES, setProjectMarker } from "../notes/project-marker.ts";
import { isCommonFolder, realPath, repositoryOf } from "../storage/folders.ts";
import { guarded } from "../storage/fs-errors.ts";
import { linkBoundary, type Place } from "../storage/outside-place.ts";
import { isInside } from "../storage/path-gate.ts";
import { readSmall } from "../storage/read.ts";
import { readSettings, replaceSettings } from "../storage/settings.ts";

/** Where the line that names a folder's project belongs; `current` is the project it names now. */
type LinkPlan = Place & { current: string | undefined };

/**
 * The file that names a folder's project, or where such a line belongs: an existing AGENTS.md or CLAUDE.md at the top of the
 * repository (or in the folder, outside of one), else a new AGENTS.md. Undefined inside the workspace, where the path names
 * the project, and in a folder that belongs to no project. `home` is the user's.
 */
export function planLink(
  root: string,
  { folder, home }: { folder: string; home: string },
): LinkPlan | undefined {
  if (isInside(realPath(root), realPath(folder)) || isCommonFolder(folder, home)) return undefined;
  const repository = repositoryOf(folder) ?? folder;
  const top = isCommonFolder(repository, home) ? folder : repository;
  const places = [folder, top].flatMap((place) => MARKER_FILES.map((name) => join(place, name)));
  const files = places.map((file) => ({ file, text: readSmall(file) }));
  const linked = files.find(({ text }) => findProjectMarker(text ?? "") !== null);
  const atTop = files.filter(({ file, text }) => dirname(file) === top && text !== undefined);
  const agents = atTop.find(({ file }) => file.endsWith("AGENTS.md")) ?? atTop[0];
  const { file, text } = linked ?? agents ?? { file: join(top, "AGENTS.md"), text: undefined };
  const within = [linkBoundary(dirname(file), home)];
  return { file, shown: relative(folder, file), within, current: findProjectMarker(text ?? "")?.name };
}

/**
 * Writes `vibe: <project>` there and changes nothing else; a link stays a link. Throws CONFLICT if the file is not valid UTF-8
 * or another program changes it, INVALID_PATH for a link that leaves the repository.
 */
export async function writeLink(plan: LinkPlan, project: string): Promise<void> {
  const { shown } = plan;
  await guarded("write", shown, async () => {
    const before = readSettings(plan);
    if (!before.exact)
      throw conflict(
        `${quoteName(shown)} is not valid UTF-8. Add the line yourself: vibe: ${escapeName(project)}`,
      );
    const changed = () =>
      conflict(`${quoteName(shown)} was changed by another program at this moment. Try again.`);
    await replaceSettings(before, { after: Buffer.from(setProjectMarker(before.text, project)), changed });
  });
}

function conflict(message: string): UserError {
  return new UserError("CONFLICT", message);
}
