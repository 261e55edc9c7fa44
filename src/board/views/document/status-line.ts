import { parseFrontmatter } from "../../../core/markdown/frontmatter.ts";
import { readMetadata } from "../../../core/notes/document.ts";
import { labelsIn } from "../../../core/notes/task/labels.ts";
import { findStatusLine } from "../../../core/notes/task/status.ts";
import { normalizeStatus } from "../../../core/notes/task/status-word.ts";
import { isTaskStatus } from "../../../core/notes/task/statuses.ts";

/**
 * The text of a task with spaces in place of its Status line, which its fields show; a line stays that says more, or something
 * else. Places in the text stay the same.
 */
export function withoutStatusLine(text: string): string {
  const { data, bodyOffset } = parseFrontmatter(text);
  const line = findStatusLine(text, bodyOffset);
  if (line === null) return text;
  const status = normalizeStatus(line.value);
  const isShown = isTaskStatus(status) && (readMetadata(data).status ?? status) === status;
  if (!isShown || /[(（]/.test(line.value)) return text;
  const start = 1 + Math.max(...["\n", "\r"].map((end) => text.lastIndexOf(end, line.valueStart - 1)));
  const end = text.slice(line.valueEnd).search(/[\r\n]|$/) + line.valueEnd;
  if (labelsIn(text.slice(start, end)).length > 1) return text;
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}
