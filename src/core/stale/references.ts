import { lineCounter } from "../lib/text.ts";
import { linksWithin } from "../markdown/links.ts";
import { eachProse } from "../markdown/prose.ts";

/** A path that a document names, in backticks or by a link. */
export interface Reference {
  /** From 1. */
  line: number;
  /** As written, without the number of a line, with `/`. */
  path: string;
  isLink: boolean;
}

const MAX_REFERENCES = 2_000;
const MAX_CHARS = 300;
const CODE_SPAN = /(?<!`)(`+)(?!`)(.{1,400}?)(?<!`)\1(?!`)/gs;
const GLANCE = /`([^`\n]{1,300})`|\]\(<?([^)\s>]{1,300})/g;
/** Behind a path: `:42`, `:42-50`, `:42:7`, `#L42-L50`. */
const PLACE = /(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$/;
/** Nothing hidden: tools keep that on a machine, and in other repositories. */
const PATH = /^(?!\/|[a-z]:|~|-)(?!(?:.*\/)?\.(?!\.?\/))[^\s:*?"<>|{}$()[\],;=@`]+$/i;

/** The paths that a text may name, in order. */
export function referencesIn(text: string, from: number): Reference[] {
  const found: Reference[] = [];
  const lineOf = lineCounter(text);
  for (const prose of eachProse(text, from)) {
    const block = text.slice(prose.start, prose.end);
    const spans = [...block.matchAll(CODE_SPAN)].map(({ 2: said = "", index }) => ({
      at: prose.start + index,
      path: pathOf(said),
      isLink: false,
    }));
    const links = [...linksWithin(text, prose)].map(({ path, start }) => ({
      at: start,
      path: pathOf(path, true),
      isLink: true,
    }));
    for (const { at, path, isLink } of [...spans, ...links].sort((a, b) => a.at - b.at)) {
      if (path === undefined) continue;
      found.push({ line: lineOf(at), path, isLink });
      if (found.length === MAX_REFERENCES) return found;
    }
  }
  return found;
}

/** What a text may name, at a glance: neither all of it, nor in its place. */
export function pathsAtAGlance(text: string): string[] {
  return [...text.matchAll(GLANCE)].flatMap(
    ([, span, link = ""]) => (span === undefined ? pathOf(link, true) : pathOf(span)) ?? [],
  );
}

/** Only what looks like a path: with a folder or an extension; outside links, the name of a folder alone may be any folder's. */
function pathOf(said: string, isLink = false): string | undefined {
  const path = said.trim().replace(PLACE, "").replaceAll("\\", "/");
  const isLike = isLink ? /[/.]/.test(path) : /\/[^/]|\.\w/.test(path);
  return path.length <= MAX_CHARS && PATH.test(path) && isLike ? path : undefined;
}
