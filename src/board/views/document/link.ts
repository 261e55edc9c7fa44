import { findDocuments } from "../../markdown/links.ts";
import { projectOf } from "../../model.ts";
import { call, state } from "../../state.ts";

interface Listing {
  folders: Record<string, { filename: string }[]>;
}

/** The documents that `[[name]]` in the document `from` may mean: first in its project, then in the others. */
export async function lookUp(name: string, from: string): Promise<string[]> {
  const own = projectOf(from);
  const projects = state.get().projects.map((project) => project.name);
  const inProject = projects.includes(own) ? findDocuments(name, from, await pathsOf(own)) : [];
  if (inProject.length > 0) return inProject;
  const others = projects.filter((project) => project !== own);
  const lists = await Promise.all(others.map(pathsOf));
  return findDocuments(name, from, lists.flat());
}

async function pathsOf(project: string): Promise<string[]> {
  const { folders } = await call<Listing>("list_projects", { project, limit: 1000 });
  return Object.entries(folders).flatMap(([folder, files]) =>
    files
      .filter(({ filename }) => /\.md$/i.test(filename))
      .map(({ filename }) => [project, folder, filename].filter((part) => part !== "").join("/")),
  );
}
