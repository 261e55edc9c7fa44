import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Git } from "../../git/ask-git.ts";
import { linksNaming } from "../../index/links.ts";
import { CurrentIndex } from "../../indexing/current-index.ts";
import { isLong } from "../../indexing/diff.ts";
import { type Clock, elapsed } from "../../lib/clock.ts";
import { UserError } from "../../lib/errors.ts";
import { pathKey, withMarkdownExtension } from "../../lib/file-names.ts";
import type { Log } from "../../lib/log.ts";
import { type Lookup, lookupOf } from "../../notes/link/target.ts";
import { findDocsLine } from "../../notes/project/marker.ts";
import { repositoryFile, repositoryPath } from "../../notes/repository-path.ts";
import type { TextOf } from "../../search/filter.ts";
import type { SqlDatabase } from "../../sqlite/types.ts";
import { realPath, repositoryOf } from "../../storage/folders.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { hashOf, readFile, readSmall } from "../../storage/read.ts";
import {
  isRepositoryDocument,
  newestChange,
  scanFiles,
  walkDocuments,
} from "../../storage/repository-files.ts";
import type { Scan } from "../../storage/walk.ts";
import { matchName } from "../find/entries.ts";
import { markerFiles } from "../place/surroundings.ts";
import { type Document, documentOf } from "../read.ts";

export interface RepositoryOptions {
  /** Of the workspace; absolute, like all folders here. */
  root: string;
  /** For what belongs to this user on this machine. */
  state: string;
  clock: Clock;
  log: Log;
  /** Lists files; undefined if there is no git here. */
  git: Git;
  /** Whether a search waits until many documents are indexed. */
  waits: boolean;
}

/** The folder of their indexes among what belongs to this user. */
export const INDEXES = "documents";
/** Known files are looked at again without waiting longer for the list of git, which may take long in a large repository. */
const LIST_MS = 500;
/** A list holds for so long, unless names in a folder of these documents change: others may be the first of their folder. */
const LISTED_MS = 30_000;
/** A change soon after another one may have the same time. */
const SETTLED_MS = 2_000;
const LISTED = [
  "ls-files",
  "--cached",
  "--others",
  "--exclude-standard",
  "-z",
  "--",
  ":(icase)*.md",
  ":(icase)*.markdown",
];

/** The Markdown files of a project's repository or worktree: its documents, which only their editor and git change. */
export class RepositoryDocuments {
  readonly project: string;
  readonly folder: string;
  readonly #options: RepositoryOptions;
  readonly #index: CurrentIndex;
  #names: readonly string[] | undefined;
  #listing: Promise<readonly string[]> | undefined;
  #isListed = () => false;
  /** Whether a search waits for what is not indexed. */
  #isReady: boolean;
  #isFar: Promise<boolean> | undefined;
  #warming: Promise<void> | undefined;

  constructor(options: RepositoryOptions, { project, folder }: { project: string; folder: string }) {
    const { state, clock, log, waits } = options;
    this.project = project;
    this.folder = folder;
    this.#options = options;
    const name = hashOf(Buffer.from(`${folder}\0${project}`)).slice(0, 16);
    this.#isReady = waits;
    const db = join(state, INDEXES, `${name}.db`);
    const config = { root: folder, db, dbNamed: true, readOnly: false, reindex: false };
    this.#index = new CurrentIndex({ config, clock, log, scan: () => this.scan() });
  }

  /** Makes the index in the background. */
  warm(): void {
    this.#warming ??= this.#index.warm().then(() => {
      this.#isReady = true;
    });
  }

  /** No search waits for them any longer. */
  stop(): void {
    this.#index.stop();
  }

  async close(): Promise<void> {
    await this.#index.close();
  }

  /** The documents there now. */
  async scan(): Promise<Scan> {
    const except = realPath(this.#options.root);
    const wanted = this.#wanted();
    const names = new Set((await this.#list()).filter(wanted));
    const pathOf = (file: string) => repositoryPath(this.project, file);
    return { ...scanFiles(this.folder, names, { except, pathOf }), projects: [this.project] };
  }

  /** How many more there are without the line that narrows them. */
  async leftOut(): Promise<number> {
    const all = (await this.#list()).filter(isRepositoryDocument);
    return all.length - all.filter(this.#wanted()).length;
  }

  /** Runs `read` on the index; undefined if that would take long, unless it `waits`, or fails: the workspace answers without. */
  async query<T>(read: (db: SqlDatabase) => T, waits = false): Promise<T | undefined> {
    try {
      this.#isFar ??= this.scan().then(async (scan) => isLong(await this.#index.behind(scan)));
      this.#isReady ||= !(await this.#isFar);
      if (this.#isReady || waits) return await this.#index.query(read);
      this.warm();
      return undefined;
    } catch (error) {
      if (error instanceof UserError && error.code.startsWith("INVALID_")) throw error;
      this.#options.log.warn(`the repository's documents: ${error instanceof Error ? error.message : error}`);
      return undefined;
    }
  }

  /** The document with this path in the repository, by any spelling or link; undefined if there is none. */
  async read(file: string): Promise<Document | undefined> {
    const gate = gateOf(this.folder);
    const spelled = withMarkdownExtension(file);
    const place = attempt(() => gate.resolve(spelled));
    if (place !== undefined && !this.#names?.includes(spelled)) this.#isListed = () => false;
    const { files } = await this.scan();
    const names = files.map(({ path }) => repositoryFile(path)?.file ?? "");
    const name = matchName(names, place === undefined ? spelled : gate.partsOf(place.file).join("/"));
    const read = name === undefined ? undefined : readFile(gate, name);
    return read && documentOf(repositoryPath(this.project, name ?? ""), read);
  }

  /** What links need to lead here, and the links here that may lead to the document at `path`. */
  async links(path: string) {
    // At once, so that git lists the files once.
    const asked = [this.lookup(), this.query((db) => linksNaming(db, [path]))] as const;
    const [lookup, naming = []] = await Promise.all(asked);
    return { lookup, naming, textOf: this.textReader() };
  }

  /** A link to a file that is no document of the project is not broken. */
  async lookup(): Promise<Lookup> {
    const lookup = lookupOf((await this.scan()).files.map(({ path }) => path));
    const gate = gateOf(this.folder);
    const onDisk = (path: string) => {
      const { project, file = "" } = repositoryFile(path) ?? {};
      const isThere = project === this.project && attempt(() => gate.resolve(file)) !== undefined;
      return isThere ? [path] : [];
    };
    const alike = (path: string) => {
      const own = lookup.alike(path);
      return own.length > 0 ? own : onDisk(path);
    };
    return { ...lookup, alike, hasRepository: true };
  }

  /** Reads the texts of documents that the index holds. */
  textReader(): TextOf {
    const gate = gateOf(this.folder);
    return (path) => attempt(() => readFile(gate, repositoryFile(path)?.file ?? "")?.text);
  }

  /** What the repository's file for agents leaves of its documents. */
  #wanted(): (file: string) => boolean {
    const lines = markerFiles([this.folder]).map(({ file }) => findDocsLine(readSmall(file) ?? ""));
    const kept = lines.find((line) => line !== undefined)?.names.map(pathKey);
    if (kept === undefined) return isRepositoryDocument;
    const isKept = (file: string) => kept.some((name) => `${pathKey(file)}/`.startsWith(`${name}/`));
    return (file) => isRepositoryDocument(file) && isKept(file);
  }

  async #list(): Promise<readonly string[]> {
    if (this.#names !== undefined && this.#isListed()) return this.#names;
    this.#listing ??= this.#listNow().finally(() => {
      this.#listing = undefined;
    });
    if (this.#names === undefined) return this.#listing;
    return Promise.race([this.#listing, sleep(LIST_MS, this.#names, { ref: false })]);
  }

  async #listNow(): Promise<readonly string[]> {
    const listed = await this.#options.git(this.folder, LISTED);
    // What git left out once, a git that fails for a moment does not bring in.
    const before = repositoryOf(this.folder) === undefined ? undefined : this.#names;
    const names = listed === undefined ? (before ?? walkDocuments(this.folder)) : listed.split("\0");
    const changedAt = newestChange(this.folder, names);
    const [newest, until] = [changedAt(), elapsed() + LISTED_MS];
    const holds = listed !== undefined && this.#options.clock.now().getTime() - newest > SETTLED_MS;
    this.#isListed = () => holds && elapsed() < until && changedAt() === newest;
    this.#names = names;
    return names;
  }
}
