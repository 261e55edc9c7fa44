import { groupBy } from "../../lib/collections.ts";
import { UserError } from "../../lib/errors.ts";
import { escapeLine, escapeName, quoteName } from "../../lib/escape.ts";
import { listOf } from "../../lib/fields.ts";
import { documentUri, PROJECTS_URI, projectUri } from "../../notes/link/address.ts";
import { ARCHIVE, STANDARD_FOLDERS, standardFolder } from "../../notes/names.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { matchName } from "../../workspace/find/entries.ts";
import { compareRecent, type ListedDocument, listWorkspace, type Recency } from "../../workspace/projects.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { TEMPLATES } from "./resource.ts";

const PAGE_SIZE = 100;
const RECENT_PER_PROJECT = 50;
const MAX_TITLE_CHARS = 200;

/** A document, or a project without one: what a cursor names. */
interface Position {
  project: string;
  document?: Recency | undefined;
}

interface ListItem extends Position {
  /** Documents of the project. */
  count: number;
  document?: ListedDocument;
}

/**
 * A page of the list: the list of projects, then each project with its most recent documents. A cursor names the last entry of
 * its page, so that documents added between two pages repeat nothing.
 */
export async function listResources(workspace: Workspace, cursor: string | undefined) {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const { projects, documents } = await listWorkspace(workspace);
  const byProject = groupBy(documents, ({ project }) => project);
  // The order by which `comesAfter` compares.
  const entries = projects.toSorted().flatMap((project) => entriesOf(project, byProject.get(project) ?? []));
  const rest = after === undefined ? entries : entries.filter((entry) => comesAfter(entry, after));
  const page = rest.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    resources: [...(after === undefined ? [allProjects(projects.length)] : []), ...page.map(resourceOf)],
    ...(last !== undefined && rest.length > PAGE_SIZE && { nextCursor: encodeCursor(last) }),
  };
}

function entriesOf(project: string, documents: ListedDocument[]): ListItem[] {
  const own = { project, count: documents.length };
  const recent = documents
    .filter(({ folder }) => folder !== ARCHIVE)
    .sort(compareRecent)
    .slice(0, RECENT_PER_PROJECT);
  return [own, ...recent.map((document) => ({ ...own, document }))];
}

function comesAfter(position: Position, after: Position): boolean {
  if (position.project !== after.project) return position.project > after.project;
  if (position.document === undefined) return false;
  return after.document === undefined || compareRecent(position.document, after.document) > 0;
}

function allProjects(count: number) {
  const description = `All ${count} projects with their numbers.`;
  return { uri: PROJECTS_URI, name: "projects", title: "Projects", description };
}

function resourceOf({ project, count, document }: ListItem) {
  if (document !== undefined) return documentResource(document);
  const name = escapeName(project);
  const description = `The ${count} files of the project by folder.`;
  return { uri: projectUri(project), name, title: name, description };
}

function documentResource({ path, title, type, status, updated, mtime }: ListedDocument) {
  const parts = [type ?? "document", status, `updated ${updated}`].filter(
    (part) => part !== null && part !== "",
  );
  return {
    uri: documentUri(path),
    name: escapeName(path),
    title: escapeLine(title, MAX_TITLE_CHARS),
    description: parts.map((part) => escapeLine(part ?? "", MAX_TITLE_CHARS)).join(", "),
    annotations: { lastModified: new Date(mtime).toISOString() },
  };
}

function encodeCursor({ project, document }: Position): string {
  const fields = document === undefined ? [] : [document.updated, document.mtime, document.path];
  return Buffer.from(JSON.stringify([project, ...fields])).toString("base64url");
}

function decodeCursor(cursor: string): Position {
  const fields = attempt((): unknown => JSON.parse(Buffer.from(cursor, "base64url").toString()));
  const [project, updated, mtime, path] = listOf(fields);
  if (typeof project === "string") {
    if (updated === undefined) return { project };
    if (typeof updated === "string" && typeof mtime === "number" && typeof path === "string")
      return { project, document: { updated, mtime, path } };
  }
  throw new UserError("INVALID_ARGUMENT", "This cursor is not from this server. List from the start.");
}

interface TemplateCompletion {
  uri: string;
  argument: string;
  /** The variables filled in so far. */
  context: Record<string, string>;
}

/** All values of a template's variable, the most likely first. */
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
  const project = name ? matchName(workspace.projectNames(), name) : undefined;
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
  const only = folder === undefined ? undefined : standardFolder(folder);
  const { documents } = await listWorkspace(workspace, { project, folder: only });
  const inFolders =
    folder === undefined
      ? documents.filter((document) => !["", ARCHIVE].includes(document.folder))
      : documents;
  return [...new Set(inFolders.sort(compareRecent).map(({ filename }) => filename))];
}
