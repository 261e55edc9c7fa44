import { BOX } from "../markdown/box.ts";

const MARKS = new RegExp(`^\\s{0,20}(?:(?:#{1,6}|[-*+>]|\\d{1,9}[.)])\\s{1,8}|${BOX}\\s)*`, "u");

/** A line without the marks of a heading, list, quote or box, of emphasis and code, and of links. */
export function plainLine(line: string): string {
  return line
    .replace(MARKS, "")
    .replace(/\[\[(?:[^[\]|\n]{0,300}\|)?([^[\]\n]{0,300})\]\]/g, "$1")
    .replace(/\[([^[\]\n]{0,300})\]\([^()\n]{0,300}\)/g, "$1")
    .replace(/\*\*|__|`|\\(?=[[<`*_#>])/g, "")
    .trim();
}
