import { type Address, addressOf } from "../../notes/link/address.ts";
import { readPicture } from "../../workspace/pictures.ts";
import { describeProject, listProjects } from "../../workspace/projects.ts";
import { type Document, documentMetadata } from "../../workspace/read.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** `{+file}` may contain further `/`. */
export const TEMPLATES = [
  {
    uriTemplate: "vibe://projects/{name}",
    name: "project",
    title: "Project",
    description: "A project's files by folder, tasks with their status.",
  },
  {
    uriTemplate: "vibe://projects/{name}/{folder}/{+file}",
    name: "document",
    title: "Document",
    description: "One document with its metadata, e.g. folder tasks, file 004-add-login.md.",
  },
  {
    uriTemplate: "vibe://projects/{name}/{+file}",
    name: "root-file",
    title: "Root file",
    description: "A document in the project's own folder, e.g. status.md.",
  },
];

export interface ResourceFormat {
  mimeType: string;
  projects(workspace: Workspace): Promise<string>;
  /** `name` must come from findProject. */
  project(workspace: Workspace, name: string): Promise<string>;
  document(document: Document): string;
}

export const JSON_FORMAT: ResourceFormat = {
  mimeType: "application/json",
  projects: async (workspace) => {
    const { projects } = await listProjects(workspace);
    return JSON.stringify({ projects });
  },
  project: async (workspace, name) => JSON.stringify(await describeProject(workspace, name)),
  document: (document) => {
    const { project, folder, filename, path, text } = document;
    const metadata = documentMetadata(document);
    return JSON.stringify({ project, folder, filename, path, metadata, content: text });
  },
};

/** Throws the workspace's own errors for what does not exist. A picture in `assets/` is a blob, whatever the format. */
export async function readResource(workspace: Workspace, uri: string, format: ResourceFormat) {
  const address = addressOf(uri);
  const picture = address.kind === "document" ? readPicture(workspace, address) : null;
  if (picture !== null)
    return { contents: [{ uri, mimeType: picture.type, blob: picture.bytes.toString("base64") }] };
  const text = await contentOf(workspace, address, format);
  return { contents: [{ uri, mimeType: format.mimeType, text }] };
}

async function contentOf(workspace: Workspace, address: Address, format: ResourceFormat): Promise<string> {
  if (address.kind === "projects") return format.projects(workspace);
  if (address.kind === "project") return format.project(workspace, workspace.findProject(address.project));
  return format.document(await workspace.readAny(address));
}
