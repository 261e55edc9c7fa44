import { documentAliases, documentPaths, linksNaming } from "../index/links.ts";
import { remember } from "../lib/collections.ts";
import type { UserError } from "../lib/errors.ts";
import { pathKey } from "../lib/file-names.ts";
import { pauses } from "../lib/pauses.ts";
import { lineCounter } from "../lib/text.ts";
import { describeDocument, locateDocument } from "../notes/document.ts";
import { applyEdits, editedLink, type LinkEdit, linkEdits, type Move } from "../notes/link/rewrite.ts";
import { type Alias, lookupOf } from "../notes/link/target.ts";
import { projectOf } from "../notes/names.ts";
import { attempt } from "../storage/fs-errors.ts";
import { gateOf } from "../storage/path-gate.ts";
import { contentOf } from "../storage/read.ts";
import { checkHash } from "./change/documents.ts";
import type { DocumentChange, Terms } from "./change/rules.ts";
import { documentNotFound } from "./find/not-found.ts";
import { checkNoLink, type LinkingDocument, linkSources, readSource } from "./link-sources.ts";
import { shownLink } from "./links.ts";
import { checkMoves, type DocumentMove } from "./move-check.ts";
import type { Workspace } from "./workspace.ts";

/** A link before and after a move; `path` is its document's, after the move. */
export interface MovedLink {
  path: string;
  line: number;
  before: string;
  after: string;
}

export interface MoveResult {
  moved: DocumentMove[];
  edits: MovedLink[];
  /** Links that will break, in files that are not UTF-8 and so are never rewritten. */
  left: Omit<MovedLink, "after">[];
  /** The documents that change or move, by their new paths. */
  changed: string[];
  /** The change in the history, which takes all of it back; undefined if nothing was changed or no history is kept. */
  change?: string | undefined;
  /** What the rules of changes say about it. */
  notes: string[];
}

export interface MoveOptions extends Pick<Terms, "agent"> {
  /** The hash of the one document that moves. */
  expectedHash?: string | undefined;
  /** Gives the text of the one document that moves (default: unchanged); called under the lock. */
  text?: (() => string) | undefined;
  /** Called under the lock before anything changes; throws if the documents should stay. */
  check?: (() => Promise<void>) | undefined;
  /** Only say what would change. */
  dryRun?: boolean;
  /** Another program has moved the documents: only rewrite the links that it broke. */
  isRepair?: boolean;
}

/** What a move reads and may change. */
export interface Scope {
  moves: readonly DocumentMove[];
  move: Move;
  /** The other documents with links that may break. */
  sources: string[];
  /** The paths of all documents that may change, before and after. */
  paths: string[];
}

/** Throws what checkMoves throws. */
export async function findScope(
  workspace: Workspace,
  moves: readonly DocumentMove[],
  { isRepair = false }: MoveOptions,
): Promise<Scope> {
  const moved = moves.flatMap(({ from, to }) => [from, to]);
  const { paths, aliases, links } = await workspace.index.query((db) => ({
    paths: documentPaths(db),
    aliases: documentAliases(db),
    links: linksNaming(db, moved),
  }));
  if (!isRepair) await checkMoves(workspace.root, moves, paths);
  const move = moveOf(workspace.root, moves, { paths, aliases, isRepair });
  const sources = await linkSources(links, moved, move);
  return { moves, move, sources, paths: [...moved, ...sources] };
}

export interface MovePlan {
  result: MoveResult;
  changes: DocumentChange[];
}

/** Throws FILE_NOT_FOUND, CONFLICT and INVALID_ARGUMENT. */
export async function planMove(
  root: string,
  { moves, move, sources }: Scope,
  options: MoveOptions,
): Promise<MovePlan> {
  const pause = pauses();
  const documents = new Map<string, LinkingDocument>();
  for (const each of moves) {
    const source = readMoved(root, each, options);
    documents.set(source.content.file, source);
    await pause();
  }
  for (const path of sources) {
    const source = readSource(root, { path, at: path });
    // It may be another name of the same file, by way of a link on the disk.
    if (source !== undefined && !documents.has(source.content.file))
      documents.set(source.content.file, source);
    await pause();
  }
  const edited: EditedDocument[] = [];
  for (const source of documents.values()) {
    edited.push(editSource(source, move));
    await pause();
  }
  return { result: resultOf(moves, edited), changes: changesOf(moves, edited, move.isRepair) };
}

function readMoved(
  root: string,
  { from, to }: DocumentMove,
  { expectedHash, text, isRepair = false }: MoveOptions,
): LinkingDocument {
  const source = readSource(root, { path: from, at: isRepair ? to : from });
  if (source === undefined) throw notFound(root, isRepair ? to : from);
  const { at, content } = source;
  checkHash({ path: from, hash: content.hash }, expectedHash);
  checkNoLink(root, { at, file: content.file });
  return text === undefined ? source : { ...source, text: text() };
}

function moveOf(
  root: string,
  moves: readonly DocumentMove[],
  { paths, aliases, isRepair }: { paths: readonly string[]; aliases: readonly Alias[]; isRepair: boolean },
): Move {
  const newPaths = new Map(moves.map(({ from, to }) => [from, to]));
  const newPath = (path: string) => newPaths.get(path) ?? path;
  const oldPaths = new Map(isRepair ? moves.map(({ from, to }) => [to, from]) : []);
  const oldPath = (path: string) => oldPaths.get(path) ?? path;
  const before = paths.map(oldPath);
  const named = aliases.map(({ path, alias }) => ({ path: oldPath(path), alias }));
  const renamed = named.map(({ path, alias }) => ({ path: newPath(path), alias }));
  const gate = gateOf(root);
  const exists = remember((path: string) => attempt(() => gate.resolve(path)) !== undefined);
  const after = lookupOf(before.map(newPath), renamed);
  return { before: lookupOf(before, named), after, newPath, exists, isRepair };
}

function notFound(root: string, path: string): UserError {
  return documentNotFound(
    root,
    locateDocument(path) ?? { project: projectOf(path), folder: "", filename: "" },
  );
}

interface EditedDocument extends LinkingDocument {
  edits: LinkEdit[];
}

function editSource(source: LinkingDocument, move: Move): EditedDocument {
  const { path, text } = source;
  const location = locateDocument(path);
  const facts = location === null ? { bodyOffset: 0, task: null } : describeDocument(location, text);
  return { ...source, edits: linkEdits({ path, text, facts }, move) };
}

/** A document is at its new place before it leaves the old one, unless another one has to leave that place first. */
function changesOf(
  moves: readonly DocumentMove[],
  edited: readonly EditedDocument[],
  isRepair: boolean,
): DocumentChange[] {
  const newPaths = new Map(isRepair ? [] : moves.map(({ from, to }) => [from, to]));
  const made: DocumentChange[] = [];
  const replaced: DocumentChange[] = [];
  const removed: DocumentChange[] = [];
  for (const { path, at, content: before, text, edits } of edited) {
    const to = newPaths.get(path);
    const onlyLinks = text === before.text;
    const isRewritten = !onlyLinks || (before.exact && edits.length > 0);
    const after = isRewritten ? contentOf(Buffer.from(applyEdits(text, edits))) : before;
    if (to !== undefined) {
      const mode = before.stats.mode & 0o777;
      made.push({ path: to, before: null, after, mode, from: { path, content: before }, onlyLinks });
      removed.push({ path, before, after: null });
    } else if (after !== before) replaced.push({ path: at, before, after, onlyLinks: true });
  }
  const left = new Set([...newPaths.keys()].map(pathKey));
  const isSwap = [...newPaths.values()].some((path) => left.has(pathKey(path)));
  return isSwap ? [...removed, ...made, ...replaced] : [...made, ...replaced, ...removed];
}

function resultOf(moves: readonly DocumentMove[], edited: readonly EditedDocument[]): MoveResult {
  const newPaths = new Map(moves.map(({ from, to }) => [from, to]));
  const result: MoveResult = {
    ...{ moved: [...moves], edits: [], left: [], notes: [] },
    changed: moves.map(({ to }) => to),
  };
  for (const source of edited) {
    const path = newPaths.get(source.path) ?? source.path;
    const links = shownEdits(source).map((edit) => ({ path, ...edit }));
    for (const { after, ...link } of links) {
      if (source.content.exact) result.edits.push({ ...link, after });
      else result.left.push(link);
    }
    if (source.content.exact && links.length > 0 && !newPaths.has(source.path)) result.changed.push(path);
  }
  return result;
}

function shownEdits({ text, edits }: EditedDocument): Omit<MovedLink, "path">[] {
  const lineOf = lineCounter(text);
  return edits.map((edit) => {
    const { start, before, after } = editedLink(edit, text);
    return { line: lineOf(start), before: shownLink(before), after: shownLink(after) };
  });
}
