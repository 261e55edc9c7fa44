import type { linksNaming } from "../index/links.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { pathKey } from "../lib/file-names.ts";
import { pauses } from "../lib/pauses.ts";
import { compareText } from "../lib/text.ts";
import { brokenBy, type Move } from "../notes/link/rewrite.ts";
import { gateOf } from "../storage/path-gate.ts";
import { type ReadFile, readFile } from "../storage/read.ts";

/** The other documents with links that the move of these paths may break, by the links that name them. */
export async function linkSources(
  links: ReturnType<typeof linksNaming>,
  paths: readonly string[],
  move: Move,
): Promise<string[]> {
  const moved = new Set(paths);
  const sources = new Set<string>();
  const pause = pauses();
  for (const { source, ...link } of links) {
    await pause();
    if (!moved.has(source) && !sources.has(source) && brokenBy(move, source, link) !== null)
      sources.add(source);
  }
  return [...sources].sort(compareText);
}

/** A document with links. */
export interface LinkingDocument {
  /** Before the move. */
  path: string;
  /** Where it was read. */
  at: string;
  content: ReadFile;
  /** Its text, or the one that it gets with the move. */
  text: string;
}

/** Undefined if it is gone. */
export function readSource(
  root: string,
  { path, at }: Pick<LinkingDocument, "path" | "at">,
): LinkingDocument | undefined {
  const read = readFile(gateOf(root), at);
  if (read === undefined) return undefined;
  return { path, at, content: read, text: read.text };
}

/** To move the file behind a link would leave the link without a target. */
export function checkNoLink(root: string, { at, file }: { at: string; file: string }): void {
  const place = gateOf(root).partsOf(file).join("/");
  if (pathKey(place) === pathKey(at)) return;
  const message = `${quoteName(at)} is a link on the disk. Name the file that it leads to: ${quoteName(place)}.`;
  throw new UserError("INVALID_PATH", message, { details: { path: at, suggestions: [place] } });
}
