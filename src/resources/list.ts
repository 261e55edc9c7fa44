import { UserError } from "../lib/errors.ts";
import { escapeLine, escapeName } from "../lib/escape.ts";
import { groupBy } from "../lib/group.ts";
import { compareRecent, type ListedDocument, listWorkspace } from "../workspace/documents.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { documentUri, PROJECTS_URI, projectUri } from "./uri.ts";

export interface ListedResource {
  uri: string;
  name: string;
  title: string;
  description: string;
  annotations?: { lastModified: string };
}

const PAGE_SIZE = 100;
const RECENT_PER_PROJECT = 50;
const MAX_TITLE_CHARS = 200;

/** What a cursor holds: the last document given, or the last project when none of its documents was. */
interface Position {
  project: string;
  document?: Pick<ListedDocument, "updated" | "mtime" | "path">;
}

interface Item {
  position: Position;
  resource: ListedResource;
}

/**
 * A page of the list: all projects in one, then each project with its most recent documents. A cursor names the item it
 * follows, so that nothing comes twice when documents are added between two pages.
 */
export async function listResources(
  workspace: Workspace,
  cursor: string | undefined,
): Promise<{ resources: ListedResource[]; nextCursor?: string }> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const { projects, documents } = await listWorkspace(workspace);
  const byProject = groupBy(documents, ({ project }) => project);
  // In the order that cursors compare by.
  const items = projects.toSorted().flatMap((project) => projectItems(project, byProject.get(project) ?? []));
  const rest = after === undefined ? items : items.filter(({ position }) => comesAfter(position, after));
  const page = rest.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  const resources = page.map(({ resource }) => resource);
  return {
    resources: after === undefined ? [allProjects(projects.length), ...resources] : resources,
    ...(last !== undefined && rest.length > PAGE_SIZE && { nextCursor: encodeCursor(last.position) }),
  };
}

function projectItems(project: string, documents: ListedDocument[]): Item[] {
  const recent = documents.sort(compareRecent).slice(0, RECENT_PER_PROJECT);
  const own = { position: { project }, resource: projectResource(project, documents.length) };
  return [own, ...recent.map((document) => documentItem(project, document))];
}

function documentItem(project: string, document: ListedDocument): Item {
  const { updated, mtime, path } = document;
  return { position: { project, document: { updated, mtime, path } }, resource: documentResource(document) };
}

function comesAfter(position: Position, after: Position): boolean {
  if (position.project !== after.project) return position.project > after.project;
  if (position.document === undefined) return false;
  return after.document === undefined || compareRecent(position.document, after.document) > 0;
}

function allProjects(count: number): ListedResource {
  const description = `All ${count} projects with their numbers.`;
  return { uri: PROJECTS_URI, name: "projects", title: "Projects", description };
}

function projectResource(project: string, count: number): ListedResource {
  const description = `The ${count} files of the project by folder.`;
  const name = escapeName(project);
  return { uri: projectUri(project), name, title: name, description };
}

function documentResource({ path, title, type, status, updated, mtime }: ListedDocument): ListedResource {
  return {
    uri: documentUri(path),
    name: escapeName(path),
    title: escapeLine(title, MAX_TITLE_CHARS),
    description: [type ?? "document", status, `updated ${updated}`]
      .flatMap((part) => (part ? [escapeLine(part, MAX_TITLE_CHARS)] : []))
      .join(", "),
    annotations: { lastModified: new Date(mtime).toISOString() },
  };
}

function encodeCursor({ project, document }: Position): string {
  const fields = document === undefined ? [] : [document.updated, document.mtime, document.path];
  return Buffer.from(JSON.stringify([project, ...fields])).toString("base64url");
}

function decodeCursor(cursor: string): Position {
  const [project, updated, mtime, path] = fieldsOf(cursor);
  if (typeof project === "string") {
    if (updated === undefined) return { project };
    if (typeof updated === "string" && typeof mtime === "number" && typeof path === "string")
      return { project, document: { updated, mtime, path } };
  }
  throw new UserError("INVALID_ARGUMENT", "The cursor is not one of this server's. List from the start.");
}

function fieldsOf(cursor: string): unknown[] {
  try {
    const fields: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    return Array.isArray(fields) ? fields : [];
  } catch {
    return []; // What is no JSON is no cursor.
  }
}
