import { join } from "node:path";
import * as z from "zod";
import { STANDARD_FOLDERS } from "../../notes/names.ts";
import { createDocument } from "../../workspace/change/documents.ts";
import { initProject } from "../../workspace/init.ts";
import { createTask, logSession, updateTaskStatus } from "../../workspace/project-writes.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { define } from "./define.ts";
import { V1_STATUSES, v1Status } from "./statuses.ts";

const text = z.string();
const project = text.describe("Project name");
const writeResult = { status: text, path: text, absolute_path: text };
const pathsOf = ({ root }: Workspace, path: string) => ({ path, absolute_path: join(root, path) });

export const writeTools = [
  define("write", {
    name: "tool_create_task",
    description: "Create a new task with auto-generated number and standard format.",
    input: z.strictObject({
      project,
      title: text.describe("Task title"),
      objective: text.describe("Task objective"),
      steps: z.array(text).optional().describe("List of steps"),
    }),
    output: z.object({ ...writeResult, task_number: z.number().int(), filename: text }),
    handle: async ({ project, ...fields }, { workspace }) => {
      const task = { ...fields, status: "pending" } as const;
      const { number, filename, path } = await createTask(workspace, workspace.findProject(project), task);
      return { status: "created", task_number: Number(number), filename, ...pathsOf(workspace, path) };
    },
  }),
  define("write", {
    name: "tool_log_session",
    description: "Create or append to today's session log, best under headings Done, Blocked by, Next.",
    input: z.strictObject({ project, content: text.describe("Content to log") }),
    output: z.object({ ...writeResult, date: text }),
    handle: async ({ project, content }, { workspace }) => {
      const { action, date, path } = await logSession(workspace, workspace.findProject(project), { content });
      return { status: action, date, ...pathsOf(workspace, path) };
    },
  }),
  define("write", {
    name: "tool_update_task_status",
    description: "Update the status of a task.",
    input: z.strictObject({
      project,
      task_file: text.describe('Task filename (e.g., "001-setup.md")'),
      new_status: z.enum(V1_STATUSES).describe("New status value"),
    }),
    output: z.object({ ...writeResult, new_status: text }),
    handle: async ({ project: name, task_file: task, new_status: status }, { workspace }) => {
      const project = workspace.findProject(name);
      const { path, status: made } = await updateTaskStatus(workspace, project, { task, status });
      return { status: "updated", new_status: v1Status(made ?? status), ...pathsOf(workspace, path) };
    },
  }),
  define("write", {
    name: "tool_create_doc",
    description: "Create a new document in any project folder; one that exists is never overwritten.",
    input: z.strictObject({
      project,
      folder: text.describe("Folder name"),
      filename: text.describe("File name (.md added if missing)"),
      content: text.describe("Document content"),
    }),
    output: z.object(writeResult),
    handle: async ({ project, folder, filename, content }, { workspace }) => {
      // As a part of the filename, the folder may be new.
      const name = { folder: "", filename: folder === "" ? filename : `${folder}/${filename}` };
      const document = { project: workspace.findProject(project), ...name };
      const { path } = await createDocument(workspace, document, content);
      return { status: "created", ...pathsOf(workspace, path) };
    },
  }),
  define("write", {
    name: "tool_reindex",
    description: "Force a full reindex of all projects. Rarely needed: every call follows the files.",
    input: z.strictObject({}),
    output: z.object({ status: text, document_count: z.number().int() }),
    handle: async (_, { workspace }) => {
      const { scanned } = await workspace.index.sync({ full: true });
      return { status: "reindexed", document_count: scanned };
    },
  }),
  define("write", {
    name: "tool_init_project",
    description: "Initialize a new project with the eight standard folders and a status.md.",
    input: z.strictObject({ project }),
    output: z.object({ ...writeResult, project: text, folders: z.array(text) }),
    handle: async ({ project }, { workspace }) => {
      await initProject(workspace, project);
      const folders = [...STANDARD_FOLDERS];
      return { status: "initialized", project, ...pathsOf(workspace, project), folders };
    },
  }),
];
