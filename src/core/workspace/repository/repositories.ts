import { join } from "node:path";
import { realPath } from "../../storage/folders.ts";
import { removeOld, writeOwnFile } from "../../storage/own-file.ts";
import { hashOf, readSmall } from "../../storage/read.ts";
import { documentsFolder } from "../place/documents-folder.ts";
import { INDEXES, RepositoryDocuments, type RepositoryOptions } from "./documents.ts";

export interface RepositoriesOptions extends RepositoryOptions {
  /** The user's. */
  home: string;
  /** Where the client or person works, nearest first. */
  folders: readonly string[];
}

/** Working trees come and go: what was not written since is made again. */
const KEPT_MS = 30 * 24 * 3_600_000;

export type Repositories = ReturnType<typeof createRepositories>;

/** The documents of the projects' own repositories, for a client or person on this machine. */
export function createRepositories(options: RepositoriesOptions) {
  const { root, state, home, log, clock } = options;
  const opened = new Map<string, RepositoryDocuments>();
  let named: readonly string[] = [];
  const open = (project: string, folder: string) => {
    if (opened.size === 0) removeOld(join(state, INDEXES), clock.now().getTime() - KEPT_MS);
    const key = `${folder}\0${project}`;
    const documents = opened.get(key) ?? new RepositoryDocuments(options, { project, folder });
    opened.set(key, documents);
    return documents;
  };
  /** For those who work elsewhere on this machine. */
  const writes = new Map<string, Promise<void>>();
  const remember = (file: string, folder: string) => {
    if (writes.has(file)) return;
    const write = writeOwnFile(file, folder)
      .catch(() => log.debug("could not remember where a repository is"))
      .finally(() => writes.delete(file));
    writes.set(file, write);
  };
  return {
    /** The folders that the client names. */
    see: (folders: readonly string[]) => {
      named = folders;
    },
    /** Those of a project, by its name on the disk: here, else where it was seen last. Looks again: a line may name it by now. */
    of: (project: string): RepositoryDocuments | undefined => {
      const file = join(
        state,
        "repositories",
        hashOf(Buffer.from(JSON.stringify([realPath(root), project]))),
      );
      const seen = readSmall(file);
      for (const folder of [...named, ...options.folders, root, seen ?? root]) {
        const found = documentsFolder(root, { folder, home }, project);
        if (found === undefined) continue;
        if (found !== seen) remember(file, found);
        return open(project, found);
      }
      return undefined;
    },
    stop: () => {
      for (const documents of opened.values()) documents.stop();
    },
    close: async () => {
      await Promise.all([...[...opened.values()].map((documents) => documents.close()), ...writes.values()]);
    },
  };
}
