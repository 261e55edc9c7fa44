import type { DocumentRow } from "../../index/catalog.ts";
import { localMinute } from "../../lib/clock.ts";
import { withoutId } from "../../markdown/headings.ts";
import { quoteBlock, quoteInline, quotePath, shortenQuoted } from "../../notes/quote.ts";
import { type Claim, claimEnd } from "../../notes/task/claim.ts";
import type { WorkspaceTask } from "../tasks.ts";
import type { Facts } from "./facts.ts";

/** `004 - “Add login”`, or the file's name for a task without a number. */
export function taskLabel({ number, filename, title }: WorkspaceTask): string {
  return `${number ?? quotePath(filename)} - ${quoteInline(withoutId(title))}`;
}

/** The end of a claim in local time. */
export function claimTime(until: string): string {
  return localMinute(new Date(claimEnd(until)));
}

/** `“bo” until 2026-11-24T18:05+14:00` */
export function heldBy({ owner, until }: Claim): string {
  return `${quoteInline(owner)} until ${claimTime(until)}`;
}

/** A document without its frontmatter. */
export function quoteDocument({ read }: Facts, path: string): string {
  const document = read(path);
  return document === null ? unreadable(path) : quoteBlock(document.text.slice(document.facts.bodyOffset));
}

/** Quoted in at most `limit` characters. */
export function quoteText(text: string, limit: number): string {
  return shortenQuoted(quoteBlock(text), limit);
}

/** How to read a whole document. */
export function readHint({ path }: Pick<DocumentRow, "path">): string {
  return `Read the rest with read_doc: path ${quotePath(path)}.`;
}

/** How to list all tasks of a status. */
export function listHint(project: string, status: string): string {
  return `List all of them with list_tasks: project ${quotePath(project)}, status ${status}.`;
}

export function unreadable(path: string): string {
  return `(${quotePath(path)} cannot be read now)`;
}
