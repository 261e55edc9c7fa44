import type { DocumentRow } from "../../index/catalog.ts";
import { groupBy } from "../../lib/collections.ts";
import { compareText } from "../../lib/text.ts";
import { type Decision, listDecisions } from "../../notes/project/decisions.ts";
import { quoteBlock, quotePath } from "../../notes/quote.ts";
import { sessionEntries } from "../../notes/session/notes.ts";
import { shorten } from "../../notes/short-text.ts";
import { dayOf, documentIn, type Facts, isDecisionRecord, newestSources } from "./facts.ts";
import type { Section } from "./fit.ts";
import { outOfDate, shownPlan } from "./overview.ts";

const SOURCE_SESSIONS = 20;

/** A decision with its document. */
interface RecentDecision extends Decision {
  path: string;
}

export function decisionsSection(facts: Facts): Section {
  let last = "";
  const items = recentDecisions(facts).map(({ path, day, text }) => {
    const from = path === last ? "" : `\nFrom ${quotePath(path)} (${day}):\n`;
    last = path;
    return [`${from}${quoteBlock(text)}`, ...outOfDate(facts.outdated(path, text))].join("\n");
  });
  const rest = `Read a whole document with read_doc: project ${quotePath(facts.project)}.`;
  return { title: "Recent Decisions", body: items.join("\n").trimStart(), rank: 12, least: 600, rest };
}

/** Of all documents that work starts from, the newest first; what two of them say stands once. */
export function recentDecisions(facts: Facts): RecentDecision[] {
  const seen = new Set([""]);
  return sources(facts)
    .flatMap((row) => decisionsIn(facts, row).reverse())
    .sort((a, b) => compareText(b.day, a.day))
    .filter(({ text }) => seen.size < seen.add(text.replace(/^[^\p{L}]+/u, "").trimEnd()).size);
}

/** The newest of each document in at most so many characters, or one; in its own order. */
export function decisionTexts(decisions: readonly RecentDecision[], limit: number) {
  return [...groupBy(decisions, ({ path }) => path)].map(([path, own]) => {
    let room = limit;
    const kept = own.filter(({ text }, at) => {
      room -= text.length;
      return at === 0 || room >= 0;
    });
    const text = kept.toSorted((a, b) => a.at - b.at).map(({ text }) => text);
    return { path, day: own[0]?.day ?? "", text: shorten(text.join("").trimEnd(), limit) };
  });
}

function sources(facts: Facts): DocumentRow[] {
  const started = [documentIn(facts, "", "status.md"), shownPlan(facts)].filter((row) => row !== undefined);
  const present = [...started, ...newestSources(facts)].flatMap((row) => inForce(facts, row));
  const rows = new Set([...present, ...facts.sessions.slice(0, SOURCE_SESSIONS)]);
  return [...rows].sort((a, b) => compareText(dayOf(b), dayOf(a)));
}

/** What was superseded gives way to what came after it; a record that is proposed or rejected is no decision. */
function inForce({ documents, successors, read }: Facts, row: DocumentRow): DocumentRow[] {
  const word = isDecisionRecord(row.path) ? read(row.path)?.facts.standing?.word : undefined;
  if (word === "proposed" || word === "rejected") return [];
  const last = successors(row.path).flatMap((path) => documents.get(path) ?? []);
  return last.length === 0 ? [row] : last;
}

/** Oldest first. */
function decisionsIn({ read }: Facts, row: DocumentRow): RecentDecision[] {
  const document = read(row.path);
  const body = document?.text.slice(document.facts.bodyOffset) ?? "";
  const parts = row.folder === "sessions" ? sessionEntries(body, 0) : [body];
  const found = parts.flatMap((part) => listDecisions(part, dayOf(row)));
  return found.map((decision, at) => ({ ...decision, ...(parts.length > 1 && { at }), path: row.path }));
}
