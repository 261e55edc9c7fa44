import * as z from "zod";
import { listTags } from "../../index/catalog.ts";
import { UserError } from "../../lib/errors.ts";
import { listNames, quoteName } from "../../lib/escape.ts";
import { withoutId } from "../../markdown/headings.ts";
import { updatedDate } from "../../notes/document.ts";
import { shorten } from "../../notes/short-text.ts";
import { isUnderTag, plainTag } from "../../notes/tag.ts";
import type { Filter } from "../../search/filter.ts";
import { fitPassages } from "../../search/passages.ts";
import type { Passage, SearchResult } from "../../search/results.ts";
import { outdatedInShort } from "../../workspace/outdated.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { count, hint, hintOf, location, metadata, params } from "./params.ts";

/** 1,750 tokens. */
const ANSWER_CHARS = 7_000;
/** Passages get at least this much of it before other results are listed. */
const PASSAGE_CHARS = 2_880;
/** Without a limit: results with all fields, and other ones. */
const SHOWN = { results: 5, others: 5, weak: 3 };
/** For people, who pay for no character but read each. */
const LINES = { words: 64, chars: 300 };
/** So long a first build of the index is waited for. */
const PATIENCE_MS = 2000;
/** Long queries and headings are echoed shortened. */
const MAX_ECHO = 300;
const MAX_HEADING = 120;
const MAX_MISSING = 8;
const MAX_WORD = 40;

const IN_OTHER_WORDS =
  "Most words of the question are in no note: ask in the notes' language, or give their words in `also`.";

const IN_ARCHIVE = "With folder archive, search shows the archived ones.";
const NOT_YET =
  "The repository's documents are being indexed: ask again in some seconds to search them, too.";

const input = () =>
  z.strictObject({
    query: z.string(),
    also: z.array(z.string()).max(8).optional().describe("Words the notes may use"),
    project: params.projectFilter(),
    folder: z.string().optional().describe("E.g. tasks"),
    status: params.status().optional(),
    tag: z.string().optional(),
    limit: z.number().int().min(1).max(100).optional(),
  });

type SearchArguments = z.output<ReturnType<typeof input>>;

const SEARCH = {
  name: "search",
  title: "Search",
  description:
    "Find notes, best first: ask a question, and give two or three synonyms in `also`. " +
    'FTS5 syntax works too ("a phrase", AND, OR, NOT, prefix*, heading:word). ' +
    "`weak`: the notes hardly cover it; say so or reword. " +
    "`others` are less likely. Next: read_doc.",
  access: "read" as const,
  alwaysLoad: true,
  listsAnswer: true,
  input,
  output: () =>
    z.object({
      indexing: z.string().optional().describe("Share of the notes that is searched so far"),
      query: z.string(),
      corrected_query: z.string().optional().describe("What was searched instead"),
      missing_words: z.array(z.string()).optional().describe("Words that nothing matches"),
      weak: z.literal(true).optional(),
      hint: hint(),
      archived_matches: count().optional().describe("Found with folder archive"),
      total_matches: count(),
      results: z.array(
        z.object({
          ...location(),
          heading: heading(),
          snippet: z.string(),
          score: z.number(),
          more: count().describe("Further matches in it"),
          outdated: outdated(),
          metadata: z.object(metadata()),
        }),
      ),
      others: z.array(z.object({ path: z.string(), outdated: outdated() })).optional(),
    }),
};

export const searchTool = defineTool({ ...SEARCH, handle: answerSearch });

const heading = () => z.string().nullable();
const outdated = () => z.string().optional();

type SearchContext = Pick<ToolContext, "workspace"> & { current: Pick<ToolContext["current"], "project"> };

export async function answerSearch(args: SearchArguments, context: SearchContext) {
  const limit = args.limit ?? SHOWN.results + SHOWN.others;
  const { head, results } = await find({ ...args, limit }, context, PATIENCE_MS);
  // What hardly answers is no reason to read on.
  const shown = results.slice(0, args.limit ?? (head.weak ? SHOWN.weak : SHOWN.results));
  return fitted(head, marked(context, shown), head.weak ? [] : results.slice(shown.length));
}

/** For people: each result with some lines. */
export const searchForPeople = defineTool({
  ...SEARCH,
  handle: async (args: SearchArguments, context: ToolContext) => {
    const { head, results } = await find(args, context);
    const shown = marked(context, results);
    return { ...head, results: shown.map((result) => listedResult(result, result.passage(LINES))) };
  },
});

async function find(
  { query, also, limit = SHOWN.results, ...filters }: SearchArguments,
  { workspace, current }: SearchContext,
  patience?: number,
) {
  const filter = resolveFilter(filters, workspace);
  const request = { query, also, limit, filter, preferred: current.project() };
  const { corrected, missing, archived, isWeak, isForeign, isPartial, indexing, total, results } =
    await workspace.search(request, patience);
  const isKnown = total > 0 || filter.tag === undefined || indexing !== undefined;
  const unknown = isKnown ? null : await unknownTag(workspace, filter);
  const isUnknown = isForeign && !isPartial && (isWeak || total === 0);
  const head = {
    ...(indexing !== undefined && { indexing }),
    query: shorten(query, MAX_ECHO),
    ...(corrected !== null && { corrected_query: corrected }),
    ...hintOf(
      unknown,
      isUnknown ? IN_OTHER_WORDS : null,
      isPartial ? NOT_YET : null,
      archived > 0 ? IN_ARCHIVE : null,
    ),
    // With an unknown tag, nothing is searched.
    ...(unknown === null &&
      missing.length > 0 && {
        missing_words: missing.slice(0, MAX_MISSING).map((word) => shorten(word, MAX_WORD)),
      }),
    ...(isWeak && { weak: true as const }),
    ...(archived > 0 && { archived_matches: archived }),
    total_matches: total,
  };
  return { head, results };
}

/** A result with what no longer holds of it, in short. */
type Found = SearchResult & { outdated: string };

function marked({ workspace }: SearchContext, results: readonly SearchResult[]): Found[] {
  return results.map((result) => ({ ...result, outdated: outdatedInShort(workspace, result) }));
}

/** The answer in its room: passages first, then as many of the others as still fit. */
function fitted<Head extends object>(head: Head, shown: Found[], rest: SearchResult[]) {
  const empty = {
    ...head,
    results: shown.map((result) => listedResult(result, { text: "", heading: null })),
  };
  const others = rest.map(({ path, lapse }) => ({ path, ...(lapse && { outdated: lapse }) }));
  const room = ANSWER_CHARS - sizeOf(empty);
  const passages = fitPassages(shown, Math.min(room, Math.max(room - sizeOf({ others }), PASSAGE_CHARS)));
  const results = shown.map((result, at) => {
    return listedResult(result, passages[at] ?? { text: "", heading: result.heading });
  });
  const answer = { ...head, results };
  while (others.length > 0 && sizeOf({ ...answer, others }) > ANSWER_CHARS) others.pop();
  return others.length === 0 ? answer : { ...answer, others };
}

function sizeOf(value: object): number {
  return JSON.stringify(value).length;
}

export type SearchToolAnswer = ToolAnswer<typeof searchTool>;

function resolveFilter(filter: Filter, workspace: Workspace): Filter {
  const project = filter.project === undefined ? undefined : workspace.findProject(filter.project);
  const tag = filter.tag === undefined ? undefined : plainTag(filter.tag);
  if (tag === "") throw new UserError("INVALID_ARGUMENT", "'tag' is empty. Leave it out to search all tags.");
  return { ...filter, project, tag };
}

async function unknownTag(workspace: Workspace, { tag = "", project }: Filter): Promise<string | null> {
  const tags = await workspace.index.query((db) => listTags(db, project));
  if (tags.some((one) => isUnderTag(one, tag))) return null;
  const known = tags.length === 0 ? "there are no tags" : `tags are ${listNames(tags)}`;
  return `No document has the tag ${quoteName(tag)}; ${known}.`;
}

function listedResult(result: Found, passage: Passage) {
  const { project, folder, filename, path, more, type, status, outdated } = result;
  return {
    project,
    folder,
    filename,
    path,
    heading: shortHeading(passage.heading),
    snippet: passage.text,
    score: Number(result.score.toPrecision(4)),
    more,
    ...(outdated && { outdated }),
    metadata: { type, status, updated: updatedDate(result) },
  };
}

function shortHeading(heading: string | null): string | null {
  return heading === null ? null : shorten(withoutId(heading), MAX_HEADING);
}
