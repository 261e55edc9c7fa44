import * as z from "zod";
import { updatedDate } from "../domain/calendar.ts";
import { shorten } from "../domain/words.ts";
import type { Filter } from "../index/rank.ts";
import type { SearchResult } from "../index/search.ts";
import { UserError } from "../lib/errors.ts";
import { defineTool } from "../tool.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { limit, metadata, params } from "./params.ts";

/** A whole answer stays near 2,500 tokens of 4 characters: more results mean shorter snippets. */
const ANSWER_CHARS = 10_000;
/** A pasted page as a query is answered with its beginning, a long heading likewise. */
const MAX_ECHO = 300;
const MAX_HEADING = 120;

export const searchTool = defineTool({
  name: "search",
  title: "Search",
  description:
    "Full-text search over all notes, best document first. Takes words, a question, a name, or FTS5 syntax " +
    '("a phrase", AND, OR, NOT, prefix*, heading:word). Naming the project finds more. Then read_doc.',
  access: "read",
  input: () =>
    z.strictObject({
      query: z.string().describe("E.g. bearer token rotation"),
      project: params.projectFilter(),
      folder: z.string().optional().describe("E.g. tasks"),
      status: params.status().describe("Of tasks"),
      tag: z.string().optional().describe("E.g. backend"),
      limit: limit(20, 100).describe("Most results"),
    }),
  output: () =>
    z.object({
      query: z.string(),
      corrected_query: z.string().optional().describe("What was searched, where a word was unknown"),
      total_matches: z.number().int(),
      results: z.array(
        z.object({
          project: z.string(),
          folder: z.string(),
          filename: z.string(),
          path: z.string(),
          heading: z.string().nullable(),
          snippet: z.string(),
          score: z.number(),
          more: z.number().int().describe("Further matching passages of this document"),
          metadata: z.object(metadata()),
        }),
      ),
    }),
  handle: async ({ query, limit, ...given }, { workspace, preferred }) => {
    const filter = checkedFilter(given, workspace);
    const echo = shorten(query, MAX_ECHO);
    const maxChars = ANSWER_CHARS - JSON.stringify(echo).length;
    const found = await workspace.search({ query, limit, filter, preferred, maxChars });
    return {
      query: echo,
      ...(found.corrected !== null && { corrected_query: found.corrected }),
      total_matches: found.total,
      results: found.results.map(shownResult),
    };
  },
});

export type SearchToolAnswer = z.output<typeof searchTool.output>;

function checkedFilter(given: Filter, workspace: Workspace): Filter {
  const project = given.project === undefined ? undefined : workspace.findProject(given.project);
  const tag = given.tag?.trim().toLowerCase();
  if (tag === "") throw new UserError("INVALID_ARGUMENT", "'tag' is empty. Leave it out to search all tags.");
  return { ...given, project, tag };
}

function shownResult(result: SearchResult) {
  const { project, folder, filename, path, snippet, score, more, type, status } = result;
  const heading = result.heading === null ? null : shorten(result.heading, MAX_HEADING);
  const updated = updatedDate(result);
  const rounded = Number(score.toPrecision(4));
  return {
    project,
    folder,
    filename,
    path,
    heading,
    snippet,
    score: rounded,
    more,
    metadata: { type, status, updated },
  };
}
