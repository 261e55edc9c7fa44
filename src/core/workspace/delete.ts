import { locked } from "../history/interrupted.ts";
import { documentAliases, documentPaths, linksNaming } from "../index/links.ts";
import { lineCounter } from "../lib/text.ts";
import { describeDocument, locateDocument } from "../notes/document.ts";
import { documentLinks } from "../notes/link/links.ts";
import { brokenBy, type Move } from "../notes/link/rewrite.ts";
import { lookupOf } from "../notes/link/target.ts";
import { projectOf } from "../notes/names.ts";
import { change } from "./change/change.ts";
import { checkHash } from "./change/documents.ts";
import { type DocumentName, findDocument } from "./find/document.ts";
import { checkNoLink, linkSources, readSource } from "./link-sources.ts";
import { shownLink } from "./links.ts";
import type { MovedLink } from "./move-plan.ts";
import { readDocument } from "./read.ts";
import type { Workspace } from "./workspace.ts";

type BrokenLink = Omit<MovedLink, "after">;

/** The links of other documents that lead to these alone. */
export async function linksTo(workspace: Workspace, gone: readonly string[]): Promise<BrokenLink[]> {
  const { paths, aliases, links } = await workspace.index.query((db) => ({
    paths: documentPaths(db),
    aliases: documentAliases(db),
    links: linksNaming(db, gone),
  }));
  const leaving = new Set(gone);
  const after = lookupOf(
    paths.filter((path) => !leaving.has(path)),
    aliases.filter(({ path }) => !leaving.has(path)),
  );
  const stays = { newPath: (other: string) => other, exists: () => false, isRepair: false };
  const move: Move = { before: lookupOf(paths, aliases), after, ...stays };
  const sources = await linkSources(links, gone, move);
  return sources.flatMap((source) => brokenLinks(workspace.root, source, move));
}

function brokenLinks(root: string, path: string, move: Move): BrokenLink[] {
  const source = readSource(root, { path, at: path });
  const location = locateDocument(path);
  if (source === undefined || location === null) return [];
  const { text } = source;
  const lineOf = lineCounter(text);
  return documentLinks(text, describeDocument(location, text))
    .filter((link) => brokenBy(move, path, link) !== null)
    .map(({ start, end }) => ({ path, line: lineOf(start), before: shownLink(text.slice(start, end)) }));
}

/**
 * Deletes a document; `change` restores it, undefined if no history is kept. Throws CONFLICT if it is not the version that the
 * caller knows.
 */
export function deleteDocument(
  workspace: Workspace,
  name: DocumentName,
  expectedHash: string,
): Promise<{ path: string; change: string | undefined; broken: BrokenLink[] }> {
  const { root } = workspace;
  const path = findDocument(root, name);
  return locked(workspace.history, [projectOf(path)], async (lockOf) => {
    const document = readDocument(root, path);
    checkHash(document, expectedHash);
    checkNoLink(root, { at: path, file: document.file });
    const broken = await linksTo(workspace, [path]);
    const { id } = await change(workspace, { lockOf }, [{ path, before: document, after: null }]);
    return { path, change: id, broken };
  });
}
