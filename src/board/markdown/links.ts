import { eachLink } from "../../core/markdown/links.ts";
import { isWiki, placesOf } from "../../core/notes/link/target.ts";
import { projectOf } from "../../core/notes/names.ts";
import { ASSETS, pictureType } from "../../core/notes/pictures.ts";

/** Where a link in a document leads: the server knows the document of a `link`; `text` leads nowhere that the page could show. */
export type LinkTarget =
  | { kind: "here"; heading: string }
  | { kind: "link"; link: string; heading: string }
  | { kind: "external"; url: string }
  | { kind: "text" };

const EXTERNAL = new Set(["http:", "https:", "mailto:"]);

/** The target of `[text](href)`; `href` may be anything. */
export function linkTarget(href: string): LinkTarget {
  const url = parseUrl(href);
  if (url !== undefined)
    return EXTERNAL.has(url.protocol) ? { kind: "external", url: url.href } : { kind: "text" };
  const written = `[](<${href}>)`;
  const link = eachLink(written).next().value;
  if (link === undefined || !/^(?:|.*\.md)$/is.test(link.path)) return { kind: "text" };
  return targetOf(written, link);
}

/** The target of `[[name#heading|alias]]`, and the text to show. */
export function wikiTarget(inner: string): { target: LinkTarget; text: string } {
  const written = `[[${inner}]]`;
  const link = eachLink(written).next().value;
  if (link === undefined) return { target: { kind: "text" }, text: inner };
  const place = [link.path, link.anchor ?? ""].filter((part) => part !== "").join(" › ");
  return { target: targetOf(written, link), text: link.label.trim() || place || inner };
}

/** A picture of the workspace. */
export interface PictureTarget {
  /** Where it may be, the first place first. */
  paths: readonly string[];
  label: string;
}

/** What `![label](href)` or `![[name|label]]` in the document `source` shows; undefined for URLs, and for what is no picture in `assets/`. */
export function pictureTarget(source: string, written: string): PictureTarget | undefined {
  const link = eachLink(written).next().value;
  if (link === undefined) return undefined;
  const isName = isWiki(link.kind) && !link.path.includes("/");
  const named = isName ? [`${projectOf(source)}/${ASSETS}/${link.path}`] : [];
  const paths = [...placesOf(source, link), ...named].filter((path) => pictureType(path) !== null);
  return paths.length === 0 ? undefined : { paths, label: link.label };
}

function targetOf(link: string, { path, anchor }: { path: string; anchor: string | null }): LinkTarget {
  const heading = anchor ?? "";
  if (path !== "") return { kind: "link", link, heading };
  return heading === "" ? { kind: "text" } : { kind: "here", heading };
}

/** Undefined for a relative one. */
function parseUrl(href: string): URL | undefined {
  try {
    return new URL(href);
  } catch {
    return undefined;
  }
}
