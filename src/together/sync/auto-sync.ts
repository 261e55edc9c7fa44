import { setTimeout as sleep } from "node:timers/promises";
import { seeing, sightNow } from "../../core/history/sight.ts";
import type { Log } from "../../core/lib/log.ts";
import { createQueue } from "../../core/lib/queue.ts";
import { projectOf } from "../../core/notes/names.ts";
import type { Sharing, SharingState } from "../../core/workspace/sharing.ts";
import { isChangedHere } from "./commits.ts";
import { syncOnce } from "./round.ts";
import { readSync, type Synced, syncedOf } from "./settings.ts";
import { isWell, syncState } from "./state.ts";
import type { Syncing, SyncReport } from "./syncing.ts";

interface AutoOptions extends Omit<Syncing, "folder" | "signal"> {
  /** The user's state folder. */
  state: string;
  log: Log;
}

const START_MS = 1_000;
/** After a write: more may follow. */
const CALM_MS = 4_000;
const EVERY_MS = 180_000;
/** A call waits no longer; the round goes on. */
const MAX_WAIT_MS = 20_000;
const NO_ANSWER = "the remote does not answer";

/** Syncs by itself what was set up for it: when a server starts, after writes, and every few minutes. */
export class AutoSync implements Sharing {
  readonly #options: AutoOptions;
  readonly #stop = new AbortController();
  readonly #rounds = createQueue();
  readonly #problems = new Map<string, string>();
  /** Folders with a round for which a call waited too long. */
  readonly #late = new Set<string>();
  #interval: NodeJS.Timeout | undefined;
  #unfollow: (() => void) | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(options: AutoOptions) {
    this.#options = options;
  }

  start(): void {
    const jitter = EVERY_MS * (0.8 + Math.random() * 0.4);
    this.#interval = setInterval(() => void this.#syncAll(), jitter).unref();
    this.#plan(START_MS);
  }

  covers(project: string): boolean {
    return this.#folderOf(project) !== undefined;
  }

  async exchange(project: string): Promise<string | null> {
    const folder = this.#folderOf(project);
    if (folder === undefined) return null;
    // The next call does not wait as long for the same round.
    if (this.#late.has(folder)) return NO_ANSWER;
    const round = this.#sync(folder);
    const report = await Promise.race([round, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    if (report?.problem !== undefined && sightNow() !== undefined) return "the operator's log says why";
    if (report !== undefined) return report.problem ?? null;
    this.#late.add(folder);
    void round.finally(() => this.#late.delete(folder));
    return NO_ANSWER;
  }

  async isOwn(project: string, path: string): Promise<boolean> {
    const folder = this.#folderOf(project);
    return folder !== undefined && isChangedHere({ ...this.#options, folder }, path);
  }

  state(project?: string): SharingState | undefined {
    // What it says may be of any project.
    if (sightNow() !== undefined) return undefined;
    const all = project === undefined ? this.#synced() : this.#syncedWith(project);
    const settings = all.map((each) => each.settings);
    // The one that needs a person comes first.
    const [first] = settings.sort((a, b) => Number(isWell(a)) - Number(isWell(b)));
    if (first === undefined) return undefined;
    const { synced = null, last } = first;
    const kept = settings.flatMap((each) => each.kept);
    return {
      text: syncState(first, this.#options.workspace.clock.now()),
      synced,
      unsent: last?.unsent ?? 0,
      problem: last?.problem,
      kept: kept
        .filter(({ path }) => project === undefined || projectOf(path) === project)
        .map(({ path, change }) => ({ path, change })),
    };
  }

  async close(): Promise<void> {
    clearInterval(this.#interval);
    clearTimeout(this.#soon);
    this.#unfollow?.();
    this.#stop.abort();
    await this.#rounds.busy();
  }

  #plan(ms: number): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#syncAll(), ms).unref();
  }

  async #syncAll(): Promise<void> {
    const all = this.#synced();
    if (all.length > 0) this.#follow();
    for (const { folder } of all) await this.#sync(folder);
  }

  /** Changes are followed only if they go somewhere: a follower costs a sync of the index after each. */
  #follow(): void {
    if (this.#unfollow !== undefined || this.#stop.signal.aborted) return;
    const follower = { isWaiting: () => this.#synced().length > 0, notify: () => this.#plan(CALM_MS) };
    const { index } = this.#options.workspace;
    this.#unfollow = index.follow(follower);
    // What the first sync of the index finds counts as old.
    void index.query(() => {}).catch(() => {});
  }

  /** One after the other; never throws. */
  #sync(folder: string): Promise<SyncReport | undefined> {
    return this.#rounds.run(async () => {
      if (this.#stop.signal.aborted || readSync(folder) === undefined) return undefined;
      try {
        // Whoever waits for it, a round is of all projects.
        const report = await seeing(undefined, () =>
          syncOnce({ ...this.#options, folder, signal: this.#stop.signal }),
        );
        if (!this.#stop.signal.aborted) this.#tell(folder, report);
        return report;
      } catch (error) {
        this.#options.log.debug(`sync: ${error instanceof Error ? error.message : error}`);
        return undefined;
      }
    });
  }

  /** A problem is said once. */
  #tell(folder: string, { problem }: SyncReport): void {
    const known = this.#problems.get(folder);
    if (problem !== undefined && problem !== known) this.#options.log.warn(`not synced: ${problem}`);
    if (problem === undefined) this.#problems.delete(folder);
    else this.#problems.set(folder, problem);
  }

  #synced(): Synced[] {
    const { state, workspace } = this.#options;
    return syncedOf(state, workspace.root);
  }

  #syncedWith(project: string): Synced[] {
    return this.#synced().filter(({ settings }) => [undefined, project].includes(settings.project));
  }

  #folderOf(project: string): string | undefined {
    return this.#syncedWith(project)[0]?.folder;
  }
}
