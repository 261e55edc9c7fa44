import type { DocumentRow } from "../../index/catalog.ts";
import { compareText } from "../../lib/text.ts";
import { updatedDate } from "../../notes/document.ts";
import { findDecisions } from "../../notes/project/decisions.ts";
import { quotePath } from "../../notes/quote.ts";
import { withoutBlockMarks } from "../../notes/session/captured-block.ts";
import { sessionDate } from "../../notes/session/file.ts";
import type { SessionNotes } from "../../notes/session/notes.ts";
import { type Facts, recentIn } from "./facts.ts";
import { MAX_CHARS, type Section } from "./fit.ts";
import { quoteText, readHint, unreadable } from "./texts.ts";

const RECENT = 3;
const MAX_NOTE_CHARS = 1_200;
const MAX_DECISIONS_CHARS = 2_500;
/** How many documents of each folder may hold a recent decision. */
const DECISION_SOURCES = { plans: 5, changelog: 5, sessions: 10 };

const PARTS: [keyof SessionNotes, string][] = [
  ["asked", "Asked"],
  ["claimed", "Asked, as this note says"],
  ["done", "Done"],
  ["blocked", "Blocked by"],
  ["next", "Next"],
];

/** The last sessions: done, blocked by and next; `from` skips the newest ones. */
export function recentSessionsSection(facts: Facts, from: number): Section {
  const items = facts.sessions.slice(from, RECENT).map((row) => `${heading(row)}\n\n${notes(facts, row)}`);
  const title = from === 0 ? "Recent Sessions" : "Earlier Sessions";
  const rest = `List all notes with list_projects: project ${quotePath(facts.project)}, folder sessions; then read_doc.`;
  return { title, body: items.join("\n\n"), rank: 3, rest };
}

/** The newest session note in full; what was asked last comes first, since it stands at the end of a long note. */
export function lastSessionSection(facts: Facts): Section {
  const [row] = facts.sessions;
  if (row === undefined) return { title: "Last Session", body: "", rank: 10, rest: "" };
  const body = `${askedLast(facts, row)}${quoteSession(facts, row)}`;
  return {
    title: `Last Session (${dayOf(row)}): ${quotePath(row.path)}`,
    body,
    rank: 10,
    rest: readHint(row),
  };
}

function askedLast(facts: Facts, { path }: DocumentRow): string {
  const { asked = "", claimed = "", next = "" } = facts.readSession(path) ?? {};
  if (asked + claimed === "") return "";
  const parts = [
    ["Asked last", asked],
    ["As this note says, which this machine did not write, they asked", claimed],
    ["Open then", next],
  ] as const;
  return parts
    .map(([label, text]) => (text === "" ? "" : `**${label}:**\n${quoteText(text, MAX_NOTE_CHARS)}\n\n`))
    .join("");
}

function quoteSession({ read }: Facts, { path }: DocumentRow): string {
  const document = read(path);
  if (document === null) return unreadable(path);
  return quoteText(withoutBlockMarks(document.text.slice(document.facts.bodyOffset)), MAX_CHARS);
}

/** The decisions in the newest documents; `quoted` are the sections that hold a document whole, by its path. */
export function decisionsSection(facts: Facts, quoted: ReadonlyMap<string, string> = new Map()): Section {
  const items = recentDecisions(facts).map(({ path, day, text }) => {
    const place = quoted.get(path);
    const from = `From ${quotePath(path)} (${day}):`;
    return place === undefined ? `${from}\n${quoteText(text, MAX_DECISIONS_CHARS)}` : `${from} see ${place}.`;
  });
  const rest = `Read a whole document with read_doc: project ${quotePath(facts.project)}.`;
  return { title: "Recent Decisions", body: items.join("\n\n"), rank: 1, rest };
}

/** What a document says under its headings for decisions. */
export interface Decisions {
  path: string;
  /** `YYYY-MM-DD` */
  day: string;
  text: string;
}

/** Newest first. */
export function recentDecisions(facts: Facts): Decisions[] {
  const status = [...facts.documents.values()].filter((row) => row.folder === "" && row.type === "status");
  const sources = [
    ...recentIn(facts, "plans").slice(0, DECISION_SOURCES.plans),
    ...status,
    ...facts.sessions.slice(0, DECISION_SOURCES.sessions),
    ...recentIn(facts, "changelog").slice(0, DECISION_SOURCES.changelog),
  ].map((row) => ({ path: row.path, day: dayOf(row) }));
  const newestFirst = sources.sort((a, b) => compareText(b.day, a.day));
  return newestFirst.flatMap((source) => {
    const document = facts.read(source.path);
    const text = document === null ? "" : findDecisions(document.text, document.facts.bodyOffset);
    return text === "" ? [] : [{ ...source, text }];
  });
}

function notes(facts: Facts, { path }: DocumentRow): string {
  const parsed = facts.readSession(path);
  if (parsed === null) return unreadable(path);
  const named = PARTS.filter(([part]) => parsed[part] !== "").map(
    ([part, label]) => `**${label}:**\n${quoteText(parsed[part], MAX_NOTE_CHARS)}`,
  );
  if (parsed.other !== "") named.push(`**Notes:**\n${quoteText(parsed.other, MAX_NOTE_CHARS)}`);
  return named.join("\n\n") || "(empty)";
}

function heading(row: DocumentRow): string {
  return `### ${dayOf(row)} (${quotePath(row.path)})`;
}

/** The day in a note's name, else the day the document was updated. */
function dayOf(row: DocumentRow): string {
  return (row.folder === "sessions" ? sessionDate(row.filename) : null) ?? updatedDate(row);
}
