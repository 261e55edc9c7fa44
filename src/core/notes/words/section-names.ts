import { once } from "../../lib/collections.ts";
import { capitalized } from "../../lib/text.ts";
import { findHeadings, type Heading, outlineText } from "../../markdown/headings.ts";
import { firstSection, type Section } from "../../markdown/sections.ts";
import { core, labelKey } from "../short-text.ts";
import { inAnyLanguage } from "./languages.ts";
import { SESSION_PARTS, type Section as SectionName } from "./type.ts";

/** The headings with a meaning, in lower case. */
export const SECTION_NAMES: Readonly<Record<SectionName, readonly string[]>> = {
  objective: inAnyLanguage(({ sections }) => sections.objective),
  context: inAnyLanguage(({ sections }) => sections.context),
  steps: inAnyLanguage(({ sections }) => sections.steps),
  criteria: inAnyLanguage(({ sections }) => sections.criteria),
  notes: inAnyLanguage(({ sections }) => sections.notes),
  overview: inAnyLanguage(({ sections }) => sections.overview),
  currentStatus: inAnyLanguage(({ sections }) => sections.currentStatus),
};

const keysOf = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(labelKey));
export const decisionNames = once(() => keysOf(inAnyLanguage(({ decisions }) => decisions)));
/** Headings that are read as the same, in notes of any kind and in those of a session. */
const same = once(() => [
  decisionNames(),
  ...[
    ...Object.values(SECTION_NAMES),
    inAnyLanguage(({ labels }) => labels.dependencies),
    inAnyLanguage(({ labels }) => labels.files),
  ].map(keysOf),
]);
const sameInSessions = once(() =>
  SESSION_PARTS.map((part) => keysOf(inAnyLanguage(({ session }) => session[part]))),
);

/** The headings that are read like one of this name, in another language or in other words. */
export function sameHeadings(headings: readonly Heading[], name: string, isSession: boolean): Heading[] {
  const key = labelKey(name);
  const groups = (isSession ? [...sameInSessions(), ...same()] : same()).filter((group) => group.has(key));
  return headings.filter(({ text }) => groups.some((group) => group.has(labelKey(text))));
}

/** The heading that this program writes for a section of this name. */
export function sectionNamed(name: string): string | undefined {
  const names = Object.values(SECTION_NAMES).find((own) => own.includes(name));
  return names?.[0] && capitalized(names[0]);
}

/** The outlined part of a text with its headings, for looking up several sections. */
export interface Outline {
  text: string;
  headings: readonly Heading[];
}

export function outlineOf(text: string, bodyOffset: number): Outline {
  const head = outlineText(text);
  return { text: head, headings: findHeadings(head, bodyOffset) };
}

/** The first section with one of `names`; ignores emphasis, emoji and a final colon in its heading. */
export function findNamedSection(outline: Outline, names: readonly string[]): Section | null {
  return firstSection(outline.headings, outline.text.length, (heading) => isNamed(heading, names));
}

export function isNamed(heading: Pick<Heading, "text">, names: readonly string[]): boolean {
  return names.includes(core(heading.text.normalize("NFKC")).toLowerCase().replace(/\s+/g, " "));
}
