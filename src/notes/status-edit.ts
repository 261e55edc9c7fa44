import { parseFrontmatter } from "../markdown/frontmatter.ts";
import { mergeFrontmatter } from "../markdown/frontmatter-edit.ts";
import { findHeadings } from "../markdown/headings.ts";
import { lineEnding } from "../markdown/line-endings.ts";
import { findEmptyStatusLine, findStatusLine, type TaskStatus } from "./status.ts";
import { isTaskTitle } from "./task.ts";

/**
 * Writes the status wherever the task has one, else in a new line under its title; no other byte changes.
 * Throws INVALID_ARGUMENT if frontmatter at its limit of 64 KB has no room for it.
 */
export function setTaskStatus(text: string, status: TaskStatus): string {
  const { data, bodyOffset } = parseFrontmatter(text);
  const isInFrontmatter = Object.hasOwn(data, "status");
  const line = findStatusLine(text, bodyOffset);
  if (line === null && !isInFrontmatter) return withStatusLine(text, bodyOffset, status);
  const edited = line === null ? text : text.slice(0, line.valueStart) + status + text.slice(line.valueEnd);
  return isInFrontmatter ? mergeFrontmatter(edited, { status }) : edited;
}

function withStatusLine(text: string, bodyOffset: number, status: TaskStatus): string {
  const empty = findEmptyStatusLine(text, bodyOffset);
  if (empty !== null) return fillStatusLine(text, empty, status);
  const ending = lineEnding(text);
  const titles = findHeadings(text, bodyOffset).filter(({ level }) => level === 1);
  const title = titles.find(isTaskTitle) ?? titles[0];
  const at = title?.end ?? bodyOffset;
  const isNewLine = /(?:^|[\n\uFEFF])$/.test(text.slice(Math.max(0, at - 1), at));
  const before = (isNewLine ? "" : ending) + (title === undefined ? "" : ending);
  const rest = text.slice(at);
  const after = rest === "" || /^[ \t]*\r?\n/.test(rest) ? "" : ending;
  return `${text.slice(0, at)}${before}Status: ${status}${ending}${after}${rest}`;
}

/** `at` is right behind the label. */
function fillStatusLine(text: string, at: number, status: TaskStatus): string {
  const start = text[at] === " " ? at + 1 : at;
  const after = /^(?:\s|$)/.test(text.slice(start, start + 1)) ? "" : " ";
  return `${text.slice(0, start)}${start === at ? " " : ""}${status}${after}${text.slice(start)}`;
}
