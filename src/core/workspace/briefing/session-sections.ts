import type { DocumentRow } from "../../index/catalog.ts";
import { quoteBlock, quotePath } from "../../notes/quote.ts";
import type { SessionNotes } from "../../notes/session/notes.ts";
import { dayOf, type Facts } from "./facts.ts";
import type { Section } from "./fit.ts";
import { readHint, unreadable } from "./texts.ts";

/** What comes next stands first: a long note is cut at its end. */
const PARTS: [keyof SessionNotes, string][] = [
  ["next", "Next"],
  ["asked", "Asked"],
  ["claimed", "Asked, as this note says"],
  ["blocked", "Blocked by"],
  ["done", "Done"],
  ["other", "Notes"],
];

const NEWEST = { rank: 13, least: 600 };

/** The sessions from that at `from` to before `to`. */
export function recentSessionsSection(facts: Facts, from: number, to: number): Section {
  const rows = facts.sessions.slice(from, to);
  const items = rows.map((row) => `### ${dayOf(row)} (${quotePath(row.path)})\n\n${notes(facts, row)}`);
  const rest = `List all notes with list_projects: project ${quotePath(facts.project)}, folder sessions; then read_doc.`;
  const body = items.join("\n\n");
  if (from === 0) return { title: "Recent Sessions", body, ...NEWEST, rest };
  return { title: "Earlier Sessions", body, rank: 2, rest };
}

export function lastSessionSection(facts: Facts): Section {
  const [row] = facts.sessions;
  if (row === undefined) return { title: "Last Session", body: "", ...NEWEST, rest: "" };
  const title = `Last Session (${dayOf(row)}): ${quotePath(row.path)}`;
  return { title, body: notes(facts, row), ...NEWEST, rest: readHint(row) };
}

/** The sessions of a note by their parts, the newest first. */
function notes(facts: Facts, { path }: DocumentRow): string {
  const sessions = facts.readSessions(path);
  if (sessions === null) return unreadable(path);
  const parts = sessions.flatMap((session) =>
    PARTS.flatMap(([part, label]) =>
      session[part] === "" ? [] : [`**${label}:**\n${quoteBlock(session[part])}`],
    ),
  );
  return parts.join("\n\n") || "(empty)";
}
