import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { MARKDOWN_EXTENSION, pathKey, withMarkdownExtension } from "../../lib/file-names.ts";
import { documentPath } from "../../notes/document.ts";
import { addressOf } from "../../notes/link/address.ts";
import { pathIn, projectOf, ROOT_PROJECT } from "../../notes/names.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { listFolder } from "../../storage/list.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { matchName, pathOnDisk, seenProjects } from "./entries.ts";
import { isFolder } from "./folder.ts";

/**
 * A path as this server, its links and people give it, relative to the root or to a project: absolute, as a `vibe://` address, with
 * the heading of a link, with `./` or `/` at its start, or `/` at its end. A document is also meant by its path as Windows and prose
 * write it, from the root or the project that `hereOf` tells.
 */
export function ownPath(root: string, given: string, hereOf?: () => string | undefined): string {
  const path = /^vibe:\/\//i.test(given)
    ? pathOfAddress(given)
    : (belowRoot(root, given) ?? plainPath(root, given, hereOf) ?? given);
  return path
    .replace(/^(?:\.?\/)+/, "")
    .replace(HEADING, "")
    .replace(SLASHES, "");
}

/** Undefined unless it names a document, and `given` does not. */
function plainPath(root: string, given: string, hereOf?: () => string | undefined): string | undefined {
  const bare = given
    .trim()
    .replace(/^([`"'])(.+)\1$/s, "$2")
    .replace(/^@/, "");
  const file = /^file:/i.test(bare) ? (attempt(() => fileURLToPath(bare)) ?? "") : bare;
  const plain = file.replace(/\\|\/{2,}/g, "/");
  if (plain === given) return undefined;
  const here = hereOf?.();
  const isThere = (path: string) =>
    [path, ...(here === undefined ? [] : [pathIn(here, path)])].some((one) => isDocument(root, one));
  const path = belowRoot(root, plain) ?? plain;
  return isThere(path) && !isThere(given) ? path : undefined;
}

function isDocument(root: string, path: string): boolean {
  const project = matchName(seenProjects(root), projectOf(path));
  if (project === undefined) return false;
  const full = withMarkdownExtension(pathIn(project, afterFirst(path)));
  return attempt(() => pathOnDisk(root, full)) !== undefined;
}

const HEADING = new RegExp(`(?<=${MARKDOWN_EXTENSION})#.*$`, "is");
const SLASHES = new RegExp(`(?<=${MARKDOWN_EXTENSION})/+$`, "i");

/** The heading behind the name of a document; without `.md` between them only if the document that was `found` has no `#` of its own. */
export function headingIn(given: string, found = "#"): string | undefined {
  const behind = found.includes("#") ? undefined : /(?<=[^/])#.*$/s;
  const heading = (HEADING.exec(given) ?? behind?.exec(given))?.[0].slice(1);
  return heading && (attempt(() => decodeURIComponent(heading)) ?? heading);
}

function pathOfAddress(uri: string): string {
  const address = addressOf(uri.replace(/#.*$/s, ""));
  if (address.kind === "document") return documentPath(address);
  return address.kind === "project" ? address.project : "";
}

/** Whether an absolute path leads elsewhere. */
export function isOutside(root: string, given: string): boolean {
  return isAbsolute(given) && belowRoot(root, given) === undefined;
}

function belowRoot(root: string, given: string): string | undefined {
  if (!isAbsolute(given)) return undefined;
  const roots = [root, gateOf(root).root()];
  const below = roots
    .map((one) => relative(one, given))
    .find((path) => path !== "" && !/^\.\.(?:[\\/]|$)/.test(path));
  return below === undefined || isAbsolute(below) ? undefined : below.replaceAll(sep, "/");
}

/** A path that begins with its project, or with none in the project that `hereOf` tells, where a folder goes before a project that is spelled otherwise. */
export function pathFrom(root: string, hereOf: () => string | undefined, given: string): string {
  const path = ownPath(root, given, hereOf);
  const names = seenProjects(root);
  const first = projectOf(path);
  if (names.includes(first) && first !== path) return path;
  const here = hereOf();
  if (here === undefined) return path;
  if (first === ROOT_PROJECT) return isInRoot(root, here, path) ? path : pathIn(here, path);
  const isInside = first === path || isFolder(root, here, first) || matchName(names, first) === undefined;
  return isInside ? `${here}/${path}` : path;
}

/** Whether only a note in the root itself has this path, and none of the project. */
function isInRoot(root: string, here: string, path: string): boolean {
  return (
    matchName(listFolder(root, here).files, path) === undefined && listFolder(root, "").files.includes(path)
  );
}

export function afterFirst(path: string): string {
  const project = projectOf(path);
  return project === ROOT_PROJECT ? path : path.slice(project.length + 1);
}

/** The names below a project that a path with or without it may mean. */
export function namesIn(root: string, project: string, given: string): [string, ...string[]] {
  const path = ownPath(root, given, () => project);
  return pathKey(path).startsWith(`${pathKey(project)}/`) ? [afterFirst(path), path] : [path];
}

/** What follows `#` may be a heading. */
export function withoutHeading(name: string): string {
  return name.replace(/(?<=.)#.*$/s, "");
}
