import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { CLOSE, OPEN } from "../../lib/marks.ts";
import { type DocumentLocation, documentPath } from "../../notes/document.ts";
import { documentMetadata } from "../../workspace/read.ts";
import { listTasks } from "../../workspace/tasks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { define } from "./define.ts";
import { V1_STATUSES, v1Status } from "./statuses.ts";

const MAX_RESULTS = 1000;
const SNIPPET = { tokens: 64, chars: 400 };

const text = z.string();
const orNull = text.nullable();
const project = text.describe("Project name");
const anyProject = text.optional().describe("Filter by project name");
const status = z.enum(V1_STATUSES).optional().describe("Filter by status");
const metadata = z.object({ type: orNull, updated: text });
const location = { project: text, filename: text, path: text };

export const readTools = [
  define("read", {
    name: "search",
    description:
      'Full-text search over all projects: words, or FTS5 syntax ("a phrase", AND, NOT, auth*, heading:x).',
    input: z.strictObject({
      query: text.describe("Search query"),
      project: anyProject,
      limit: z.number().int().min(1).default(20).describe("Maximum number of results"),
    }),
    output: listOf({ document_path: text, folder: text, heading: orNull, snippet: text, score: z.number() }),
    handle: async ({ query, project: name, limit }, { workspace }) => {
      const project = name === undefined ? undefined : workspace.findProject(name);
      const filter = { project, archived: true };
      const { results } = await workspace.search({ query, filter, limit: Math.min(limit, MAX_RESULTS) });
      const result = results.map(({ project, path: document_path, folder, heading, passage, score }) => ({
        project_name: project,
        document_path,
        folder,
        heading,
        // Adjacent matches are marked as one, like its phrases.
        snippet: passage(SNIPPET).text.replaceAll(`${CLOSE} ${OPEN}`, " "),
        score: Number(score.toPrecision(3)),
      }));
      return { result };
    },
  }),
  define("read", {
    name: "read_doc",
    description: "Read a complete document from a project.",
    input: z.strictObject({
      project,
      folder: text.describe("Folder name (tasks, plans, sessions, etc.)"),
      filename: text.describe('File name (e.g., "001-setup.md")'),
    }),
    output: z.object({
      ...location,
      folder: text,
      content: orNull,
      exists: z.boolean(),
      error: orNull,
      metadata: metadata.extend({ status: orNull, tags: z.array(text), owner: orNull }).nullable(),
    }),
    handle: (name, { workspace }) => read(workspace, name),
  }),
  define("read", {
    name: "list_tasks",
    description: "List tasks from a project or across all projects.",
    input: z.strictObject({ project: anyProject, status }),
    output: listOf({ path: text, filename: text, status: orNull, owner: orNull, updated: text }),
    handle: async ({ project: name, status: filter }, { workspace }) => {
      const project = name === undefined ? undefined : workspace.findProject(name);
      const tasks = await listTasks(workspace, project);
      const shown = tasks.filter(({ status }) => filter === undefined || v1Status(status) === filter);
      const result = shown.map(({ project: project_name, path, filename, status, owner, updated }) => {
        return { project_name, path, filename, status: v1Status(status), owner, updated };
      });
      return { result };
    },
  }),
  define("read", {
    name: "get_plan",
    description: "Read the execution plan for a project.",
    input: z.strictObject({
      project,
      filename: text.default("execution-plan.md").describe("Plan file name"),
    }),
    output: z.object({ ...location, exists: z.boolean(), metadata: metadata.nullable(), content: orNull }),
    handle: (name, { workspace }) => {
      const plan = { ...name, folder: "plans" };
      const { project, filename, path, exists, content, ...rest } = read(workspace, plan);
      const metadata = rest.metadata && { type: rest.metadata.type, updated: rest.metadata.updated };
      return { project, filename, path, exists, metadata, content };
    },
  }),
];

/** The earlier server returned a bare list, which structured content wraps as `result`. */
function listOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object({ result: z.array(z.object({ project_name: text, ...shape })) });
}

/** A missing document is an answer here, not an error. */
function read(workspace: Workspace, name: DocumentLocation) {
  try {
    const document = workspace.read(name);
    const { project, folder, filename, path, text: content } = document;
    const found = documentMetadata(document);
    const metadata = { ...found, status: v1Status(found.status) };
    return { project, folder, filename, path, metadata, content, exists: true, error: null };
  } catch (error) {
    const missing = ["PROJECT_NOT_FOUND", "INVALID_FOLDER", "FILE_NOT_FOUND"];
    if (!(error instanceof UserError) || !missing.includes(error.code)) throw error;
    const nothing = { metadata: null, content: null, exists: false, error: "Document not found" };
    return { ...name, path: documentPath(name), ...nothing };
  }
}
