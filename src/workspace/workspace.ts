import type { Config } from "../config.ts";
import { gateOf } from "../files/gate.ts";
import { listFolder } from "../files/list.ts";
import type { Lock } from "../files/locks.ts";
import { readFile } from "../files/read.ts";
import { DEFAULT_DAMPING } from "../index/boosts.ts";
import type { Filter } from "../index/rank.ts";
import { type SearchAnswer, search } from "../index/search.ts";
import type { Clock } from "../lib/clock.ts";
import { type CurrentIndex, type IndexOptions, openCurrentIndex } from "./current-index.ts";
import { checkFolder } from "./folders.ts";
import { type DocumentName, findProject } from "./locate.ts";
import { createLocks } from "./locks.ts";
import { readDocument, type WorkspaceDocument } from "./read.ts";

export interface WorkspaceOptions extends IndexOptions {
  config: IndexOptions["config"] & Pick<Config, "boost">;
}

export interface SearchRequest {
  query: string;
  filter: Filter;
  limit: number;
  /** The project whose documents come first among equals, as findProject gives it. */
  preferred?: string | undefined;
  /** The most characters of a snippet, about (default: 500). */
  snippetChars?: number | undefined;
  /** The most characters of all results as JSON. */
  maxChars?: number | undefined;
}

/** Files and index as one. */
export interface Workspace extends CurrentIndex {
  readonly root: string;
  /** Absolute. */
  readonly indexFile: string;
  readonly clock: Clock;
  /** Throws INVALID_QUERY, and INVALID_FOLDER for a filter that names a folder which does not exist. */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** The projects on disk, sorted. */
  projectNames(): string[];
  /** The name of a project as it is on disk. Throws PROJECT_NOT_FOUND. */
  findProject(name: string): string;
  read(name: DocumentName): WorkspaceDocument;
  /** Runs `work` while nobody else, in any process, runs theirs on this project. */
  locked<T>(project: string, work: (lock: Lock) => Promise<T>): Promise<T>;
}

export function openWorkspace(options: WorkspaceOptions): Workspace {
  const { config, clock } = options;
  const index = openCurrentIndex(options);
  return {
    ...index,
    root: config.root,
    indexFile: config.db,
    clock,
    search: (request) => {
      const textOf = textReader(config.root);
      const rest = { now: clock.now().getTime(), damping: config.boost ?? DEFAULT_DAMPING, textOf };
      const { folder, project } = request.filter;
      return index.query((db) => {
        if (folder !== undefined) checkFolder(db, folder, project);
        return search(db, { ...request, ...rest });
      });
    },
    projectNames: () => listFolder(config.root, "").folders,
    findProject: (name) => findProject(config.root, name),
    read: (name) => readDocument(config.root, name),
    locked: createLocks(config.root),
  };
}

/** Reads the documents that snippets are made from. */
function textReader(root: string): (path: string) => string | undefined {
  const gate = gateOf(root);
  return (path) => {
    try {
      return readFile(gate, path)?.content.text;
    } catch {
      return undefined; // Gone or unreadable since the sync: the result stands, without its snippet.
    }
  };
}
