import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { updatedDate } from "../../notes/document.ts";
import { shorten } from "../../notes/words.ts";
import type { Filter } from "../../search/rank.ts";
import type { SearchResult } from "../../search/search.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { count, limit, location, metadata, params } from "./params.ts";

/** About 2,500 tokens: more results mean shorter snippets. */
const ANSWER_CHARS = 10_000;
/** Long queries and headings are echoed shortened. */
const MAX_ECHO = 300;
const MAX_HEADING = 120;

export const searchTool = defineTool({
  name: "search",
  title: "Search",
  description:
    "Find notes by words, a question or FTS5 syntax " +
    '("a phrase", AND, OR, NOT, prefix*, heading:word), best document first. Name the project if you know it. Next: read_doc.',
  access: "read",
  input: () =>
    z.strictObject({
      query: z.string().describe("E.g. bearer token rotation"),
      project: params.projectFilter(),
      folder: z.string().optional().describe("E.g. tasks"),
      status: params.status().describe("Task status"),
      tag: z.string().optional().describe("E.g. backend"),
      limit: limit(20, 100).describe("Maximum results"),
    }),
  output: () =>
    z.object({
      query: z.string(),
      corrected_query: z.string().optional().describe("The query actually searched, if a word was unknown"),
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
  handle: async ({ query, limit, ...filters }, { workspace, current }) => {
    const filter = resolveFilter(filters, workspace);
    const echo = shorten(query, MAX_ECHO);
    const maxChars = ANSWER_CHARS - JSON.stringify(echo).length;
    const { corrected, total, results } = await workspace.search({
      query,
      limit,
      filter,
      preferred: current.project(),
      maxChars,
    });
    return {
      query: echo,
      ...(corrected !== null && { corrected_query: corrected }),
      total_matches: total,
      results: results.map(listedResult),
    };
  },
});

export type SearchToolAnswer = ToolAnswer<typeof searchTool>;

function resolveFilter(filter: Filter, workspace: Workspace): Filter {
  const project = filter.project === undefined ? undefined : workspace.findProject(filter.project);
  const tag = filter.tag?.trim().toLowerCase();
  if (tag === "") throw new UserError("INVALID_ARGUMENT", "'tag' is empty. Leave it out to search all tags.");
  return { ...filter, project, tag };
}

function listedResult(result: SearchResult) {
  const { project, folder, filename, path, snippet, more, type, status } = result;
  const heading = result.heading === null ? null : shorten(result.heading, MAX_HEADING);
  const score = Number(result.score.toPrecision(4));
  const metadata = { type, status, updated: updatedDate(result) };
  return { project, folder, filename, path, heading, snippet, score, more, metadata };
}
