// As node:path/posix does it: what reads notes also runs in browsers.

/** The folder of a path; `.` for a bare name. */
export function dirname(path: string): string {
  const at = path.lastIndexOf("/");
  return at === -1 ? "." : path.slice(0, at);
}

/** Both paths as one without `.`, `..` and empty parts, as far as it does not climb above its start. */
export function joinPath(base: string, path: string): string {
  const joined = [base, path].filter((part) => part !== "").join("/");
  const isAbsolute = joined.startsWith("/");
  const parts = plainParts(joined, isAbsolute);
  const end = joined.endsWith("/") ? "/" : "";
  if (parts.length === 0) return isAbsolute ? "/" : `.${end}`;
  return (isAbsolute ? "/" : "") + parts.join("/") + end;
}

function plainParts(path: string, isAbsolute: boolean): string[] {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    const climbs = part === ".." && parts.length > 0 && parts.at(-1) !== "..";
    if (climbs) parts.pop();
    else if (part !== ".." || !isAbsolute) parts.push(part);
  }
  return parts;
}

/** The way from a folder to a path; both are relative to the same place, and the folder is below it. */
export function relativePath(folder: string, path: string): string {
  const [from, to] = [plainParts(folder, false), plainParts(path, false)];
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).map(() => ".."), ...to.slice(shared)].join("/");
}

/** `a/b` and `a` of `a/b/c.ts`. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    folders.push(path.slice(0, at));
  return folders;
}
