import { STANDARD_FOLDERS } from "../domain/names.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { compareRecent, listWorkspace } from "../workspace/documents.ts";
import { matchProject } from "../workspace/locate.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { TEMPLATES } from "./templates.ts";

export interface TemplateCompletion {
  /** The template, as listed. */
  uri: string;
  argument: string;
  /** What the client filled in already. */
  known: Record<string, string>;
}

/** All values that a variable of a template can take, the likeliest first. */
export async function completeTemplate(
  workspace: Workspace,
  { uri, argument, known }: TemplateCompletion,
): Promise<string[]> {
  const template = TEMPLATES.find(({ uriTemplate }) => uriTemplate.replace("+", "") === uri.replace("+", ""));
  if (template === undefined || !template.uriTemplate.includes(`${argument}}`)) {
    const message = `There is nothing to complete for ${quoteName(argument, 100)} of that address.`;
    throw new UserError("INVALID_ARGUMENT", message);
  }
  if (argument === "name") return workspace.projectNames();
  const name = known["name"];
  const project = name ? matchProject(workspace.projectNames(), name) : undefined;
  // Nothing to offer for a project that is not there; reading will say so.
  if (name && project === undefined) return [];
  if (argument === "folder") return folders(workspace, project);
  return files(workspace, project, template.name === "root-file" ? "" : known["folder"]);
}

async function folders(workspace: Workspace, project: string | undefined): Promise<string[]> {
  const { documents } = await listWorkspace(workspace, { project });
  const used = new Set(documents.map(({ folder }) => folder).filter((folder) => folder !== ""));
  const standard = STANDARD_FOLDERS.filter((folder) => used.has(folder));
  return [...new Set([...standard, ...used])];
}

async function files(workspace: Workspace, project?: string, folder?: string): Promise<string[]> {
  const { documents } = await listWorkspace(workspace, { project, folder });
  const inFolders = folder === undefined ? documents.filter((document) => document.folder !== "") : documents;
  return [...new Set(inFolders.sort(compareRecent).map(({ filename }) => filename))];
}
