import { UserError } from "../../lib/errors.ts";
import { listNames } from "../../lib/escape.ts";
import { pathKey } from "../../lib/file-names.ts";
import { listFolder } from "../../storage/list.ts";
import { gateOf } from "../../storage/path-gate.ts";

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

/** The document at a path, spelled as on the disk; undefined if there is none. Throws INVALID_ARGUMENT if several differ from it alike. */
export function pathOnDisk(root: string, path: string): string | undefined {
  const gate = gateOf(root);
  const exact = gate.resolve(path);
  if (exact?.stats.isFile()) {
    const spelled = gate.partsOf(exact.file).join("/");
    return pathKey(spelled) === pathKey(path) ? spelled : path;
  }
  const parts = path.split("/");
  const name = parts.pop() ?? "";
  const folders = foldersAlike(root, "", parts);
  return only(folders.flatMap((at) => filesAlike(root, at, name)));
}

function filesAlike(root: string, folder: string, name: string): string[] {
  return matchNames(listFolder(root, folder).files, name).map((file) => `${folder}/${file}`);
}

/** The folders below `start` whose names differ from these parts at most in letter case and Unicode composition. */
export function foldersAlike(root: string, start: string, parts: readonly string[]): string[] {
  let places = [start];
  for (const part of parts) {
    const key = pathKey(part);
    places = places.flatMap((at) => {
      const alike = listFolder(root, at).folders.filter((name) => pathKey(name) === key);
      return alike.map((name) => (at === "" ? name : `${at}/${name}`));
    });
  }
  return places;
}

/** The only one of several documents that a name may mean. Throws INVALID_ARGUMENT. */
export function only(found: readonly string[]): string | undefined {
  const paths = [...new Set(found)];
  if (paths.length < 2) return paths[0];
  const message = `Several documents go by this name: ${listNames(paths)}. Pass one of these as 'path', and leave 'project' out.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: "path", suggestions: paths } });
}
