import { UserError } from "../lib/errors.ts";
import { documentMetadata } from "../workspace/metadata.ts";
import { describeProject, listProjects } from "../workspace/projects.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { JSON_TYPE } from "./templates.ts";
import { type Address, parseUri } from "./uri.ts";

export interface ResourceText {
  uri: string;
  mimeType: string;
  text: string;
}

/** The content of a resource as JSON. Throws the workspace's own errors for what does not exist. */
export async function readResource(workspace: Workspace, uri: string): Promise<{ contents: ResourceText[] }> {
  const address = parseUri(uri);
  if (address === null) {
    const message = "Addresses look like vibe://projects/{name}/{folder}/{file}, names percent-encoded.";
    throw new UserError("FILE_NOT_FOUND", message);
  }
  const value = await contentOf(workspace, address);
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) }] };
}

function contentOf(workspace: Workspace, address: Address): Promise<unknown> | unknown {
  if (address.kind === "projects") return projectsContent(workspace);
  if (address.kind === "project") return describeProject(workspace, workspace.findProject(address.project));
  const document = workspace.read(address);
  const { project, folder, filename, path, text } = document;
  return { project, folder, filename, path, metadata: documentMetadata(document), content: text };
}

async function projectsContent(workspace: Workspace) {
  return { projects: await listProjects(workspace) };
}
