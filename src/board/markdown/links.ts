/** Where a link in a document leads: `named` must be looked up, `text` nowhere that the page could show. */
export type LinkTarget =
  | { kind: "document"; path: string; heading: string }
  | { kind: "named"; name: string; heading: string }
  | { kind: "external"; url: string }
  | { kind: "text" };

const EXTERNAL = new Set(["http:", "https:", "mailto:"]);

/** The target of `[text](href)` in the document at `path`; `href` may be anything. */
export function linkTarget(href: string, path: string): LinkTarget {
  const url = parseUrl(href);
  if (url !== undefined)
    return EXTERNAL.has(url.protocol) ? { kind: "external", url: url.href } : { kind: "text" };
  const [, place = "", anchor = ""] = /^([^?#]*)[^#]*#?(.*)$/s.exec(href) ?? [];
  const [name, heading] = [decode(place), decode(anchor)];
  if (name === "") return heading === "" ? { kind: "text" } : { kind: "document", path, heading };
  if (!/\.md$/i.test(name) || name.startsWith("//")) return { kind: "text" };
  if (name.startsWith("/")) return { kind: "named", name, heading };
  const joined = joinPath(path, name);
  return joined === undefined ? { kind: "text" } : { kind: "document", path: joined, heading };
}

/** The target of `[[name#heading|alias]]`, and the text to show. */
export function wikiTarget(inner: string, path: string): { target: LinkTarget; text: string } {
  const [, name = "", heading = "", alias = ""] =
    /^([^#|]*?)(?:#([^|]*?))?(?:\\?\|(.*))?$/s.exec(inner)?.map((part) => part?.trim()) ?? [];
  const text = alias || [name, heading].filter((part) => part !== "").join(" › ") || inner;
  if (name === "")
    return { target: heading === "" ? { kind: "text" } : { kind: "document", path, heading }, text };
  return { target: { kind: "named", name, heading }, text };
}

/** The places that a link's name may mean, the first one first; none outside the workspace. */
export function placesOf(name: string, from: string): string[] {
  const project = from.slice(0, from.indexOf("/") + 1);
  const inProject = joinPath(project, name.replace(/^\/+/, ""));
  const inWorkspace = joinPath("", name.replace(/^\/+/, ""));
  const beside = name.startsWith("/") ? undefined : joinPath(from, name);
  const places = name.startsWith(".") ? [beside] : [beside, inProject, inWorkspace];
  return [...new Set(places)].filter((place) => place !== undefined).map(withExtension);
}

/** `[[name]]` in `from`: by its place, else by its name in the project, else in the workspace. Several are ambiguous. */
export function findDocuments(name: string, from: string, paths: readonly string[]): string[] {
  const places = placesOf(name, from).map(keyOf);
  for (const place of name.includes("/") ? places : []) {
    const found = paths.filter((path) => keyOf(path) === place);
    if (found.length > 0) return found;
  }
  if (name.includes("/")) return [];
  const wanted = keyOf(withExtension(name));
  const named = paths.filter((path) => keyOf(path.slice(path.lastIndexOf("/") + 1)) === wanted);
  const project = from.slice(0, from.indexOf("/") + 1);
  const own = named.filter((path) => path.startsWith(project));
  return own.length > 0 ? own : named;
}

const keyOf = (path: string) => path.normalize("NFC").toLowerCase();

function withExtension(path: string): string {
  return /\.md$/i.test(path) ? path : `${path}.md`;
}

/** Undefined outside the workspace. */
function joinPath(file: string, relative: string): string | undefined {
  const parts = file.split("/").slice(0, -1);
  for (const part of relative.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Undefined for a relative one. */
function parseUrl(href: string): URL | undefined {
  try {
    return new URL(href);
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // `50%.md`
  }
}
