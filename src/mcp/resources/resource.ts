import { UserError } from "../../lib/errors.ts";
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

/** What a `vibe://` address names. */
export type Address =
  | { kind: "projects" }
  | { kind: "project"; project: string }
  | { kind: "document"; project: string; folder: string; filename: string };

export const PROJECTS_URI = "vibe://projects";

const SCHEME = /^vibe:\/\/projects(?=\/|$)/i;
// Longer than any file system allows.
const MAX_NAME_BYTES = 255;

/** Throws FILE_NOT_FOUND for an invalid address. The path gate still has to check the names. */
export function addressOf(uri: string): Address {
  const address = parse(uri);
  if (address !== null) return address;
  const message = "Addresses look like vibe://projects/{name}/{folder}/{file}, names percent-encoded.";
  throw new UserError("FILE_NOT_FOUND", message);
}

/** Decodes each part once; null for an invalid address. */
function parse(uri: string): Address | null {
  const scheme = SCHEME.exec(uri);
  if (scheme === null) return null;
  const parts = decodeParts(uri.slice(scheme[0].length).replace(/\/$/, ""));
  if (parts === null) return null;
  const [project, second, ...rest] = parts;
  if (project === undefined) return { kind: "projects" };
  if (second === undefined) return { kind: "project", project };
  if (rest.length === 0) return { kind: "document", project, folder: "", filename: second };
  return { kind: "document", project, folder: second, filename: rest.join("/") };
}

export function projectUri(project: string): string {
  return `${PROJECTS_URI}/${encode(project)}`;
}

/** The path starts with the project. */
export function documentUri(path: string): string {
  return `${PROJECTS_URI}/${path.split("/").map(encode).join("/")}`;
}

function decodeParts(path: string): string[] | null {
  try {
    const parts = path.split("/").slice(1).map(decodeURIComponent);
    const names = parts.flatMap((part) => part.split("/"));
    return names.some((name) => Buffer.byteLength(name) > MAX_NAME_BYTES) ? null : parts;
  } catch {
    return null; // Malformed percent-encoding.
  }
}

function encode(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}

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

/** Throws the workspace's own errors for what does not exist. */
export async function readResource(workspace: Workspace, uri: string, format: ResourceFormat) {
  const text = await contentOf(workspace, addressOf(uri), format);
  return { contents: [{ uri, mimeType: format.mimeType, text }] };
}

function contentOf(workspace: Workspace, address: Address, format: ResourceFormat): Promise<string> | string {
  if (address.kind === "projects") return format.projects(workspace);
  if (address.kind === "project") return format.project(workspace, workspace.findProject(address.project));
  return format.document(workspace.read(address));
}
