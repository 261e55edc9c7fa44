import { join } from "node:path";
import { localDateTime } from "../../lib/clock.ts";
import { groupBy } from "../../lib/collections.ts";
import { escapeName } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { STANDARD_FOLDERS } from "../../notes/names.ts";
import { quotePath } from "../../notes/quote.ts";
import { isTaskStatus } from "../../notes/task/statuses.ts";
import { listFolder } from "../../storage/list.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { filesByFolder, type ListedDocument, listWorkspace } from "../../workspace/projects.ts";
import type { Document } from "../../workspace/read.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { v1Status } from "./statuses.ts";

export const resources = {
  mimeType: "text/markdown",
  projects: async (workspace: Workspace) => {
    const { projects, documents } = await listWorkspace(workspace);
    const byProject = groupBy(documents, ({ project }) => project);
    const parts = projects.map((name) => summary(workspace, name, byProject.get(name) ?? []));
    return `${[`# Vibe Projects\n\nTotal projects: ${projects.length}`, ...parts].join("\n\n")}\n`;
  },
  project: async (workspace: Workspace, name: string) => {
    const { documents } = await listWorkspace(workspace, { project: name });
    const created = gateOf(workspace.root).resolve(name)?.stats.birthtimeMs ?? 0;
    const times = `**Created:** ${latest([{ mtime: created }])}\n**Updated:** ${latest(documents)}`;
    const head = `# Project: ${escapeName(name)}\n\n**Path:** ${quotePath(join(workspace.root, name))}\n${times}`;
    const folders = `## Available Folders\n\n${folderLines(workspace, name, documents)}`;
    return `${head}\n\n${folders}\n\n## Task Status\n\n${taskLines(documents)}\n`;
  },
  document: ({ project, folder, filename, path, text }: Document) => {
    const facts = `**Project:** ${escapeName(project)}\n**Folder:** ${escapeName(folder)}\n**Path:** ${quotePath(path)}`;
    return `# ${escapeName(filename)}\n\n${facts}\n\n---\n\n${text}`;
  },
};

function summary({ root }: Workspace, name: string, documents: ListedDocument[]): string {
  const sessions = documents.filter(({ folder }) => folder === "sessions");
  const isOpen = ({ folder, status }: ListedDocument) =>
    folder === "tasks" && ["pending", "in-progress"].includes(v1Status(status) ?? "");
  const counts = filesByFolder(root, name, documents);
  const folders = inOrder(Object.keys(counts)).filter((folder) => folder !== "" && counts[folder]);
  const files = folders.map((folder) => `${escapeName(folder)}=${counts[folder]}`);
  return [
    `## ${escapeName(name)}\n- Path: ${quotePath(join(root, name))}`,
    `- Last updated: ${latest(documents)}`,
    `- Open tasks: ${documents.filter(isOpen).length}`,
    ...(sessions.length > 0 ? [`- Last session: ${latest(sessions)}`] : []),
    `- Files: ${files.join(", ") || "none"}`,
  ].join("\n");
}

function folderLines({ root }: Workspace, project: string, documents: ListedDocument[]): string {
  const counts = filesByFolder(root, project, documents);
  const line = (folder: string) => `- ${quotePath(`${folder}/`)} (${counted(counts[folder] ?? 0, "file")})`;
  return inOrder(listFolder(root, project).folders).map(line).join("\n") || "No folders found.";
}

function taskLines(documents: ListedDocument[]): string {
  const tasks = documents.filter(({ folder }) => folder === "tasks");
  const counts = groupBy(tasks, ({ status }): string =>
    isTaskStatus(status) ? v1Status(status) : "unknown",
  );
  const statuses = [...new Set(["pending", "in-progress", "blocked", "done", ...counts.keys()])];
  return statuses.map((status) => `- ${status}: ${counts.get(status)?.length ?? 0}`).join("\n");
}

const inOrder = (folders: string[]) =>
  [...new Set([...STANDARD_FOLDERS, ...folders])].filter((folder) => folders.includes(folder));

function latest(documents: Pick<ListedDocument, "mtime">[]): string {
  const time = documents.reduce((last, { mtime }) => Math.max(last, mtime), 0);
  return time > 0 ? localDateTime(new Date(time)) : "unknown";
}
