import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { remember } from "../lib/collections.ts";
import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { isMarkdown } from "../lib/file-names.ts";
import { attempt } from "./fs-errors.ts";

/** A folder as it was when it last held notes. */
interface Seen {
  device: number;
  mtime: number;
  /** Whether `.vibe-mcp` was in it. */
  hasHome: boolean;
}

const seenIn = remember((_real: string) => new Map<string, Seen>());
/** The root (`""`) and the projects on disks of their own, as this process saw them: a later start takes the disk as it is. */
const seenBelow = remember((root: string) => seenIn(attempt(() => realpathSync.native(root)) ?? root));

/**
 * Throws FILESYSTEM_ERROR if the disk with the root (`place` is `""`) or with a project went away: no note is left
 * in its folder, which is on another device now, or has lost even `.vibe-mcp`.
 */
export function checkDisk<T extends { stats: Stats }>(root: string, place: string, folder: T): T {
  const all = seenBelow(root);
  const seen = all.get(place);
  const { dev: device, mtimeMs: mtime } = folder.stats;
  const isMount = seen !== undefined || place === "" || (all.get("")?.device ?? device) !== device;
  const isSame = seen?.device === device && (place !== "" || seen.mtime === mtime);
  if (!isMount || isSame || place.includes("/") || !folder.stats.isDirectory()) return folder;
  const entries = readdirSync(join(root, place), { withFileTypes: true });
  const hasHome = entries.some(({ name }) => name === ".vibe-mcp");
  const isGone = seen?.device !== device || (seen.hasHome && entries.length === 0);
  if (entries.some(isNote)) all.set(place, { device, mtime, hasHome });
  else if (seen !== undefined && isGone) throw goneError(place);
  return folder;
}

/** The same for some of these places, before something in them counts as missing. */
export function checkDisks(root: string, places: Iterable<string>): undefined {
  const all = seenBelow(root);
  for (const place of places) {
    const seen = all.get(place);
    const stats = seen && statSync(join(root, place), { throwIfNoEntry: false });
    if (stats !== undefined) checkDisk(root, place, { stats });
    else if (place === "" && seen !== undefined && deviceAbove(root) !== seen.device) throw goneError(place);
    else all.delete(place); // Renamed or removed: the disk is there.
  }
}

function deviceAbove(root: string): number | undefined {
  return statSync(dirname(root), { throwIfNoEntry: false })?.dev;
}

function isNote(entry: Dirent): boolean {
  return !entry.name.startsWith(".") && (!entry.isFile() || isMarkdown(entry.name));
}

function goneError(place: string): UserError {
  const folder = place === "" ? "The folder of the notes" : `The folder ${quoteName(place)}`;
  const message = `${folder} is not there now (a disk that is not mounted?). Once it is back, try again.`;
  return new UserError("FILESYSTEM_ERROR", message, { details: { path: escapeName(place) } });
}
