import { setTimeout } from "node:timers/promises";
import { indexLookup, linksNaming } from "../index/links.ts";
import { UserError } from "../lib/errors.ts";
import { listNames, quoteName } from "../lib/escape.ts";
import { compareText, lineCounter } from "../lib/text.ts";
import { eachLink } from "../markdown/links.ts";
import { anchorFinder } from "../markdown/sections.ts";
import { documentLinks, type Link } from "../notes/link/links.ts";
import { joinLookups, type LinkTarget, type Lookup, resolveLink } from "../notes/link/target.ts";
import { parseTaskNumber, projectOf } from "../notes/names.ts";
import { repositoryFile } from "../notes/repository-path.ts";
import { shorten } from "../notes/short-text.ts";
import { foreignGraph } from "../storage/foreign-graph.ts";
import { type Document, textReader } from "./read.ts";
import type { Workspace } from "./workspace.ts";

const MAX_LISTED = 10;
/** Links of one document: each costs a few lookups. */
const MAX_CHECKED = 5_000;
const MAX_CANDIDATES = 3;
const MAX_LINK_CHARS = 200;
/** A document is read without its links while the index is built for the first time. */
const WAIT_MS = 5_000;

/** A link that leads to no document, to several, or to a heading that its document does not have. */
export interface BrokenLink {
  /** As written. */
  link: string;
  line: number;
  reason: "missing" | "ambiguous" | "heading";
  /** Documents that may be meant. */
  candidates?: string[];
}

/** The links to and from a document, as far as they are worth a word. */
interface LinkReport {
  backlinks?: { total: number; paths: string[] };
  broken_links?: BrokenLink[];
}

export function linkReport(workspace: Workspace, document: Document): Promise<LinkReport> {
  return ifIndexed(reportFor(workspace, document), {});
}

/** What the index answers; `otherwise` while it is not ready, or if it fails: a document can still be read. */
export async function ifIndexed<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  const caught = answer.catch((error: unknown) => {
    if (error instanceof UserError) return otherwise;
    throw error;
  });
  return Promise.race([caught, setTimeout(WAIT_MS, otherwise, { ref: false })]);
}

async function reportFor(workspace: Workspace, document: Document): Promise<LinkReport> {
  const theirs = await workspace.documentsOf(document.project)?.links(document.path);
  const textOf = textReader(workspace.root);
  const readText = (path: string) =>
    repositoryFile(path) === undefined ? textOf(path) : theirs?.textOf(path);
  return workspace.index.query((db) => {
    const lookup = lookupFrom(indexLookup(db), theirs);
    const links = [...linksNaming(db, [document.path]), ...(theirs?.naming ?? [])];
    const sources = backlinks(links, document.path, lookup);
    const broken = first(MAX_LISTED, eachBrokenLink(document, lookup(document.path), readText));
    const isJudged = broken.length > 0 && foreignGraph(workspace.root, document.project) === null;
    return {
      ...(sources.length > 0 && {
        backlinks: { total: sources.length, paths: sources.slice(0, MAX_LISTED) },
      }),
      ...(isJudged && { broken_links: broken.map((one) => one.broken) }),
    };
  });
}

/** What a link means in a document: first one of its own place, the workspace or the repository. */
function lookupFrom(notes: Lookup, theirs: { lookup: Lookup } | undefined): (source: string) => Lookup {
  if (theirs === undefined) return () => notes;
  const [ofNotes, ofRepository] = [joinLookups(notes, theirs.lookup), joinLookups(theirs.lookup, notes)];
  return (source) => (repositoryFile(source) === undefined ? ofNotes : ofRepository);
}

/** The other documents with one of these links, which name this one, sorted. */
export function backlinks(
  links: ReturnType<typeof linksNaming>,
  path: string,
  lookup: (source: string) => Lookup,
): string[] {
  const sources = new Set<string>();
  for (const { source, ...link } of links) {
    if (source === path || sources.has(source)) continue;
    const target = resolveLink(source, link, lookup(source));
    if (target.kind === "document" && target.path === path) sources.add(source);
  }
  return [...sources].sort(compareText);
}

/** `[[name]]`, or `[text](name.md)`. */
export function isWrittenLink(path: string): boolean {
  const text = path.trim().replace(/^!/, "");
  if (text.startsWith("[[") && text.endsWith("]]")) return true;
  const target = text.indexOf("](") + 2;
  return text.startsWith("[") && text.endsWith(")") && target > 2 && target < text.length - 1;
}

/**
 * Where a link leads to from the document `from`, or from anywhere in `project`. Throws FILE_NOT_FOUND, or
 * INVALID_ARGUMENT with the documents that it may mean.
 */
export async function followLink(
  workspace: Workspace,
  written: string,
  { from, project }: { from?: string | undefined; project?: string | undefined },
): Promise<{ path: string; anchor: string | undefined }> {
  const source = from === undefined ? undefined : await workspace.readAny({ path: from, project });
  const start = source?.path ?? `${project === undefined ? "" : workspace.findProject(project)}/`;
  const link = linkIn(source, written.trim());
  const theirs = await workspace.documentsOf(projectOf(start))?.links(start);
  const target =
    link === undefined
      ? undefined
      : await workspace.index.query((db) =>
          resolveLink(start, link, lookupFrom(indexLookup(db), theirs)(start)),
        );
  if (target?.kind === "document") return { path: target.path, anchor: link?.anchor ?? undefined };
  const candidates = target === undefined || target.kind === "elsewhere" ? [] : target.candidates;
  throw linkProblem(written, target?.kind === "ambiguous", candidates.slice(0, MAX_LISTED));
}

/** A link under the dependencies may also be the name or number of a task, which only its document tells. */
function linkIn(source: Document | undefined, written: string): Link | undefined {
  const own = source === undefined ? [] : documentLinks(source.text, source.facts);
  const same = own.find(({ start, end }) => source?.text.slice(start, end) === written);
  return same ?? eachLink(written).next().value;
}

function linkProblem(written: string, isAmbiguous: boolean, candidates: readonly string[]): UserError {
  const details = { argument: "path", suggestions: candidates };
  const link = quoteName(shownLink(written));
  if (isAmbiguous) {
    const message = `${link} may mean several documents: ${listNames(candidates)}. Pass one of these as 'path'.`;
    return new UserError("INVALID_ARGUMENT", message, { details });
  }
  const near = candidates.length === 0 ? "" : ` Of that name: ${listNames(candidates)}.`;
  return new UserError("FILE_NOT_FOUND", `${link} leads to no document.${near}`, { details });
}

type TextReader = (path: string) => string | undefined;

/** The broken links of a document in order, each once. */
export function* eachBrokenLink(
  document: Pick<Document, "path" | "text" | "facts">,
  lookup: Lookup,
  textOf: TextReader,
): Generator<{ link: Link; target: LinkTarget; broken: BrokenLink }> {
  const { path, text, facts } = document;
  const known = new Set<string>();
  const hasAnchor = anchorReader((target) => (target === path ? text : textOf(target)));
  const lineOf = lineCounter(text);
  for (const link of documentLinks(text, facts)) {
    const written = text.slice(link.start, link.end);
    if (known.has(written)) continue;
    if (known.size === MAX_CHECKED) return;
    known.add(written);
    const target = resolveLink(path, link, lookup);
    const problem = problemOf(link, target, hasAnchor);
    if (problem === null) continue;
    const line = lineOf(link.start);
    yield { link, target, broken: { link: shownLink(written), line, ...problem } };
  }
}

/** On one line. */
export function shownLink(written: string): string {
  return shorten(written.replace(/\s+/g, " "), MAX_LINK_CHARS);
}

type AnchorReader = (path: string, anchor: string) => boolean;

/** Reads each document once; one that cannot be read has every anchor. */
function anchorReader(textOf: TextReader): AnchorReader {
  const finders = new Map<string, (anchor: string) => boolean>();
  return (path, anchor) => {
    let finder = finders.get(path);
    if (finder === undefined) {
      const text = textOf(path);
      finder = text === undefined ? () => true : anchorFinder(text);
      finders.set(path, finder);
    }
    return finder(anchor);
  };
}

function problemOf(
  { kind, path, anchor }: Link,
  target: LinkTarget,
  hasAnchor: AnchorReader,
): Omit<BrokenLink, "link" | "line"> | null {
  if (target.kind === "elsewhere") return null;
  if (target.kind === "document")
    return anchor === null || hasAnchor(target.path, anchor) ? null : { reason: "heading" };
  // A dependency in words, such as "the design review", is no link.
  if (kind === "dependency" && parseTaskNumber(path) === null) return null;
  const candidates = target.candidates.slice(0, MAX_CANDIDATES);
  return { reason: target.kind, ...(candidates.length > 0 && { candidates }) };
}

function first<T>(most: number, items: Iterable<T>): T[] {
  const taken: T[] = [];
  for (const item of items) {
    taken.push(item);
    if (taken.length === most) break;
  }
  return taken;
}
