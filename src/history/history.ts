import { AsyncLocalStorage } from "node:async_hooks";
import type { HistoryBounds } from "../config/history.ts";
import type { Clock } from "../lib/clock.ts";
import { UserError } from "../lib/errors.ts";
import { escapeLine, quoteName } from "../lib/escape.ts";
import { pathKey } from "../lib/file-names.ts";
import type { Log } from "../lib/log.ts";
import { pauses } from "../lib/pauses.ts";
import { projectOf } from "../notes/names.ts";
import { changeFile, type FileChange, presentContent, presentMode } from "../storage/change-file.ts";
import { realPath } from "../storage/folders.ts";
import { attempt, explain } from "../storage/fs-errors.ts";
import type { Lock } from "../storage/locks.ts";
import type { KnownNames } from "../storage/new-file.ts";
import { partsBelow } from "../storage/path-gate.ts";
import { createProjectLocks, type LockOf, type LockProjects } from "../storage/project-locks.ts";
import { contentOf, crypto, type FileContent } from "../storage/read.ts";
import { blobMode, readBlob, saveBlob } from "./blobs.ts";
import { Journal } from "./journal.ts";
import { findKey, makeKey, sign } from "./machine-key.ts";
import { isPruneDue, prune, purge } from "./prune.ts";
import { type Change, MAX_CHANGES, type Operation } from "./record.ts";
import { appendRecord } from "./record-log.ts";

/** Who changes files; `made` is the project that the change makes. */
export interface Actor {
  tool: string;
  client: string;
  /** The name that an agent gave for itself. */
  agent?: string | undefined;
  /** Whether a person acts, at the terminal or the board. */
  isPerson?: boolean;
  made?: string;
  /** Hears the id of each operation that happened and is kept. */
  onChange?(id: string): void;
}

export interface HistoryOptions {
  root: string;
  /** The user's state folder. */
  state: string | undefined;
  bounds: HistoryBounds;
  clock: Clock;
  log: Log;
}

/** What an operation may say besides its changes. */
type Extra = Pick<Operation, "undoes">;

const MAX_CLIENT_CHARS = 60;

/** Stores what this server replaces, moves and removes, before it does. */
export class History {
  readonly root: string;
  readonly #options: HistoryOptions;
  readonly #journal: Journal;
  readonly #lock: LockProjects;
  readonly #actor = new AsyncLocalStorage<Actor>();
  #pruning: Promise<void> | undefined;

  constructor(options: HistoryOptions) {
    this.root = options.root;
    this.#options = options;
    this.#journal = new Journal(options.root, options.state);
    this.#lock = createProjectLocks(options.root);
  }

  /** Runs `work` under the name of a tool and a client; parts that are left out stay as they are. */
  acting<T>(actor: Partial<Actor>, work: () => T): T {
    return this.actingAlone({ ...this.#present(), ...actor }, work);
  }

  /** Runs `work` under these names alone, whatever call waits for it. */
  actingAlone<T>({ client, agent, ...rest }: Actor, work: () => T): T {
    const names = {
      client: escapeLine(client, MAX_CLIENT_CHARS),
      ...(agent !== undefined && { agent: escapeLine(agent, MAX_CLIENT_CHARS) }),
    };
    return this.#actor.run({ ...rest, ...names }, work);
  }

  /**
   * Records the change of one file (absolute, link-free) and makes it with `write`, which must wait for `ready`, the storage of
   * the old bytes, before it replaces them. A file outside the workspace has no history. Throws FILESYSTEM_ERROR if bytes that
   * would be replaced cannot be stored.
   */
  async recorded<T>(
    { file, ...change }: { file: string } & Pick<FileChange, "before" | "after">,
    write: (ready?: Promise<unknown>) => Promise<T>,
  ): Promise<T> {
    const path = partsBelow(realPath(this.root), file)?.join("/");
    if (path === undefined) return write();
    const { result } = await this.#record([{ path, ...change }], {}, write);
    return result;
  }

  /**
   * Makes the changes in their order, as one operation under the locks of all their projects (`locked`): all of them or none,
   * also after a crash. Returns the id of the operation, which takes it back; undefined if no history is kept.
   */
  async changeAll(
    changes: readonly FileChange[],
    lockOf: LockOf,
    extra: Extra = {},
  ): Promise<string | undefined> {
    if (changes.length > MAX_CHANGES) throw tooMany(changes.length);
    const { root } = this;
    const { id } = await this.#record(changes, { ...extra, lockOf }, async (ready) => {
      if (changes.length > 1) await ready;
      const known: KnownNames = new Map();
      const pause = pauses();
      for (const change of changes) {
        await changeFile(root, change, { lock: lockOf(projectOf(change.path)), ready, known });
        await pause();
      }
    });
    return id;
  }

  /** Logs the changes and stores the old bytes while `write` makes them; if it fails, they are undone or declared void. */
  async #record<T>(
    changes: readonly FileChange[],
    { lockOf, undoes }: Extra & { lockOf?: LockOf },
    write: (ready?: Promise<unknown>) => Promise<T>,
  ): Promise<{ result: T; id: string | undefined }> {
    const { on } = this.#options.bounds;
    const isWhole = changes.length > 1;
    // Without a history, only the interruption of several changes may need their old bytes.
    if (!on && !isWhole) return { result: await write(), id: undefined };
    const operation = this.#operation(changes, undoes === undefined ? {} : { undoes });
    const isLogged = await this.#begin(operation, changes);
    const ready = this.#storeAll(changes);
    ready?.catch(() => {}); // `write` may fail before it waits.
    try {
      const result = await write(ready);
      if (isWhole) this.#journal.close(operation.id);
      if (isLogged) this.#present().onChange?.(operation.id);
      return { result, id: isLogged ? operation.id : undefined };
    } catch (error) {
      await ready?.catch(() => {});
      if (isWhole && lockOf !== undefined)
        await this.#rollBack(operation, lockOf).catch((reason: unknown) => this.#warnOpen(reason));
      else if (isLogged) attempt(() => this.#voidUnlessDone(operation));
      throw error;
    } finally {
      this.#pruneIfDue();
    }
  }

  /**
   * Runs `work` while no other work on these projects runs, in any process. What a process left half changed there is undone
   * first.
   */
  async locked<T>(projects: readonly string[], work: (lockOf: LockOf) => Promise<T>): Promise<T> {
    await this.recover(projects);
    let isRetried = false;
    for (;;) {
      const done = await this.#lock(projects, async (lockOf) => {
        // The process whose lock was taken over may have left something.
        if (!isRetried && this.#interrupted(projects).length > 0) return undefined;
        return { value: await work(lockOf) };
      });
      if (done !== undefined) return done.value;
      isRetried = true;
      await this.recover(projects);
    }
  }

  /** Undoes what was interrupted in these projects (default: all), once no process holds their locks. */
  async recover(projects?: readonly string[]): Promise<void> {
    this.#journal.setAside();
    for (const operation of this.#interrupted(projects)) {
      try {
        await this.#lock(projectsOf(operation), async (lockOf) => {
          const isOpen = this.#journal.read().some(({ id }) => id === operation.id);
          if (!isOpen) return;
          await this.#logRollBack(operation);
          await this.#rollBack(operation, lockOf);
        });
      } catch (error) {
        this.#warnOpen(error);
      }
    }
  }

  /** The operations on these projects that are running or were interrupted. */
  #interrupted(projects?: readonly string[]): Operation[] {
    const keys = projects && new Set(projects.map(pathKey));
    return this.#journal
      .read()
      .filter(
        (operation) => keys === undefined || projectsOf(operation).some((name) => keys.has(pathKey(name))),
      );
  }

  /** For a server that starts: undoes what was interrupted, and removes what is too old or too much. */
  async maintain(): Promise<void> {
    await this.recover();
    this.#pruneIfDue();
  }

  /** Removes the history of one path, or all of it. */
  purge(path?: string): Promise<void> {
    const now = this.#options.clock.now().getTime();
    return purge(this.root, { path, now, open: () => this.#journal.read() });
  }

  /** Who changes files now. */
  get client(): string {
    return this.#present().client;
  }

  /** Whether a person changes files now. */
  get isPerson(): boolean {
    return this.#present().isPerson ?? false;
  }

  /** Makes the key of this user on this machine, if there is none. */
  async makeKey(): Promise<void> {
    const { state } = this.#options;
    if (state !== undefined) await makeKey(state);
  }

  /** Signs texts for a use with that key: no other machine can. Undefined without a key. */
  signer(...use: readonly string[]): ((...parts: readonly string[]) => string) | undefined {
    const { state } = this.#options;
    const key = state && findKey(state);
    return key ? (...parts) => sign(key, ...use, ...parts) : undefined;
  }

  async close(): Promise<void> {
    await this.#pruning;
  }

  #present(): Actor {
    return this.#actor.getStore() ?? { tool: "", client: "vibe-mcp" };
  }

  #operation(changes: readonly FileChange[], extra: Extra): Operation {
    const time = this.#options.clock.now().toISOString();
    const { isPerson: _, onChange: __, ...actor } = this.#present();
    return {
      id: newId(),
      time,
      ...actor,
      pid: process.pid,
      changes: changes.map((change) => describe(this.root, change)),
      ...extra,
    };
  }

  /** Notes changes that are about to happen; false if they are not logged, which is no obstacle if nothing is replaced. */
  async #begin(operation: Operation, changes: readonly FileChange[]): Promise<boolean> {
    const [{ path } = { path: "" }] = changes;
    const { on } = this.#options.bounds;
    try {
      if (changes.length > 1) await this.#journal.open(operation);
      if (on) appendRecord(this.root, operation);
      return on;
    } catch (error) {
      attempt(() => this.#journal.close(operation.id));
      if (changes.length > 1 || changes.some(({ before }) => before !== null)) throw notStored(path, error);
      this.#options.log.warn(`${path} is not in the history: ${explain(error)}`);
      return false;
    }
  }

  /** Undefined if nothing is replaced. */
  #storeAll(changes: readonly FileChange[]): Promise<void> | undefined {
    const replaced = changes.flatMap(({ path, before }) => (before === null ? [] : [{ path, before }]));
    if (replaced.length === 0) return undefined;
    const store = async () => {
      const pause = pauses();
      for (const { path, before } of replaced) {
        await this.#store(path, before);
        await pause();
      }
    };
    return store();
  }

  async #store(path: string, before: FileContent): Promise<void> {
    try {
      await saveBlob(this.root, path, before);
    } catch (error) {
      throw notStored(path, error);
    }
  }

  /** A write that fails at its end, as on a network disk, may have happened all the same. */
  #voidUnlessDone({ id, changes }: Operation): void {
    const isDone = changes.some(({ path, after }) => hashOrNull(presentContent(this.root, path)) === after);
    if (!isDone) this.#void(id);
  }

  #void(id: string): void {
    appendRecord(this.root, { void: id, time: this.#options.clock.now().toISOString() });
  }

  /** What a rollback replaces is kept like that of any change. */
  async #logRollBack({ id, tool, client, changes }: Operation): Promise<void> {
    if (!this.#options.bounds.on) return;
    const reverted: Change[] = [];
    for (const { path, before, after } of [...changes].reverse()) {
      const now = presentContent(this.root, path);
      if (before === after || hashOrNull(now) !== after) continue;
      if (now !== null) await this.#store(path, now);
      reverted.push({ ...describe(this.root, { path, before: now, after: null }), after: before });
    }
    if (reverted.length === 0) return;
    appendRecord(this.root, { ...this.#operation([], { undoes: id }), tool, client, changes: reverted });
  }

  /** Gives the files of an operation their old bytes. Files that others changed meanwhile stay. */
  async #rollBack(operation: Operation, lockOf: LockOf): Promise<void> {
    const left: Change[] = [];
    for (const change of [...operation.changes].reverse()) {
      const isBack = await this.#revert(change, lockOf(projectOf(change.path)));
      if (!isBack) left.push(change);
    }
    for (const { path } of left)
      this.#options.log.warn(`an interrupted change was undone, but ${path} has changed since and stays`);
    if (this.#options.bounds.on) this.#voidAllBut(operation, left);
    this.#journal.close(operation.id);
  }

  /** An operation that did not happen; the old bytes of files that others changed meanwhile can still be restored. */
  #voidAllBut({ undoes: _, ...operation }: Operation, changes: Change[]): void {
    if (changes.length > 0) appendRecord(this.root, { ...operation, id: newId(), changes, partial: true });
    this.#void(operation.id);
  }

  async #revert({ path, before, after, bytes, mode }: Change, lock: Lock): Promise<boolean> {
    const now = presentContent(this.root, path);
    const hash = hashOrNull(now);
    if (hash === before) return true;
    const old = before === null ? null : readBlob(this.root, before, bytes);
    if (hash !== after || old === undefined || old === "damaged") return false;
    const bits = mode ?? (before === null ? undefined : blobMode(this.root, before));
    const restored = old === null ? null : contentOf(old);
    await changeFile(this.root, { path, before: now, after: restored, mode: bits }, { lock });
    return true;
  }

  #warnOpen(error: unknown): void {
    const reason = `an interrupted change is not undone yet: ${explain(error)}`;
    this.#options.log.warn(`${reason}. The next write tries again`);
  }

  #pruneIfDue(): void {
    const now = this.#options.clock.now().getTime();
    if (this.#pruning !== undefined || attempt(() => isPruneDue(this.root, now)) !== true) return;
    this.#pruning = prune(this.root, this.#options.bounds, { now, open: () => this.#journal.read() })
      .catch((error: unknown) => this.#options.log.warn(`the history was not pruned: ${explain(error)}`))
      .finally(() => {
        this.#pruning = undefined;
      });
  }
}

function newId(): string {
  return crypto().randomBytes(6).toString("hex");
}

export function projectsOf({ changes }: Pick<Operation, "changes">): string[] {
  return [...new Set(changes.map(({ path }) => projectOf(path)))];
}

export function hashOrNull(content: FileContent | null): string | null {
  return content?.hash ?? null;
}

function describe(root: string, { path, before, after }: FileChange): Change {
  const mode = before === null ? undefined : presentMode(root, path);
  return {
    path,
    before: hashOrNull(before),
    after: hashOrNull(after),
    bytes: before?.bytes.length ?? 0,
    ...(mode !== undefined && { mode }),
  };
}

function tooMany(count: number): UserError {
  const message = `This would change ${count} files at once; ${MAX_CHANGES} is the limit. Do it in parts.`;
  return new UserError("INVALID_ARGUMENT", message);
}

function notStored(path: string, error: unknown): UserError {
  const message = `Could not keep the old text of ${quoteName(path)}: ${explain(error)}. Nothing was changed. Fix that and try again, or start the server with --history off.`;
  return new UserError("FILESYSTEM_ERROR", message, { cause: error });
}
