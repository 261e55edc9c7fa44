import * as z from "zod";
import { hasBlob, readBlob } from "../../history/blobs.ts";
import type { History } from "../../history/history.ts";
import { findVersion, listVersions, newText, recordedPaths, type Version } from "../../history/versions.ts";
import { setMostRecent } from "../../lib/collections.ts";
import { diffStart } from "../../lib/diff.ts";
import { listNames, quoteName } from "../../lib/escape.ts";
import { nearest } from "../../lib/text.ts";
import { type Did, whatWasDone } from "../../notes/task/did.ts";
import { readStatuses } from "../../notes/task/status.ts";
import { presentContent } from "../../storage/change-file.ts";
import { contentOf } from "../../storage/read.ts";
import { historyPath } from "../../workspace/find/history-path.ts";
import { defineTool } from "../tool.ts";
import { count, hint, hintOf, limit, params } from "./params.ts";
import { textPage } from "./text-page.ts";

export const historyTool = defineTool({
  name: "history",
  title: "History",
  description:
    "List what this server created, replaced, moved or deleted, newest first. With change: the text before it, and a diff from the present one. Next: restore_doc.",
  access: "read",
  searchHint: "versions, who changed what",
  input: () =>
    z.strictObject({
      project: params.projectFilter(),
      path: z.string().optional().describe("E.g. api/status.md"),
      change: z.string().optional().describe("Its id, as listed"),
      limit: limit(20, 100).describe("Maximum"),
      offset: params.offset().describe("next_offset"),
    }),
  output: () =>
    z.object({
      total: count().optional().describe("Missing if there are too many to count"),
      versions: z.array(
        z.object({
          change: z.string(),
          path: z.string(),
          time: z.string(),
          tool: z.string(),
          client: z.string(),
          agent: z.string().optional(),
          person: z.boolean().optional(),
          kind: z.enum(["created", "replaced", "deleted", "moved"]),
          moved_from: z.string().optional().describe("Its older versions have this path"),
          moved_to: z.string().optional(),
          bytes: count().optional().describe("Without it there is no text to restore"),
          status: z.array(z.string()).optional(),
          did: z
            .array(z.object({ what: z.string(), from: z.string().optional(), to: z.string().optional() }))
            .optional(),
        }),
      ),
      content: z.string().optional(),
      diff: z.string().optional(),
      changed: z.string().optional().describe("Its own diff"),
      total_chars: count().optional(),
      next_offset: count().optional(),
      hint: hint(),
    }),
  handle: async ({ limit, offset, path: given, ...rest }, { workspace: { root, history }, current }) => {
    const project = rest.project ?? current.project();
    const path = given === undefined ? undefined : await historyPath(root, { project, path: given });
    const filter = { ...rest, path };
    const { change } = rest;
    if (change !== undefined) return textOfVersion(history, { path, change, offset });
    const { versions, total, hasMore } = await listVersions(history, filter, { offset, limit });
    return {
      ...(total !== undefined && { total }),
      versions: versions.map((one) => ({ ...listedVersion(root, one), ...changedNote(root, one) })),
      ...(hasMore && { next_offset: offset + limit }),
      ...(total === 0 && path !== undefined && hintOf(await unrecorded(root, path))),
    };
  },
});

async function unrecorded(root: string, path: string): Promise<string> {
  const near = nearest(path, await recordedPaths(root));
  const others =
    near.length === 0 ? "leave out 'path' to see all changes." : `did you mean ${listNames(near)}?`;
  return `Nothing is recorded of ${quoteName(path)}: ${others}`;
}

/** A version as answers show it; `bytes` only if its text is still kept. */
export function listedVersion(root: string, { before, after: _, mode: __, bytes, ...version }: Version) {
  const isKept = before !== null && hasBlob(root, before);
  return { ...version, ...(isKept && { bytes }) };
}

type Changed = { status?: string[]; did?: Did[] };

const MOST_KNOWN = 500;
/** By path and both texts, which never change: a page that follows changes asks for the same ones again. */
const known = new Map<string, Changed>();

/** The status of a note before and after a change of it, and what else that did. */
function changedNote(root: string, one: Version): Changed {
  const { path, kind, before, after, bytes } = one;
  if (kind !== "replaced" || before === null || bytes > MAX_BYTES) return {};
  const key = `${path} ${before} ${after}`;
  const found = known.get(key) ?? compareNote(root, one);
  if (found !== undefined) setMostRecent(known, MOST_KNOWN, [key, found]);
  return found ?? {};
}

/** Undefined if one of the texts is not kept. */
function compareNote(root: string, one: Version): Changed | undefined {
  const { path, before, bytes } = one;
  if (before === null) return undefined;
  const old = readBlob(root, before, bytes);
  const now = newText(root, one);
  if (old === undefined || old === "damaged" || now === undefined) return undefined;
  const { text } = contentOf(old);
  const [from, to] = [text, now].map(statusOf);
  const did = whatWasDone(path, text, now);
  return { ...(from !== to && { status: [from ?? "", to ?? ""] }), ...(did.length > 0 && { did }) };
}

/** Larger files are not compared. */
const MAX_BYTES = 64 * 1024;

function statusOf(text: string): string | null {
  const { frontmatter, line } = readStatuses(text);
  return frontmatter ?? line;
}

async function textOfVersion(
  history: History,
  { offset, ...name }: { path: string | undefined; change: string; offset: number },
) {
  const { root } = history;
  const { found, content } = await findVersion(history, name);
  const { text } = content;
  const present = presentContent(root, found.path);
  const after = newText(root, found);
  return {
    total: 1,
    versions: [listedVersion(root, found)],
    ...textPage(text, offset),
    ...(offset === 0 && { diff: diffStart(present?.text ?? "", text) }),
    ...(offset === 0 && after !== undefined && { changed: diffStart(text, after) }),
  };
}
