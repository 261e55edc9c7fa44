import { isAbsolute, relative, sep } from "node:path";
import { pathKey } from "../../lib/file-names.ts";
import { documentPath } from "../../notes/document.ts";
import { addressOf } from "../../notes/link/address.ts";
import { gateOf } from "../../storage/path-gate.ts";

/**
 * A path as this server, its links and people give it, relative to the root or to a project: absolute, as a `vibe://` address, with
 * the heading of a link, with `./` or `/` at its start, or `/` at its end.
 */
export function ownPath(root: string, given: string): string {
  const path = /^vibe:\/\//i.test(given) ? pathOfAddress(given) : (belowRoot(root, given) ?? given);
  return path
    .replace(/^(?:\.?\/)+/, "")
    .replace(/(\.md)#.*$/is, "$1")
    .replace(/(\.md)\/+$/i, "$1");
}

function pathOfAddress(uri: string): string {
  const address = addressOf(uri.replace(/#.*$/s, ""));
  if (address.kind === "document") return documentPath(address);
  return address.kind === "project" ? address.project : "";
}

function belowRoot(root: string, given: string): string | undefined {
  if (!isAbsolute(given)) return undefined;
  const roots = [root, gateOf(root).root()];
  const below = roots
    .map((one) => relative(one, given))
    .find((path) => path !== "" && !/^\.\.(?:[\\/]|$)/.test(path));
  return below === undefined || isAbsolute(below) ? undefined : below.replaceAll(sep, "/");
}

export function firstPart(path: string): string {
  return path.split("/", 1)[0] ?? "";
}

export function afterFirst(path: string): string {
  return path.slice(firstPart(path).length + 1);
}

/** `tasks/003-a.md` from `project/tasks/003-a.md`. */
export function pathInProject(project: string, path: string): string {
  return pathKey(path).startsWith(`${pathKey(project)}/`) ? afterFirst(path) : path;
}
