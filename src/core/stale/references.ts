import { lineCounter, type Span } from "../lib/text.ts";
import { linksOf } from "../markdown/links.ts";
import { eachProse } from "../markdown/prose.ts";

/** A path that a document names, in backticks or by a link. */
export interface Reference {
  /** From 1. */
  line: number;
  /** As written, without the number of a line, with `/`. */
  path: string;
  isLink: boolean;
  /** What stands around it, over the ends of lines. */
  sentence: string;
}

const MAX_REFERENCES = 2_000;
const MAX_CHARS = 300;
const CODE_SPAN = /(?<!`)(`+)(?!`)(.{1,400}?)(?<!`)\1(?!`)/gs;
/** Behind a path: `:42`, `:42-50`, `:42:7`, `#L42-L50`, `::test_name`. */
const PLACE = /(?<=\.\w+)(?::|#)[^/\s]*$/;
/** A word of a command. */
const FILE = /\/[^/]*\.\w+$/;
const STRUCK = /~~[^~]+~~/g;
const SENTENCE_END = /[.!?](?=\s)|[。！？]/;
/** Nothing hidden: tools keep that on a machine, and in other repositories. */
const PATH = /^(?!\/|[a-z]:|~|-)(?!(?:.*\/)?\.(?!\.?\/))[^\s:*?"<>|{}$()[\],;=@`]+$/i;

/** The paths that a text may name, in order. */
export function* referencesIn(text: string, from: number): Generator<Reference> {
  const lineOf = lineCounter(text);
  let left = MAX_REFERENCES;
  for (const prose of eachProse(text, from)) {
    const shown = text.slice(prose.start, prose.end).replace(STRUCK, ({ length }) => " ".repeat(length));
    const spans = [...shown.matchAll(CODE_SPAN)].flatMap(({ 2: said = "", index }) =>
      wordsOf(said).map((word) => ({ at: prose.start + index, said: word, isLink: false })),
    );
    const links = [...linksOf(text, prose)].map(({ path, start }) => ({
      at: start,
      said: path,
      isLink: true,
    }));
    for (const { at, said, isLink } of [...spans, ...links].sort((a, b) => a.at - b.at)) {
      const path = pathOf(said, isLink);
      if (path !== undefined && left-- > 0)
        yield { line: lineOf(at), path, isLink, sentence: sentenceAt(text, prose, at) };
    }
  }
}

/** A path, or the files that a command names: `bash scripts/run.sh --all`. */
function wordsOf(said: string): string[] {
  const words = said.trim().split(/\s+/);
  return words.length === 1 ? words : words.filter((word) => FILE.test(word));
}

function sentenceAt(text: string, { start, end }: Span, at: number): string {
  const before = text.slice(Math.max(start, at - MAX_CHARS), at).split(SENTENCE_END);
  const after = text.slice(at, Math.min(end, at + MAX_CHARS)).split(SENTENCE_END);
  return `${before.at(-1)}${after[0]}`;
}

/** Only what looks like a path: with a folder or an extension; outside links, the name of a folder alone may be any folder's. */
function pathOf(said: string, isLink: boolean): string | undefined {
  const path = said.replace(PLACE, "").replaceAll("\\", "/");
  const isLike = isLink ? /[/.]/.test(path) : /\/[^/]|\.\w/.test(path);
  return path.length <= MAX_CHARS && PATH.test(path) && isLike ? path : undefined;
}
