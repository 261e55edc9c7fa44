import * as z from "zod";
import { firstConflicts } from "../../markdown/conflicts.ts";
import { sectionFinder } from "../../markdown/sections.ts";
import { shortHash } from "../../notes/hash.ts";
import { headingIn } from "../../workspace/find/own-path.ts";
import { followLink, isWrittenLink, linkReport } from "../../workspace/links.ts";
import { type Document, documentMetadata } from "../../workspace/read.ts";
import { namedHere } from "../here.ts";
import { defineTool } from "../tool.ts";
import { findSectionIn } from "./named-section.ts";
import { outdated, outdatedReport } from "./outdated.ts";
import { count, location, metadata, params, problems } from "./params.ts";
import { textPage } from "./text-page.ts";

export const readDocTool = defineTool({
  name: "read_doc",
  title: "Read document",
  description:
    "Read a document, or one section, by the path from search and lists. " +
    "Over 40,000 characters it comes in parts: pass next_offset as offset.",
  access: "read",
  listsAnswer: true,
  searchHint: "open a note or section",
  longAnswers: true,
  input: () =>
    z.strictObject({
      path: z.string().optional().describe("E.g. api/tasks/004-a.md, or [[link]]"),
      from: z.string().optional().describe("Linking document"),
      project: params.project(),
      folder: z.string().optional().describe('If several match; "" for root files'),
      filename: params.nameOrNumber().optional().describe("Or a task's number"),
      section: z.string().optional().describe("Heading, e.g. Decisions"),
      offset: params.offset(),
    }),
  output: () =>
    z.object({
      ...location(),
      metadata: z.object({ ...metadata(), tags: z.array(z.string()), owner: z.string().nullable() }),
      hash: z.string().describe("Pass it as expected_hash"),
      content: z.string(),
      truncated: z.boolean().optional(),
      total_chars: count().optional(),
      next_offset: count().optional(),
      ...problems(),
      outdated: outdated(),
      backlinks: z.object({ total: count(), paths: z.array(z.string()) }).optional(),
      broken_links: z
        .array(
          z.object({
            link: z.string(),
            line: count(),
            reason: z.enum(["missing", "ambiguous", "heading"]),
            candidates: z.array(z.string()).optional().describe("What may be meant"),
          }),
        )
        .optional(),
    }),
  handle: async ({ from, ...args }, { workspace, current, parts }) => {
    const { path = "", offset } = args;
    const project = args.project ?? (from === undefined ? current.project() : undefined);
    const link = isWrittenLink(path) ? await followLink(workspace, path, { project, from }) : undefined;
    const document = await workspace.readAny(link ?? (await namedHere(args, current)));
    const anchor = link ? link.anchor : headingIn(path || `${args.filename}`, document.path);
    workspace.noteNews.follow(document.path, () => document);
    const section = args.section ?? sectionAt(document, anchor);
    const part = partOf(document, { section, offset });
    const start = offset + (section === undefined ? 0 : findSectionIn(document, section).heading.start);
    parts.note(document, [start, start + part.content.length]);
    if (args.offset > 0) return part;
    return {
      ...part,
      ...(await outdatedReport(workspace, document)),
      ...(await linkReport(workspace, document)),
    };
  },
});

/** The section that a link names; one that leads to none reads the whole document. */
function sectionAt({ text, facts }: Document, anchor: string | undefined): string | undefined {
  const isThere = anchor !== undefined && sectionFinder(text, facts.bodyOffset)(anchor).length > 0;
  return isThere ? anchor : undefined;
}

/** The document, or a part of it, without its links, which need the index. */
export function partOf(
  document: Document,
  { section, offset }: { section?: string | undefined; offset: number },
) {
  const { project, folder, filename, path, hash } = document;
  const text = section === undefined ? document.text : sectionText(document, section);
  const metadata = documentMetadata(document);
  const { problem } = document.facts;
  const page = { ...pageOf(text, offset), ...conflictsOf(document), ...(problem !== null && { problem }) };
  return { project, folder, filename, path, metadata, hash: shortHash(hash), ...page };
}

/** The field for what a merge left in it; none if it is nothing. */
function conflictsOf({ text }: Document) {
  const conflicts = firstConflicts(text);
  return conflicts.length === 0 ? {} : { conflicts };
}

function sectionText(document: Document, name: string): string {
  const { heading, end } = findSectionIn(document, name);
  return document.text.slice(heading.start, end);
}

/** An answer with the whole text says no more than that. */
function pageOf(text: string, offset: number) {
  const page = textPage(text, offset);
  const truncated = page.next_offset !== undefined;
  return offset === 0 && !truncated ? { content: text } : { ...page, truncated };
}
