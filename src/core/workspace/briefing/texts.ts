import { localMinute } from "../../lib/clock.ts";
import { withoutId } from "../../markdown/headings.ts";
import type { DocumentLocation } from "../../notes/document.ts";
import { quoteBlock, quoteInline, quotePath } from "../../notes/quote.ts";
import { shorten } from "../../notes/short-text.ts";
import { type Claim, claimEnd } from "../../notes/task/claim.ts";
import type { WorkspaceTask } from "../tasks.ts";
import type { Facts } from "./facts.ts";
import { MAX_CHARS } from "./fit.ts";

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

/** A document without its frontmatter, quoted and cut to the size of a prompt. */
export function quoteDocument({ read }: Facts, path: string): string {
  const document = read(path);
  if (document === null) return unreadable(path);
  return quoteText(document.text.slice(document.facts.bodyOffset), MAX_CHARS);
}

/** Quoted, and cut if it is longer than `limit`. */
export function quoteText(text: string, limit: number): string {
  return quoteBlock(text.length > limit ? shorten(text.trimStart(), limit) : text);
}

/** How to read a whole document. */
export function readHint({ project, folder, filename }: DocumentLocation): string {
  const place = folder === "" ? '`""`' : quotePath(folder);
  return `Read the rest with read_doc: project ${quotePath(project)}, folder ${place}, filename ${quotePath(filename)}.`;
}

/** How to list all tasks of a status. */
export function listHint(project: string, status: string): string {
  return `List all of them with list_tasks: project ${quotePath(project)}, status ${status}.`;
}

export function unreadable(path: string): string {
  return `(${quotePath(path)} cannot be read now)`;
}
