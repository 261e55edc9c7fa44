import { join } from "node:path";
import { elapsed } from "../../lib/clock.ts";
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
  /** Whether their documents are served, too. */
  docs: boolean;
}

/** Working trees come and go: what was not written since is made again. */
const KEPT_MS = 30 * 24 * 3_600_000;
/** Marks ask with every answer, and to find a repository takes a look at the disk. */
const RECENT_MS = 1_000;

export type Repositories = ReturnType<typeof createRepositories>;

/** The projects' own repositories on this machine, and their documents. */
export function createRepositories(options: RepositoriesOptions) {
  const { state, clock } = options;
  const opened = new Map<string, RepositoryDocuments>();
  const open = (project: string, folder: string) => {
    if (opened.size === 0) removeOld(join(state, INDEXES), clock.now().getTime() - KEPT_MS);
    const key = `${folder}\0${project}`;
    const documents = opened.get(key) ?? new RepositoryDocuments(options, { project, folder });
    opened.set(key, documents);
    return documents;
  };
  const { see, find, recent, written } = folderFinder(options);
  return {
    see,
    /** The folder of a project's repository, as of the last second. */
    folderOf: (project: string): string | undefined => (recent(project) ?? find(project)).folder,
    /** The documents there. Looks again: a line may name it by now. */
    of: (project: string): RepositoryDocuments | undefined => {
      const { folder } = options.docs ? find(project) : {};
      return folder === undefined ? undefined : open(project, folder);
    },
    stop: () => {
      for (const documents of opened.values()) documents.stop();
    },
    close: async () => {
      await Promise.all([...[...opened.values()].map((documents) => documents.close()), written()]);
    },
  };
}

function folderFinder({ root, state, home, log, folders }: RepositoriesOptions) {
  let named: readonly string[] = [];
  let writing: Promise<void> = Promise.resolve();
  const found = new Map<string, { folder?: string | undefined; at: number }>();
  return {
    /** The folders that the client names. */
    see: (folders: readonly string[]) => {
      named = folders;
      found.clear();
    },
    /** Of a project, by its name on the disk: here, else where it was seen last. */
    find: (project: string) => {
      const key = JSON.stringify([realPath(root), project]);
      const file = join(state, "repositories", hashOf(Buffer.from(key)));
      const seen = readSmall(file);
      let folder: string | undefined;
      for (const place of [...named, ...folders, root, seen ?? root])
        folder ??= documentsFolder(root, { folder: place, home }, project);
      // For those who work elsewhere on this machine.
      if (folder !== undefined && folder !== seen) {
        const text = folder;
        const failed = () => log.debug("could not remember where a repository is");
        writing = writing.then(() => writeOwnFile(file, text)).catch(failed);
      }
      const one = { folder, at: elapsed() };
      found.set(project, one);
      return one;
    },
    recent: (project: string) => {
      const one = found.get(project);
      return one !== undefined && elapsed() - one.at < RECENT_MS ? one : undefined;
    },
    written: () => writing,
  };
}
