import type { Config } from "../config.ts";
import { type DocumentFacts, describeDocument, locateDocument } from "../domain/document.ts";
import { fileError } from "../files/errors.ts";
import { readContent } from "../files/read.ts";
import { DEFAULT_DAMPING } from "../index/boosts.ts";
import { type KnownFile, listStamps } from "../index/catalog.ts";
import { type Filter, type SearchAnswer, search } from "../index/search.ts";
import type { Clock } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import { SqliteError } from "../sqlite/error.ts";
import type { SqlDatabase } from "../sqlite/types.ts";
import { type DocumentName, findDocument, findProject } from "./locate.ts";
import { type Mirror, openMirror } from "./mirror.ts";
import { type SyncOptions, type SyncStats, syncIndex } from "./sync.ts";

export interface WorkspaceOptions {
  config: Pick<Config, "root" | "db" | "dbNamed" | "readOnly" | "boost" | "reindex">;
  clock: Clock;
  log: Log;
}

/** A document read from disk. */
export interface WorkspaceDocument {
  project: string;
  folder: string;
  filename: string;
  path: string;
  /** The whole file, frontmatter included. */
  text: string;
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
  /** Milliseconds since 1970. */
  mtime: number;
  facts: DocumentFacts;
}

/** Files and index kept in step: what a call reads is what is on disk when it is made. */
export interface Workspace {
  readonly root: string;
  readonly clock: Clock;
  /** Runs `read` on an index that is in step with the disk; an index that breaks is rebuilt and asked again. */
  query<T>(read: (db: SqlDatabase) => T): Promise<T>;
  search(request: { query: string; filter: Filter; limit: number }): Promise<SearchAnswer>;
  /** The name of a project as it is on disk. Throws PROJECT_NOT_FOUND. */
  findProject(name: string): string;
  read(name: DocumentName): WorkspaceDocument;
  sync(options: SyncOptions): Promise<SyncStats>;
  /** Persists what is pending; nothing may be called afterwards. */
  close(): Promise<void>;
}

interface State {
  mirror: Promise<Mirror>;
  /** What is indexed, by path; undefined until it is read from the index. */
  known: Map<string, KnownFile> | undefined;
  named: Set<string>;
  /** The sync that runs, and the one that starts after it: a caller is served by the first that starts after its call. */
  running: Promise<unknown> | undefined;
  waiting: Promise<unknown> | undefined;
}

/** Starts loading the index at once and answers calls when it is ready. */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  const { config, clock } = options;
  const state: State = {
    mirror: openMirror(options),
    known: undefined,
    named: new Set(),
    running: undefined,
    waiting: undefined,
  };
  state.mirror.catch(() => {}); // The first call that needs it reports the failure.
  const query = <T>(read: (db: SqlDatabase) => T): Promise<T> =>
    recovering(options, state, async (mirror) => {
      for (;;) {
        const db = mirror.db();
        await current(options, state, mirror);
        // A recovery on behalf of another call may have replaced the index meanwhile.
        if (mirror.db() === db) return read(db);
      }
    });
  return {
    root: config.root,
    clock,
    query,
    search: (request) => {
      const rest = { now: clock.now().getTime(), damping: config.boost ?? DEFAULT_DAMPING };
      return query((db) => search(db, { ...request, ...rest }));
    },
    findProject: (name) => findProject(config.root, name),
    read: (name) => readDocument(config.root, name),
    sync: (sync) =>
      recovering(options, state, (mirror) =>
        exclusively(state, () => runSync(options, state, { mirror, sync })),
      ),
    close: async () => {
      await state.running?.catch(() => {});
      await (await state.mirror).close();
    },
  };
}

/** Waits for a sync that starts no earlier than now; callers that wait for the same start share it. */
function current(options: WorkspaceOptions, state: State, mirror: Mirror): Promise<unknown> {
  if (state.running === undefined)
    return exclusively(state, () => runSync(options, state, { mirror, sync: {} }));
  state.waiting ??= state.running
    .catch(() => {})
    .then(() => {
      state.waiting = undefined;
      return current(options, state, mirror);
    });
  return state.waiting;
}

async function exclusively<T>(state: State, run: () => Promise<T>): Promise<T> {
  while (state.running !== undefined) await state.running.catch(() => {});
  const running = run();
  state.running = running;
  try {
    return await running;
  } finally {
    if (state.running === running) state.running = undefined;
  }
}

async function runSync(
  { config, clock, log }: WorkspaceOptions,
  state: State,
  { mirror, sync }: { mirror: Mirror; sync: SyncOptions },
): Promise<SyncStats> {
  const db = mirror.db();
  state.known ??= new Map(listStamps(db).map((known) => [known.path, known]));
  const context = { root: config.root, clock, log, db, known: state.known, named: state.named };
  const { stats, changed } = await syncIndex(context, sync);
  if (changed) mirror.changed();
  return stats;
}

/** The index is disposable: when it breaks, it starts anew from the files and the call that met it goes on. */
async function recovering<T>(
  { log }: WorkspaceOptions,
  state: State,
  run: (mirror: Mirror) => Promise<T>,
): Promise<T> {
  const mirror = await state.mirror;
  const db = mirror.db();
  try {
    return await run(mirror);
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    await exclusively(state, async () => {
      if (mirror.db() !== db) return;
      log.warn(`the index failed (${error.kind}): rebuilding it from the files`);
      await mirror.reset();
      state.known = undefined;
    });
    return run(mirror).catch((again: unknown) => {
      throw again instanceof SqliteError ? indexError(again) : again;
    });
  }
}

function indexError(cause: SqliteError): UserError {
  const message =
    cause.kind === "nomem" || cause.kind === "full"
      ? "The workspace is larger than the index can hold. Serve a smaller root, or move what is not searched elsewhere."
      : "The index failed twice. The files are unharmed: restart the server with --reindex.";
  return new UserError("INDEX_ERROR", message, { cause });
}

function readDocument(root: string, name: DocumentName): WorkspaceDocument {
  const { path, file, stats } = findDocument(root, name);
  const location = locateDocument(path);
  if (location === null) throw new Error(`not the path of a document: ${path}`);
  try {
    const { text, hash } = readContent(file);
    return { ...location, path, text, hash, mtime: stats.mtimeMs, facts: describeDocument(location, text) };
  } catch (error) {
    throw fileError("read", path, error);
  }
}
