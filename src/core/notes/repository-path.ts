/** Stands before the file in the path of a document of the project's repository (`shop/repo:docs/adr/0001-queue.md`): no tool gives a note such a name, and not every system can. */
export const REPOSITORY_FOLDER = "repo:";
const PATH = /^(?:([^/]+)\/)?repo:\/*(.*)$/is;

export interface RepositoryFile {
  /** Undefined if the path does not begin with it. */
  project: string | undefined;
  /** Relative to the repository, with `/`. */
  file: string;
}

/** The path with the repository as a folder of its own, in which links lead from file to file; and back. */
export const asFolder = (path: string): string => path.replace(/^([^/]+\/repo:)(?!\/)/i, "$1/");
export const asPath = (path: string): string => path.replace(/^([^/]+\/repo:)\/+/i, "$1");

export function repositoryPath(project: string, file: string): string {
  return `${project}/${REPOSITORY_FOLDER}${file}`;
}

/** What a path, or a folder of such documents, names in a repository; undefined for what is in the workspace. */
export function repositoryFile(path: string): RepositoryFile | undefined {
  const [found, project, file = ""] = PATH.exec(path) ?? [];
  return found === undefined ? undefined : { project, file };
}
