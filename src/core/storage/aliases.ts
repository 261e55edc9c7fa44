import { isMarkdown, pathKey } from "../lib/file-names.ts";
import { isStandardFolder, projectOf } from "../notes/names.ts";
import { attempt } from "./fs-errors.ts";
import { type Gate, isReadablePart, partsBelow } from "./path-gate.ts";

/**
 * The path of a file or folder for one that a link within the same project gives it: one file is one document. A link that puts it into a
 * standard folder, as a task for example, says more than its own place, and stays.
 */
export function ownPathOf(
  link: string,
  { project, file, isFolder }: { project: string; file: string; isFolder: boolean },
): string | undefined {
  const parts = partsBelow(project, file) ?? [];
  if (parts.length === 0 || !parts.every(isReadablePart)) return undefined;
  if (!isFolder && !isMarkdown(file)) return undefined;
  const [, folder = ""] = link.split("/");
  if (isStandardFolder(folder) && !isStandardFolder(parts[0] ?? "")) return undefined;
  return [projectOf(link), ...parts].join("/");
}

/** The same for any path of the workspace; undefined if it is the entry's own. */
export function aliasTarget(gate: Gate, path: string): string | undefined {
  const target = attempt(() => gate.resolve(path));
  const project = target && attempt(() => gate.resolve(projectOf(path)));
  if (target === undefined || project === undefined) return undefined;
  const { file, stats } = target;
  const own = ownPathOf(path, { project: project.file, file, isFolder: stats.isDirectory() });
  return own === undefined || pathKey(own) === pathKey(path) ? undefined : own;
}

/** The same for a path that a folder has. */
export function aliasOfFolder(gate: Gate, path: string): string | undefined {
  return attempt(() => gate.resolve(path))?.stats.isDirectory() ? aliasTarget(gate, path) : undefined;
}
