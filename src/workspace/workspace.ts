import type { Config } from "../config/options.ts";
import { DEFAULT_DAMPING } from "../index/boosts.ts";
import type { Clock } from "../lib/clock.ts";
import type { DocumentLocation } from "../notes/document.ts";
import { type SearchRequest as IndexSearch, type SearchAnswer, search } from "../search/search.ts";
import { projectNames } from "../storage/list.ts";
import { gateOf } from "../storage/path-gate.ts";
import { readFile } from "../storage/read.ts";
import { CurrentIndex, type IndexOptions } from "./current-index.ts";
import { checkFolder, findProject } from "./locate.ts";
import { type Document, readDocument } from "./read.ts";
import { createLocks } from "./turns.ts";

export interface WorkspaceOptions extends IndexOptions {
  config: IndexOptions["config"] & Pick<Config, "boost">;
}

type SearchRequest = Pick<
  IndexSearch,
  "query" | "also" | "filter" | "limit" | "preferred" | "snippetChars" | "fullSnippets" | "maxChars"
>;

/** Files and index as one. */
export class Workspace extends CurrentIndex {
  readonly root: string;
  /** Absolute. */
  readonly indexPath: string;
  readonly clock: Clock;
  /** Runs `work` while no other work on this project runs, in any process. */
  readonly locked: ReturnType<typeof createLocks>;
  readonly #damping: number;

  constructor(options: WorkspaceOptions) {
    super(options);
    const { config, clock } = options;
    this.root = config.root;
    this.indexPath = config.db;
    this.clock = clock;
    this.locked = createLocks(config.root);
    this.#damping = config.boost ?? DEFAULT_DAMPING;
  }

  /** Throws INVALID_QUERY, and INVALID_FOLDER if the filter names a folder that does not exist. */
  search(request: SearchRequest): Promise<SearchAnswer> {
    const { folder, project } = request.filter;
    const now = this.clock.now().getTime();
    const textOf = textReader(this.root);
    return this.query((db) => {
      if (folder !== undefined) checkFolder(db, folder, project);
      return search(db, { ...request, now, damping: this.#damping, textOf });
    });
  }

  /** The projects on disk, sorted. */
  projectNames(): string[] {
    return projectNames(this.root);
  }

  /** The name of a project on disk. Throws PROJECT_NOT_FOUND. */
  findProject(name: string): string {
    return findProject(this.root, name);
  }

  read(name: DocumentLocation): Document {
    return readDocument(this.root, name);
  }
}

export function openWorkspace(options: WorkspaceOptions): Workspace {
  return new Workspace(options);
}

/** Reads the documents that snippets are made from. */
function textReader(root: string): (path: string) => string | undefined {
  const gate = gateOf(root);
  return (path) => {
    try {
      return readFile(gate, path)?.content.text;
    } catch {
      return undefined; // Gone or unreadable since the sync: the result has no snippet.
    }
  };
}
