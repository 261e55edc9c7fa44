import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { STANDARD_FOLDERS } from "../../notes/names.ts";
import { matchProject } from "../../workspace/locate.ts";
import { compareRecent, listWorkspace } from "../../workspace/projects.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { TEMPLATES } from "./resource.ts";

interface TemplateCompletion {
  uri: string;
  argument: string;
  /** The variables filled in so far. */
  context: Record<string, string>;
}

/** All possible values of a template's variable, the likeliest first. */
export async function completeTemplate(
  workspace: Workspace,
  { uri, argument, context }: TemplateCompletion,
): Promise<string[]> {
  const template = TEMPLATES.find(({ uriTemplate }) => uriTemplate.replace("+", "") === uri.replace("+", ""));
  if (template === undefined || !template.uriTemplate.includes(`${argument}}`)) {
    const message = `This address has no ${quoteName(argument, 100)} to complete.`;
    throw new UserError("INVALID_ARGUMENT", message);
  }
  if (argument === "name") return workspace.projectNames();
  const name = context["name"];
  const project = name ? matchProject(workspace.projectNames(), name) : undefined;
  // Reading will explain a missing project.
  if (name && project === undefined) return [];
  if (argument === "folder") return folders(workspace, project);
  return files(workspace, project, template.name === "root-file" ? "" : context["folder"]);
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
