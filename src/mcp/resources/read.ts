import { UserError } from "../../lib/errors.ts";
import { describeProject, listProjects } from "../../workspace/projects.ts";
import { type Document, documentMetadata } from "../../workspace/read.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Address, parseUri } from "./uri.ts";

export interface ResourceFormat {
  mimeType: string;
  projects(workspace: Workspace): Promise<string>;
  /** `name` must come from findProject. */
  project(workspace: Workspace, name: string): Promise<string>;
  document(document: Document): string;
}

export const JSON_FORMAT: ResourceFormat = {
  mimeType: "application/json",
  projects: async (workspace) => JSON.stringify({ projects: await listProjects(workspace) }),
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

/** Throws FILE_NOT_FOUND for an invalid address. */
export function addressOf(uri: string): Address {
  const address = parseUri(uri);
  if (address !== null) return address;
  const message = "Addresses look like vibe://projects/{name}/{folder}/{file}, names percent-encoded.";
  throw new UserError("FILE_NOT_FOUND", message);
}

function contentOf(workspace: Workspace, address: Address, format: ResourceFormat): Promise<string> | string {
  if (address.kind === "projects") return format.projects(workspace);
  if (address.kind === "project") return format.project(workspace, workspace.findProject(address.project));
  return format.document(workspace.read(address));
}
