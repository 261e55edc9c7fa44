import { eachMarkdownLine, type MarkdownLine } from "../../markdown/blocks.ts";
import { parseFrontmatter } from "../../markdown/frontmatter.ts";
import { type Heading, outlineText, trackedHeadings } from "../../markdown/headings.ts";
import { isBlank, trimBlankLines } from "../../markdown/lines.ts";
import { appendToSection, appendToText } from "../../markdown/section-edit.ts";
import { firstSection, type Section } from "../../markdown/sections.ts";
import { dayOfLine, fall } from "../days.ts";
import { hasWord, labelKey } from "../short-text.ts";
import { decisionNames } from "../words/section-names.ts";

/** A decision as its document notes it, with the blank lines behind it. */
export interface Decision {
  text: string;
  /** `YYYY-MM-DD` */
  day: string;
  /** Its place in the document. */
  at: number;
}

/** What stands under the headings for decisions, oldest first; one without a date has that of the one before it, else `day`. */
export function listDecisions(text: string, day: string): Decision[] {
  const found = sectionsOf(text).flatMap(({ bodyStart, end }) => itemsOf(text.slice(bodyStart, end)));
  const items = found.map((text, at) => ({ text, at, own: dayOfItem(text) }));
  if (fall(items.map(({ own }) => own))) items.reverse();
  let before = items.find(({ own }) => own !== null)?.own ?? day;
  return items.map(({ text, at, own }) => {
    before = own ?? before;
    return { text, at, day: before };
  });
}

/** The text without what `listDecisions` lists. */
export function withoutDecisions(text: string): string {
  const sections = sectionsOf(text);
  const starts = [0, ...sections.map(({ end }) => end)];
  return starts.map((start, at) => text.slice(start, sections[at]?.heading.start)).join("");
}

function sectionsOf(text: string): Section[] {
  const sections: Section[] = [];
  let heading: Heading | null = null;
  for (const next of trackedHeadings(text)) {
    if (heading !== null && next.level > heading.level) continue;
    if (heading !== null) sections.push({ heading, bodyStart: heading.end, end: next.start });
    heading = isOfDecisions(next) ? next : null;
  }
  if (heading !== null) sections.push({ heading, bodyStart: heading.end, end: outlineText(text).length });
  return sections;
}

/** Headings with the text or the first item below them, paragraphs, rows, and items of lists; each with the lines behind it. */
function itemsOf(body: string): string[] {
  const text = `${trimBlankLines(body)}\n`;
  const starts: number[] = [];
  let below: ReturnType<typeof begunBy> = "item";
  for (const line of eachMarkdownLine(text)) {
    const begun = begunBy(line);
    if (begun === "heading" || (begun !== null && below === "item")) starts.push(line.start);
    if (begun === "heading" || (begun !== null && below === "heading")) below = begun;
  }
  const items = [0, ...starts.slice(1)].map((start, at) => text.slice(start, starts[at + 1]));
  return items.filter(hasWord);
}

function begunBy({ kind, depth, beginsItem }: MarkdownLine): "heading" | "text" | "item" | null {
  if (depth === 0 && kind === "atx") return "heading";
  if (depth === 0 && kind === "paragraph") return "text";
  return kind === "row" || (depth === 1 && beginsItem) ? "item" : null;
}

/** The date may stand below a heading. */
function dayOfItem(text: string): string | null {
  const [first = "", second = ""] = text.split("\n", 4).filter((line) => !isBlank(line));
  return dayOfLine(first) ?? dayOfLine(second);
}

function isOfDecisions(heading: Heading): boolean {
  return decisionNames().has(labelKey(heading.text));
}

/** The text with more decisions in its list of them. */
export function addDecisions(text: string, decisions: readonly string[]): string {
  const headings = trackedHeadings(text, parseFrontmatter(text).bodyOffset);
  const section = firstSection(headings, text.length, isOfDecisions);
  const items = decisions.map((decision) => `- ${decision}`).join("\n");
  return section === null
    ? appendToText(text, `## Decisions\n\n${items}`)
    : appendToSection(text, section, items);
}
