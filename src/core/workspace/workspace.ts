import { join } from "node:path";
import { DEFAULT_BOUNDS } from "../config/history.ts";
import type { Config } from "../config/options.ts";
import type { Git } from "../git/ask-git.ts";
import { type History, openHistory } from "../history/history.ts";
import { locked } from "../history/interrupted.ts";
import { purgedAt } from "../history/prune.ts";
import { type Sight, sees, sightNow } from "../history/sight.ts";
import { DEFAULT_DAMPING } from "../index/boosts.ts";
import { CurrentIndex, type IndexOptions } from "../indexing/current-index.ts";
import type { Clock } from "../lib/clock.ts";
import { turns } from "../lib/pauses.ts";
import { repositoryFile } from "../notes/repository-path.ts";
import type { TextOf } from "../search/filter.ts";
import { searchBoth } from "../search/join.ts";
import { type SearchRequest as IndexSearch, type SearchAnswer, search } from "../search/search.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import type { CodeReaders } from "../stale/code-reader.ts";
import { inspectPath, writtenAt } from "../storage/inspect.ts";
import type { Lock } from "../storage/locks.ts";
import { hashOf } from "../storage/read.ts";
import { Branches } from "./branches.ts";
import type { DocumentName } from "./find/document.ts";
import { seenProjects } from "./find/entries.ts";
import { indexedFolder } from "./find/folder.ts";
import { findProject } from "./find/project.ts";
import { createNoteNews } from "./note-news.ts";
import { type Document, readNamed, textReader } from "./read.ts";
import { INDEXES, type RepositoryDocuments } from "./repository/documents.ts";
import { namedInRepository, noRepositoryFile } from "./repository/named.ts";
import type { Repositories } from "./repository/repositories.ts";
import type { Sharing } from "./sharing.ts";

export interface WorkspaceOptions extends IndexOptions {
  config: IndexOptions["config"] & Pick<Config, "boost"> & Partial<Pick<Config, "history" | "state">>;
  /** Without it, other branches are not looked at. */
  git?: Git | undefined;
}

type SearchRequest = Omit<IndexSearch, "now" | "damping" | "textOf" | "isCorrected">;

/** The notes of one root, with their index and their history. */
export class Workspace {
  readonly root: string;
  /** Absolute. */
  readonly indexPath: string;
  readonly clock: Clock;
  readonly history: History;
  readonly git: Git | undefined;
  readonly branches: Branches;
  readonly noteNews: ReturnType<typeof createNoteNews>;
  /** Many requests at once take turns, whoever sends them: other work runs in between. */
  readonly turn = turns();
  /** Set by a server whose notes can be synced. */
  sharing: Sharing | undefined;
  /** Set for clients and people on this machine. */
  repositories: Repositories | undefined;
  /** Set likewise: what git says of these repositories. */
  code: CodeReaders | undefined;
  /** What syncing had to say lately, set by a server. */
  news: () => readonly string[] = () => [];
  /** The name of the person who works here, set by a server. */
  person: () => Promise<string | undefined> = async () => undefined;
  readonly #damping: number;
  readonly #options: WorkspaceOptions;
  readonly #index: CurrentIndex;
  /** By what they hold, for callers who see no more. */
  readonly #partial = new Map<string, CurrentIndex>();

  constructor(options: WorkspaceOptions) {
    const { config, clock, log } = options;
    this.root = config.root;
    this.indexPath = config.db;
    this.clock = clock;
    this.#options = options;
    this.#index = new CurrentIndex({
      ...options,
      config: indexConfig(config),
      purgedAt: () => purgedAt(config.root),
    });
    const bounds = config.history ?? DEFAULT_BOUNDS;
    this.history = openHistory({ root: config.root, state: config.state, bounds, clock, log });
    this.git = options.git;
    this.branches = new Branches(config.root, options.git);
    this.noteNews = createNoteNews(this.history);
    this.#damping = config.boost ?? DEFAULT_DAMPING;
  }

  /** The index of what the caller sees: what it does not hold is in no answer, no correction and no count. */
  get index(): CurrentIndex {
    const sight = sightNow();
    if (sight === undefined) return this.#index;
    const key = JSON.stringify(sight);
    const index = this.#partial.get(key) ?? partialIndex(this.#options, sight);
    this.#partial.set(key, index);
    return index;
  }

  /** Runs `work` while no other work on this project runs, in any process. */
  locked<T>(project: string, work: (lock: Lock) => Promise<T>): Promise<T> {
    return locked(this.history, [project], (lockOf) => work(lockOf(project)));
  }

  /** No request waits any longer until many files are indexed. */
  stopIndexing(): void {
    this.repositories?.stop();
    for (const index of this.#indexes()) index.stop();
  }

  #indexes(): CurrentIndex[] {
    return [this.#index, ...this.#partial.values()];
  }

  async close(): Promise<void> {
    this.stopIndexing();
    await this.repositories?.close();
    await this.code?.close();
    await Promise.all(this.#indexes().map((index) => index.close()));
    await this.history.pruning;
  }

  /** Loads the index, and what is known of the repository of this project, before a call needs them. */
  async warm(project: string | undefined): Promise<void> {
    this.documentsOf(project)?.warm();
    const folder = project && this.repositories?.folderOf(project);
    if (folder) this.code?.look(folder, () => []);
    await this.index.warm();
  }

  /** Searches the notes, and the documents of the repository of the project that is meant. With `patience`, those that a first build has indexed by then. Throws INVALID_QUERY, and INVALID_FOLDER if the filter names a folder that does not exist. */
  async search(request: SearchRequest, patience?: number): Promise<SearchAnswer> {
    let share: string | undefined;
    const ofNotes = (isCorrected: boolean) =>
      this.index.query((db, indexing) => {
        share = indexing;
        return this.#searchIn(request, isCorrected && share === undefined, textReader(this.root))(db);
      }, patience);
    const answer = await this.#searchAll(request, ofNotes);
    // What is missing may be in a note that is not indexed yet.
    return share === undefined ? answer : { ...answer, missing: [], isWeak: false, indexing: share };
  }

  async #searchAll(
    request: SearchRequest,
    ofNotes: (isCorrected: boolean) => Promise<SearchAnswer>,
  ): Promise<SearchAnswer> {
    const { folder, project = request.preferred } = request.filter;
    const documents = this.documentsOf(project);
    const place = folder === undefined ? undefined : repositoryFile(folder);
    if (documents === undefined || (folder !== undefined && place === undefined)) return ofNotes(true);
    const textOf = documents.textReader();
    const ofDocuments = (isCorrected: boolean) =>
      documents.query(this.#searchIn(request, isCorrected, textOf), place !== undefined);
    if (place !== undefined) return (await ofDocuments(true)) ?? ofNotes(true);
    return searchBoth(request.limit, ofNotes, ofDocuments);
  }

  /** Those of the repository of this project, if they are known here. */
  documentsOf(project: string | undefined): RepositoryDocuments | undefined {
    return project === undefined ? undefined : this.repositories?.of(project);
  }

  #searchIn(request: SearchRequest, isCorrected: boolean, textOf: TextOf) {
    const { folder, project } = request.filter;
    const options = { now: this.clock.now().getTime(), damping: this.#damping, isCorrected, textOf };
    return (db: SqlDatabase): SearchAnswer => {
      const filter =
        folder === undefined
          ? request.filter
          : { ...request.filter, folder: indexedFolder(db, folder, project) };
      return search(db, { ...request, ...options, filter });
    };
  }

  /** The projects on disk that the caller sees, sorted. */
  projectNames(): string[] {
    return seenProjects(this.root);
  }

  /** The name of a project on disk. Throws PROJECT_NOT_FOUND. */
  findProject(name: string): string {
    return findProject(this.root, name);
  }

  /** Reads a document by any name that leaves no doubt. Throws as findDocument does. */
  read(name: DocumentName): Document {
    return readNamed(this.root, name);
  }

  /** The same, also for a document of a project's repository. */
  async readAny(name: DocumentName): Promise<Document> {
    const named = namedInRepository(this.root, name);
    if (named?.project === undefined) return this.read(name);
    const project = this.findProject(named.project);
    return (await this.documentsOf(project)?.read(named.file)) ?? noRepositoryFile(project, named.file);
  }
}

/** A read-only server of a root without an index keeps one in the user's state folder, and begins anew if words were purged since. */
function indexConfig(config: WorkspaceOptions["config"]): IndexOptions["config"] {
  const { root, state, readOnly, dbNamed, reindex } = config;
  const isOwn = readOnly && !dbNamed && inspectPath(join(root, "index.db")).kind === "missing";
  if (!isOwn || state === undefined) return config;
  const db = join(state, INDEXES, `${hashOf(Buffer.from(root)).slice(0, 16)}.db`);
  const isOld = (writtenAt(db)?.getTime() ?? Number.POSITIVE_INFINITY) < purgedAt(root);
  return { ...config, db, dbNamed: true, reindex: reindex || isOld };
}

/** In memory alone, and made anew. */
function partialIndex(options: WorkspaceOptions, sight: Sight): CurrentIndex {
  const config = { ...options.config, readOnly: true, dbNamed: false, reindex: true };
  return new CurrentIndex({ ...options, config, watch: false, sees: (project) => sees(sight, project) });
}

export function openWorkspace(options: WorkspaceOptions): Workspace {
  return new Workspace(options);
}
