import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { groupBy } from "../lib/collections.ts";
import { UserError } from "../lib/errors.ts";
import { pathKey } from "../lib/file-names.ts";
import { errorCode, fileError, isMissing } from "./fs-errors.ts";
import { makeIfFree, type PlainPath } from "./open-entry.ts";
import type { Gate, GateRules } from "./path-gate.ts";

/** The place for a new file, whose folder exists. */
export interface NewFile {
  /** Below the root, with folders named as they are on disk. */
  path: string;
  /** Absolute. */
  file: string;
  /** The entry that has this name, or one that some disks cannot tell from it. */
  taken: { name: string; kind: Kind } | undefined;
}

export type Kind = "file" | "folder" | "link" | "dangling" | "other";

/** The names in folders, by absolute path, then by key: a change that creates many files lists each folder once. */
export type KnownNames = Map<string, Map<string, string[]>>;

/**
 * Finds the folder of a new file, made if missing. `check` gets the whole path, as given and as on disk, before anything is
 * made; `known` are names that were listed before, and get the new one. Throws what the gate's rules throw.
 */
export function placeNew(
  gate: Gate,
  path: string,
  { check = gate.rules.check, known }: { check?: GateRules["check"]; known?: KnownNames | undefined } = {},
): NewFile {
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  check([...parts, name], path);
  try {
    const { folder, names } = enterFolders(gate, parts, (place) => check([...place, name], path));
    const present = namesIn(folder, known);
    const taken = findTwin(present, name);
    if (taken === undefined) present.set(pathKey(name), [name]);
    return {
      path: [...names, name].join("/"),
      file: join(folder.file, name),
      taken: taken === undefined ? undefined : { name: taken, kind: kindOf(join(folder.file, taken)) },
    };
  } catch (error) {
    throw error instanceof UserError ? error : fileError("reach", path, error);
  }
}

/** Makes a folder and its parents if missing. */
export function makeNewFolder(gate: Gate, path: string): void {
  const parts = path.split("/");
  gate.rules.check(parts, path);
  enterFolders(gate, parts, (place) => gate.rules.check(place, path));
}

/** Finds or makes the last of the folders; `names` are their names on disk. */
function enterFolders(
  gate: Gate,
  parts: readonly string[],
  check: (place: readonly string[]) => void,
): { folder: PlainPath; names: string[] } {
  let folder = enter(gate, []);
  const names: string[] = [];
  for (const [depth, part] of parts.entries()) {
    const twin = findTwin(namesIn(folder), part);
    check([...gate.partsOf(folder.file), twin ?? part, ...parts.slice(depth + 1)]);
    if (twin === undefined) makeIfFree(join(folder.file, part));
    names.push(twin ?? part);
    folder = enter(gate, names);
  }
  return { folder, names };
}

/** The first entry on the way to a new file, or in its place, whose name some disks cannot tell from that in the path. */
export function twinOnTheWay(gate: Gate, path: string, known: KnownNames): string | undefined {
  const above: string[] = [];
  for (const part of path.split("/")) {
    const folder = gate.findFolder(above.join("/"));
    if (folder === undefined) return undefined;
    const twin = findTwin(namesIn(folder, known), part);
    if (twin !== undefined && twin !== part) return [...above, twin].join("/");
    above.push(part);
  }
  return undefined;
}

function enter(gate: Gate, parts: readonly string[]): PlainPath {
  const path = parts.join("/");
  const folder = gate.findFolder(path);
  if (folder === undefined) throw gate.rules.refusals["no-folder"](path);
  return folder;
}

function namesIn({ file }: PlainPath, known?: KnownNames): Map<string, string[]> {
  const names = known?.get(file) ?? groupBy(readdirSync(file), pathKey);
  known?.set(file, names);
  return names;
}

/** The entry that has this name, or that differs from it only in letter case or Unicode composition. */
function findTwin(names: ReadonlyMap<string, string[]>, name: string): string | undefined {
  const twins = names.get(pathKey(name)) ?? [];
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
