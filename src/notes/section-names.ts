import { findHeadings, type Heading, outlineText } from "../markdown/headings.ts";
import { firstSection, type Section } from "../markdown/sections.ts";
import { core } from "./short-text.ts";

/** The headings with a meaning, in lower case, in the languages of our users. */
export const SECTION_NAMES = {
  objective: ["objective", "objetivo", "目的"],
  context: ["context", "contexto", "コンテキスト", "背景"],
  steps: ["steps", "pasos", "手順", "ステップ"],
  criteria: [
    ...["acceptance criteria", "criteria", "definition of done"],
    ...["criterios de aceptación", "criterios", "受け入れ基準", "完了条件"],
  ],
  overview: ["overview", "resumen", "visión general", "概要"],
  currentStatus: ["current status", "estado actual", "現在の状況"],
} as const;

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

export function isNamed(heading: Heading, names: readonly string[]): boolean {
  return names.includes(core(heading.text.normalize("NFKC")).toLowerCase().replace(/\s+/g, " "));
}
