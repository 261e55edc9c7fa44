import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../lib/errors.ts";
import { pathKey } from "../lib/file-names.ts";
import { errorCode, fileError, isMissing } from "./fs-errors.ts";
import { closeEntry, makeIfFree, type OpenEntry } from "./open-entry.ts";
import type { Gate, GateRules } from "./path-gate.ts";

/** The place for a new file; its folder is open until `close`. */
export interface NewFile {
  /** Below the root, with folders named as they are on disk. */
  path: string;
  /** Absolute. */
  file: string;
  /** Its name for file calls: no link can be put in its way. */
  at: string;
  /** The entry that has this name, or one that some disks cannot tell from it. */
  taken: { name: string; kind: Kind } | undefined;
  close(): void;
}

export type Kind = "file" | "folder" | "link" | "dangling" | "other";

/**
 * Opens the folder of a new file, made if missing. `check` gets the whole path, as given and as on disk, before anything is
 * made. Throws what the gate's rules throw.
 */
export function openNew(gate: Gate, path: string, check: GateRules["check"] = gate.rules.check): NewFile {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  check([...parts, name], path);
  try {
    const { folder, names } = enterFolders(gate, parts, (place) => check([...place, name], path));
    const taken = findTwin(folder.at, name);
    return {
      path: [...names, name].join("/"),
      file: join(folder.file, name),
      at: join(folder.at, name),
      taken: taken === undefined ? undefined : { name: taken, kind: kindOf(join(folder.at, taken)) },
      close: () => closeEntry(folder),
    };
  } catch (error) {
    throw error instanceof UserError ? error : fileError("reach", path, error);
  }
}

/** Opens a folder; makes it and its parents if missing. */
export function openNewFolder(gate: Gate, path: string): OpenEntry {
  const parts = path.split("/");
  gate.rules.check(parts, path);
  return enterFolders(gate, parts, (place) => gate.rules.check(place, path)).folder;
}

/** Opens the last of the folders; `names` are their names on disk. */
function enterFolders(
  gate: Gate,
  parts: readonly string[],
  check: (place: readonly string[]) => void,
): { folder: OpenEntry; names: string[] } {
  let folder = enter(gate, []);
  const names: string[] = [];
  for (const [depth, part] of parts.entries()) {
    const parent = folder;
    try {
      const twin = findTwin(parent.at, part);
      check([...gate.partsOf(parent.file), twin ?? part, ...parts.slice(depth + 1)]);
      if (twin === undefined) makeIfFree(join(parent.at, part));
      names.push(twin ?? part);
      folder = enter(gate, names);
    } finally {
      closeEntry(parent);
    }
  }
  return { folder, names };
}

function enter(gate: Gate, parts: readonly string[]): OpenEntry {
  const path = parts.join("/");
  const folder = gate.openFolder(path);
  if (folder === undefined) throw gate.rules.refusals["no-folder"](path);
  return folder;
}

/** The entry that has this name, or that differs from it only in letter case or Unicode composition. */
function findTwin(folder: string, name: string): string | undefined {
  const key = pathKey(name);
  const twins = readdirSync(folder).filter((entry) => pathKey(entry) === key);
  return twins.includes(name) ? name : twins[0];
}

function kindOf(file: string): Kind {
  try {
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return statSync(file, { throwIfNoEntry: false }) ? "link" : "dangling";
    if (stats.isDirectory()) return "folder";
    return stats.isFile() ? "file" : "other";
  } catch (error) {
    return isMissing(error) || errorCode(error) === "ELOOP" ? "dangling" : "other";
  }
}
