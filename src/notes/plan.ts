import { eachMarkdownLine } from "../markdown/lines.ts";
import { findNamedSection, type Outline, outlineOf, SECTION_NAMES } from "./section-names.ts";
import { isTaskStatus, normalizeStatus } from "./status.ts";
import { splitList } from "./words.ts";

/** The counts of the lines under Current Status; `task_count` is their sum. */
export interface ParsedPlan {
  overview: string;
  task_count: number;
  pending: number;
  in_progress: number;
  done: number;
  blocked: number;
}

type Bucket = "pending" | "in_progress" | "done" | "blocked";

const LIST_MARKER = /^[ \t]{0,40}(?:[-*+]|\d{1,9}[.)])[ \t]/;
// `003` is a task number, `3` is a count.
const COUNT = /^(0|[1-9]\d{0,8})(?: ?(?:tasks?|tareas?|件|個))?\.?$/i;

export function parsePlan(text: string, bodyOffset: number): ParsedPlan {
  const outline = outlineOf(text, bodyOffset);
  const overview = findNamedSection(outline, SECTION_NAMES.overview);
  const counts = countStatusLines(outline);
  return {
    overview: overview === null ? "" : text.slice(overview.bodyStart, overview.end).trim(),
    task_count: counts.pending + counts.in_progress + counts.done + counts.blocked,
    ...counts,
  };
}

function countStatusLines(outline: Outline): Record<Bucket, number> {
  const counts = { pending: 0, in_progress: 0, done: 0, blocked: 0 };
  const section = findNamedSection(outline, SECTION_NAMES.currentStatus);
  if (section === null) return counts;
  for (const line of eachMarkdownLine(outline.text, section.bodyStart, section.end)) {
    const colon = line.region === "text" ? line.text.search(/[:：]/) : -1;
    if (colon === -1) continue;
    const status = normalizeStatus(line.text.slice(0, colon).replace(LIST_MARKER, ""));
    if (!isTaskStatus(status)) continue;
    counts[status === "in-progress" ? "in_progress" : status] += countTasks(line.text.slice(colon + 1));
  }
  return counts;
}

function countTasks(list: string): number {
  const plain = list.replace(/[*`]/g, "").trim();
  const count = COUNT.exec(plain)?.[1];
  return count === undefined ? splitList(plain).length : Number(count);
}
