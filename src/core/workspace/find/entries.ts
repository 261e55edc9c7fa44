import { isSeen } from "../../history/sight.ts";
import { remember } from "../../lib/collections.ts";
import { type ErrorCode, UserError } from "../../lib/errors.ts";
import { listNames, quoteName } from "../../lib/escape.ts";
import { pathKey } from "../../lib/file-names.ts";
import { pathIn, projectOf, ROOT_PROJECT } from "../../notes/names.ts";
import { aliasTarget } from "../../storage/aliases.ts";
import { type Listing, listFolder, projectNames } from "../../storage/list.ts";
import { gateOf } from "../../storage/path-gate.ts";

/** The projects that the caller sees, sorted. */
export function seenProjects(root: string): string[] {
  return projectNames(root).filter(isSeen);
}

/** Those of `names` that this one may mean: the exact one alone, else all that differ in letter case or Unicode composition. */
export function matchNames(names: readonly string[], name: string): string[] {
  if (names.includes(name)) return [name];
  const key = pathKey(name);
  return names.filter((candidate) => pathKey(candidate) === key);
}

/** The only one of `names` that this one may mean. */
export function matchName(names: readonly string[], name: string): string | undefined {
  const [match, ...others] = matchNames(names, name);
  return others.length === 0 ? match : undefined;
}

/** The only one of those that a name may mean; undefined if there is none. Throws if there are several: none is guessed. */
export function only(
  found: readonly string[],
  name: string,
  code: ErrorCode = "INVALID_ARGUMENT",
): string | undefined {
  const suggestions = [...new Set(found)];
  if (suggestions.length < 2) return suggestions[0];
  const message = `${quoteName(name)} may be ${listNames(suggestions)}. Give one of these exactly as it is spelled here.`;
  throw new UserError(code, message, { details: { suggestions } });
}

/** The names in a folder. */
export type Names = (folder: string, kind: keyof Listing) => readonly string[];

/** The document, or another file of `names`, at a path in a project, spelled as on the disk; undefined if there is none. Throws INVALID_ARGUMENT if several differ from it alike. */
export function pathOnDisk(root: string, path: string, names = documents(root)): string | undefined {
  const gate = gateOf(root);
  const exact = gate.resolve(path);
  if (!exact?.stats.isFile()) {
    const project = projectOf(path);
    const parts = project === ROOT_PROJECT ? [path] : path.split("/").slice(1);
    return only(entriesAlike(names, parts, "files", project), path);
  }
  const spelled = gate.partsOf(exact.file).join("/");
  return pathKey(spelled) === pathKey(path) ? spelled : (aliasTarget(gate, path) ?? path);
}

/** The paths in a folder that differ from these parts at most in letter case and Unicode composition; of files in one folder, the exact one alone. */
export function entriesAlike(
  names: Names,
  parts: readonly string[],
  kind: keyof Listing,
  start = "",
): string[] {
  let places = [start];
  for (const [depth, part] of parts.entries()) {
    const isFile = kind === "files" && depth === parts.length - 1;
    places = places.flatMap((above) => {
      const present = names(above, isFile ? "files" : "folders");
      const alike = isFile
        ? matchNames(present, part)
        : present.filter((name) => pathKey(name) === pathKey(part));
      return alike.map((name) => pathIn(above, name));
    });
  }
  return places;
}

/** The folders of a project that count as this one. */
export function foldersAlike(
  root: string,
  project: string,
  folder: string,
  names = documents(root),
): string[] {
  return entriesAlike(names, folder.split("/"), "folders", project);
}

/** The names in the folders of the workspace, each of which is listed once. */
export function documents(root: string): Names {
  const listing = remember((folder: string) => listFolder(root, folder));
  return (folder, kind) => listing(folder)[kind];
}
