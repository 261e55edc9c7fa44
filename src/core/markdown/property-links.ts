import { EVENT_ID, parseEvents, SCALAR_STYLE } from "js-yaml";
import { once } from "../lib/collections.ts";
import type { Span } from "../lib/text.ts";
import { isYaml, parseFrontmatter } from "./frontmatter.ts";
import { type Link, linksWithin } from "./links.ts";
import { lineFields } from "./yaml-lines.ts";

/** How a value is written; `list` is a link that is a list in a list to YAML, `raw` a line that is no YAML. */
type Quoting = "plain" | "list" | "single" | "double" | "raw";

/** The value that a link stands in, with its quotes. */
export interface Scalar extends Span {
  quoting: Quoting;
}

export interface PropertyLink extends Link {
  scalar: Scalar;
}

/** The links in the values of frontmatter, in order: wikilinks and Markdown links, no plain paths. */
export function* eachPropertyLink(text: string, bodyOffset: number): Generator<PropertyLink> {
  if (!/\[\[|\]\(/.test(text.slice(0, bodyOffset))) return;
  const { block, problem } = parseFrontmatter(text);
  if (block === null || !isYaml(text, block)) return;
  const yaml = text.slice(block.yamlStart, block.yamlEnd);
  const pieces = problem === null ? [{ start: 0, end: yaml.length, read: true }] : lineFields(yaml);
  for (const { start, end, read } of pieces) {
    const from = block.yamlStart + start;
    const scalars = read
      ? scalarsOf(yaml.slice(start, end))
      : [{ start: 0, end: end - start, quoting: "raw" as const }];
    for (const { quoting, ...span } of scalars)
      yield* linksOf(text, { start: from + span.start, end: from + span.end, quoting });
  }
}

function scalarsOf(yaml: string): Scalar[] {
  return parseEvents(yaml, {}).flatMap((event): Scalar[] => {
    if (event.type !== EVENT_ID.SCALAR || event.valueStart < 0) return [];
    const { valueStart: start, valueEnd: end, style } = event;
    if (style === SCALAR_STYLE.SINGLE_QUOTED) return [{ start: start - 1, end: end + 1, quoting: "single" }];
    if (style === SCALAR_STYLE.DOUBLE_QUOTED) return [{ start: start - 1, end: end + 1, quoting: "double" }];
    if (style !== SCALAR_STYLE.PLAIN) return [{ start, end, quoting: "raw" }];
    const isLink = yaml.slice(start - 2, start) === "[[" && yaml.slice(end, end + 2) === "]]";
    return isLink
      ? [{ start: start - 2, end: end + 2, quoting: "list" }]
      : [{ start, end, quoting: "plain" }];
  });
}

function* linksOf(text: string, scalar: Scalar): Generator<PropertyLink> {
  const decode = (written: string) => decoded(written, scalar.quoting);
  for (const link of linksWithin(text, scalar))
    yield {
      ...link,
      scalar,
      path: decode(link.path),
      anchor: link.anchor === null ? null : decode(link.anchor),
      label: decode(link.label),
    };
}

function decoded(written: string, quoting: Quoting): string {
  if (quoting === "single") return written.replaceAll("''", "'");
  if (quoting !== "double" || !written.includes("\\")) return written;
  try {
    return String(JSON.parse(`"${written}"`));
  } catch {
    return written; // An escape that only YAML has.
  }
}

/** An item of a list: quotes and signs that mean something only at its start mean nothing inside. */
const item = once(
  () => /^[\p{L}\p{N}_./()-](?:[\p{L}\p{M}\p{N}_./() '&!+@=~%$;-]*[\p{L}\p{M}\p{N}_./()-])?$/u,
);

/** What ends a value that is no item of a list. */
const END_OF_VALUE = /:(?=\s|$)|(?<!\S)#/g;

/** Part of a value as its quotes need it; null if a list cannot hold it without quotes. */
export function encodeIn({ quoting }: Scalar, part: string): string | null {
  if (quoting === "single") return part.replaceAll("'", "''");
  if (quoting === "double") return part.replace(/["\\]/g, "\\$&");
  if (quoting === "list") return item().test(part) ? part : null;
  return quoting === "raw" ? part : part.replace(END_OF_VALUE, (mark) => `&#${mark.charCodeAt(0)};`);
}
