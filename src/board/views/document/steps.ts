import { proseLines, splitFrontmatter } from "../../markdown/text.ts";

const STEPS = /^(?:steps|pasos|手順|ステップ)$/iu;
const CHECKBOX = /^[ \t]{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}\[[ xX]\](?:[ \t]|$)/;

/** The places of the marks of a task's steps, in the order that numbers them from 1: the checkboxes under Steps, outside code. */
export function stepPlaces(text: string): number[] {
  const places: number[] = [];
  let level = 0;
  for (const { start, line } of proseLines(text, splitFrontmatter(text).bodyOffset)) {
    const next = levelAfter(line, level);
    if (next === undefined) return places;
    level = next;
    if (level > 0 && CHECKBOX.test(line)) places.push(start + line.indexOf("[") + 1);
  }
  return places;
}

/** The level of the steps' heading if it is above the next line, 0 if not yet; undefined at the heading that ends them. */
function levelAfter(line: string, level: number): number | undefined {
  const [, marks, name = ""] = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/.exec(line.trimEnd()) ?? [];
  if (marks === undefined) return level;
  if (level > 0) return marks.length <= level ? undefined : level;
  const core = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(name.normalize("NFKC"))?.[0] ?? "";
  return STEPS.test(core) ? marks.length : 0;
}
