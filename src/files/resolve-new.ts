import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { errorCode, fileError, isMissing } from "./errors.ts";
import { isInside } from "./gate.ts";

/** Where a new file may go. */
export interface NewFile {
  /** Workspace-relative, with folders named as they are on disk. */
  path: string;
  /** Absolute. */
  file: string;
  /** The name of what is there already: the same name, or one that some disks cannot tell from it. */
  taken: string | undefined;
}

/**
 * The one way from a workspace-relative path of checked names to the place of a new file. Folders on the way may be
 * missing; a link on the way must stay inside the workspace. Throws INVALID_PATH.
 */
export function resolveNew(root: string, path: string): NewFile {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const base = realRoot(root);
  let folder = base;
  const before: string[] = [];
  for (const part of parts) {
    const twin = findTwin(folder, part);
    folder = twin === undefined ? join(folder, part) : enter(base, join(folder, twin), path);
    before.push(twin ?? part);
  }
  return { path: [...before, name].join("/"), file: join(folder, name), taken: findTwin(folder, name) };
}

/** The link-free place of a root; as it is while nothing is there. */
export function realRoot(root: string): string {
  try {
    return realpathSync.native(root);
  } catch (error) {
    if (isMissing(error)) return root;
    throw fileError("reach", "the workspace", error);
  }
}

/** The entry that has this name, or that differs from it only in letter case or Unicode composition. */
export function findTwin(folder: string, name: string): string | undefined {
  try {
    const key = keyOf(name);
    const twins = readdirSync(folder).filter((entry) => keyOf(entry) === key);
    return twins.includes(name) ? name : twins[0];
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw fileError("reach", name, error);
  }
}

function keyOf(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

function enter(root: string, folder: string, path: string): string {
  try {
    const real = lstatSync(folder).isSymbolicLink() ? realpathSync.native(folder) : folder;
    if (isInside(root, real)) return real;
  } catch (error) {
    throw fileError("reach", path, error);
  }
  throw new UserError(
    "INVALID_PATH",
    `${quoteName(path)} leads out of the workspace by a link. Choose another folder.`,
    {
      details: { path },
    },
  );
}

export type Kind = "file" | "folder" | "dangling" | "other";

/** What has a name, links followed. */
export function kindOf(file: string): Kind {
  try {
    const stats = statSync(file);
    if (stats.isDirectory()) return "folder";
    return stats.isFile() ? "file" : "other";
  } catch (error) {
    return isMissing(error) || errorCode(error) === "ELOOP" ? "dangling" : "other";
  }
}
