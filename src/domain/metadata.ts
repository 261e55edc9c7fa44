import { isDateOrDateTime } from "./calendar.ts";
import { normalizeStatus } from "./status.ts";
import { shorten } from "./words.ts";

/** The known fields of a frontmatter; a value of the wrong kind counts as absent. */
export interface Metadata {
  title: string | null;
  type: string | null;
  status: string | null;
  /** `YYYY-MM-DD` or an ISO date-time, as written. */
  updated: string | null;
  tags: string[];
  owner: string | null;
}

export function readMetadata(data: Record<string, unknown>): Metadata {
  const status = textOf(data["status"]);
  const updated = textOf(data["updated"]);
  const owner = data["owner"];
  return {
    title: textOf(data["title"]),
    type: textOf(data["type"]),
    status: status === null ? null : normalizeStatus(status),
    updated: updated !== null && isDateOrDateTime(updated) ? updated : null,
    tags: readTags(data["tags"]),
    owner: typeof owner === "number" ? String(owner) : textOf(owner),
  };
}

function readTags(value: unknown): string[] {
  const items = Array.isArray(value) ? value : typeof value === "string" ? value.split(/[,、，]/) : [value];
  const tags = items.filter(isScalar).map((item) => shorten(String(item).trim().toLowerCase(), MAX_CHARS));
  return [...new Set(tags)].filter((tag) => tag !== "");
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Longer than any field that somebody wrote as such; what is longer would fill every list that shows it. */
const MAX_CHARS = 200;

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? shorten(value.trim(), MAX_CHARS) : null;
}
