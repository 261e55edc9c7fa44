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
/** Behind a path: `:42`, `:42-50`, `:42:7`, `#L42-L50`. */
const PLACE = /(?::\d+(?:[-:]\d+)?|#L\d+(?:-L?\d+)?)$/;
/** Nothing hidden: tools keep that on a machine, and in other repositories. */
const PATH = /^(?!\/|[a-z]:|~|-)(?!(?:.*\/)?\.(?!\.?\/))[^\s:*?"<>|{}$()[\],;=@`]+$/i;

/** The paths that a text may name, in order. */
export function* referencesIn(text: string, from: number): Generator<Reference> {
  const lineOf = lineCounter(text);
  let left = MAX_REFERENCES;
  for (const prose of eachProse(text, from)) {
    const spans = [...text.slice(prose.start, prose.end).matchAll(CODE_SPAN)];
    const said = [
      ...spans.map(({ 2: said = "", index }) => ({ at: prose.start + index, said, isLink: false })),
      ...[...linksWithin(text, prose)].map(({ path, start }) => ({ at: start, said: path, isLink: true })),
    ];
    for (const { at, said: written, isLink } of said.sort((a, b) => a.at - b.at)) {
      const path = pathOf(written, isLink);
      if (path !== undefined && left-- > 0) yield { line: lineOf(at), path, isLink };
    }
  }
}

/** Only what looks like a path: with a folder or an extension; outside links, the name of a folder alone may be any folder's. */
function pathOf(said: string, isLink: boolean): string | undefined {
  const path = said.trim().replace(PLACE, "").replaceAll("\\", "/");
  const isLike = isLink ? /[/.]/.test(path) : /\/[^/]|\.\w/.test(path);
  return path.length <= MAX_CHARS && PATH.test(path) && isLike ? path : undefined;
}
