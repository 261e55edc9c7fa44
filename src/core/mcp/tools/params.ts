import * as z from "zod";
import { escapeInvisible } from "../../lib/escape.ts";
import { normalizeStatus } from "../../notes/task/status-word.ts";
import { TASK_STATUSES } from "../../notes/task/statuses.ts";

/** Models send the number of a task as a number, too. */
const nameOrNumber = () =>
  z.preprocess((value) => (typeof value === "number" ? `${value}` : value), z.string());

/** In the words that notes may use. */
const status = () =>
  z.preprocess(
    (value) => (typeof value === "string" ? normalizeStatus(value) : value),
    z.enum(TASK_STATUSES),
  );

/** By default the one the client works on. */
const project = () => z.string().optional();

/** Parameters of several tools. Clients pay for every word in every session, so names that say it all have no description. */
export const params = {
  project,
  projectFilter: () => z.string().optional().describe("Name (default: all)"),
  folder: () => z.string().describe('E.g. references; "" for root files'),
  /** A document, by its path or by its parts. */
  named: () => ({
    path: z.string().optional().describe("As search and lists give it"),
    project: project(),
    folder: z.string().optional().describe('E.g. tasks; "" for root files'),
    filename: nameOrNumber().optional().describe("Or a task's number"),
  }),
  nameOrNumber,
  task: () => nameOrNumber().describe("Number or filename"),
  tasks: () => z.array(nameOrNumber()).optional(),
  status,
  /** As in claim_task, which describes it. */
  agent: () => z.string().optional(),
  planFilename: () => z.string().default("execution-plan.md").describe("Plan file"),
  /** Some models take no object without a field of a name. */
  frontmatter: () =>
    z
      .record(z.string(), z.unknown())
      .meta({ properties: { tags: { type: "array", items: { type: "string" } } } })
      .optional(),
  /** Both then name each other. */
  supersedes: () => z.string().optional().describe("Path of the note it replaces"),
  expectedHash: () => z.string().optional().describe("The hash you last read"),
  offset: () => z.number().int().min(0).default(0),
};

export const count = () => z.number().int();

export const limit = (fallback: number, max: number) => z.number().int().min(1).max(max).default(fallback);

export const location = () => ({
  project: z.string(),
  folder: z.string(),
  filename: z.string(),
  path: z.string(),
});

export const metadata = () => ({
  type: z.string().nullable(),
  status: z.string().nullable(),
  updated: z.string().nullable().describe("YYYY-MM-DD"),
});

/** What is wrong with a document. */
export const problems = () => ({
  conflicts: z
    .array(z.object({ first: count(), last: count() }))
    .optional()
    .describe("Lines with both sides of a merge"),
  problem: z.string().optional(),
});

/** The id of a change in the history, of however many files. */
export const changeId = () => z.string().optional().describe("restore_doc takes it back");

/** What the client may not expect, and what to do about it. */
export const hint = () => z.string().optional();

/** The field for what there is to say; none if there is nothing. */
export function hintOf(...hints: (string | null)[]): { hint?: string } {
  const said = hints.filter((text) => text !== null);
  return said.length === 0 ? {} : { hint: escapeInvisible(said.join(" ")) };
}

/** The result of a tool that writes a document. */
export const writeResult = () => ({
  success: z.boolean(),
  path: z.string(),
  indexed: z.boolean().describe("Already searchable"),
});
