import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { foldersOf } from "./listing.ts";
import type { Reconciled, Sides } from "./reconcile.ts";

/**
 * Throws CONFLICT, before anything is taken over, if a file has the place of a folder, or of something that stays on the remote alone
 * (`others`).
 */
export function checkPlaces(
  { ours }: Pick<Sides, "ours">,
  { tree, meetings }: Pick<Reconciled, "tree" | "meetings">,
  others: ReadonlySet<string>,
): void {
  const after = [...tree.keys(), ...meetings.map(({ path }) => path)];
  const all = [...ours.keys(), ...after];
  const [foldersAfter, theirFolders, allFolders] = [after, others, all].map(foldersOf);
  const clash =
    after.find((path) => foldersAfter?.has(path)) ??
    all.find((path) => others.has(path) || theirFolders?.has(path)) ??
    [...others].find((path) => allFolders?.has(path));
  if (clash === undefined) return;
  const message = `${quoteName(clash)} is a file on one side, and a folder or a link on the other, so nothing was taken over. Rename it here`;
  throw new UserError("CONFLICT", message);
}
