import * as z from "zod";
import { listTags } from "../../index/catalog.ts";
import { UserError } from "../../lib/errors.ts";
import { listNames, quoteName } from "../../lib/escape.ts";
import { updatedDate } from "../../notes/document.ts";
import { shorten } from "../../notes/short-text.ts";
import type { Filter } from "../../search/filter.ts";
import type { SearchResult } from "../../search/results.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { count, hint, hintOf, limit, location, metadata, params } from "./params.ts";

/** 1,800 tokens: more results mean shorter snippets. */
const ANSWER_CHARS = 7_200;
/** What surrounds the results. */
const OTHER_CHARS = 150;
/** The first results get a passage, the others a line. */
const FULL_SNIPPETS = 5;
/** Long queries and headings are echoed shortened. */
const MAX_ECHO = 300;
const MAX_HEADING = { full: 80, line: 40 };
const MAX_MISSING = 8;
const MAX_WORD = 40;

const input = () =>
  z.strictObject({
    query: z.string(),
    also: z.array(z.string()).max(8).optional().describe("Words the notes may use"),
    project: params.projectFilter(),
    folder: z.string().optional().describe("E.g. tasks"),
    status: params.status(),
    tag: z.string().optional(),
    limit: limit(20, 100),
  });

type SearchArguments = z.output<ReturnType<typeof input>>;

export const searchTool = defineTool({
  name: "search",
  title: "Search",
  description:
    "Find notes, best first: ask a question, and give two or three synonyms in `also`. " +
    'FTS5 syntax works too ("a phrase", AND, OR, NOT, prefix*, heading:word). ' +
    "Name the project if you know it. `weak`: the notes hardly cover it; say so or reword. Next: read_doc.",
  access: "read",
  alwaysLoad: true,
  listsAnswer: true,
  input,
  output: () =>
    z.object({
      query: z.string(),
      corrected_query: z.string().optional().describe("The query actually searched, if a word was unknown"),
      missing_words: z.array(z.string()).optional().describe("Words of the query that nothing matches"),
      weak: z.literal(true).optional().describe("Even the best result covers little of the query"),
      hint: hint(),
      total_matches: count(),
      results: z.array(
        z.object({
          ...location(),
          heading: z.string().nullable(),
          snippet: z.string(),
          score: z.number(),
          more: count().describe("Further matches in this document"),
          metadata: z.object(metadata()),
        }),
      ),
    }),
  handle: (args, context) => find(args, context),
});

/** For people: the same search, whose results say why they stand where they do. Agents would pay for that. */
export const explainedSearchTool = () => ({
  ...searchTool,
  handle: (args: SearchArguments, context: ToolContext) => find(args, context, true),
});

async function find(
  { query, also, limit, ...filters }: SearchArguments,
  { workspace, current }: ToolContext,
  explain = false,
) {
  const filter = resolveFilter(filters, workspace);
  const echo = shorten(query, MAX_ECHO);
  // The query may come back twice: as asked and as corrected.
  const maxChars = ANSWER_CHARS - OTHER_CHARS - 2 * JSON.stringify(echo).length;
  const { corrected, missing, isWeak, total, results } = await workspace.search({
    query,
    also,
    limit,
    explain,
    filter,
    preferred: current.project(),
    maxChars,
    fullSnippets: FULL_SNIPPETS,
  });
  const unknown = total > 0 || filter.tag === undefined ? null : await unknownTag(workspace, filter);
  return {
    query: echo,
    ...(corrected !== null && { corrected_query: corrected }),
    ...hintOf(unknown),
    // With an unknown tag, nothing is searched.
    ...(unknown === null &&
      missing.length > 0 && {
        missing_words: missing.slice(0, MAX_MISSING).map((word) => shorten(word, MAX_WORD)),
      }),
    ...(isWeak && { weak: true as const }),
    total_matches: total,
    results: results.map((result, at) =>
      listedResult(result, at < FULL_SNIPPETS ? MAX_HEADING.full : MAX_HEADING.line),
    ),
  };
}

export type SearchToolAnswer = ToolAnswer<typeof searchTool>;

function resolveFilter(filter: Filter, workspace: Workspace): Filter {
  const project = filter.project === undefined ? undefined : workspace.findProject(filter.project);
  const tag = filter.tag?.trim().toLowerCase();
  if (tag === "") throw new UserError("INVALID_ARGUMENT", "'tag' is empty. Leave it out to search all tags.");
  return { ...filter, project, tag };
}

async function unknownTag(workspace: Workspace, { tag = "", project }: Filter): Promise<string | null> {
  const tags = await workspace.index.query((db) => listTags(db, project));
  if (tags.includes(tag)) return null;
  const known = tags.length === 0 ? "there are no tags" : `tags are ${listNames(tags)}`;
  return `No document has the tag ${quoteName(tag)}; ${known}.`;
}

function listedResult(result: SearchResult, maxHeading: number) {
  const { project, folder, filename, path, snippet, more, type, status, reasons } = result;
  const heading = result.heading === null ? null : shorten(result.heading, maxHeading);
  const score = Number(result.score.toPrecision(4));
  const metadata = { type, status, updated: updatedDate(result) };
  return {
    project,
    folder,
    filename,
    path,
    heading,
    snippet,
    score,
    more,
    metadata,
    ...(reasons && { reasons }),
  };
}
