import { recordedPath } from "../../history/versions.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { findIfThere } from "./document.ts";
import { ownPath, pathFrom } from "./own-path.ts";

interface Named {
  path: string;
  project?: string | undefined;
}

/** The path of a file for its history, by any name of a document: one that was recorded, else that of the document there now, else as given. */
export async function historyPath(root: string, name: Named): Promise<string> {
  const typed = ownPath(root, name.path);
  const places = [typed, ...(name.project === undefined ? [] : [`${name.project}/${typed}`])];
  for (const place of places) {
    const recorded = await recordedPath(root, place);
    if (recorded !== undefined) return recorded;
  }
  return attempt(() => findIfThere(root, { path: pathFrom(root, () => name.project, typed) })) ?? typed;
}
