import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Recorded, recordedMoves } from "../history/recorded-moves.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { pauses } from "../lib/pauses.ts";
import { counted } from "../lib/text.ts";
import { presentContent } from "../storage/change-file.ts";
import { attempt, explain } from "../storage/fs-errors.ts";
import { withLock } from "../storage/locks.ts";
import { moveDocuments } from "../workspace/move.ts";
import type { DocumentMove } from "../workspace/move-check.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type Applied, apply, type Target } from "./apply.ts";
import { findMoves } from "./identity.ts";
import type { Listing } from "./listing.ts";
import { type LostClaim, mergeMeetings } from "./merge-meetings.ts";
import { NOTHING_RECORDED } from "./moves.ts";
import { besides, reconcileInPlace } from "./places.ts";
import { type Reconciled, reconcile, recordedAfter, type Sides } from "./reconcile.ts";
import { repairLinks } from "./repair-links.ts";
import { checkSize, type SizeOf } from "./round-size.ts";
import { type Kept, readSync, type SyncSettings, writeSync } from "./settings.ts";
import { blobId, type Snapshot, Snapshots } from "./snapshot.ts";
import { type Entry, Store, type Tree } from "./store.ts";

export interface Syncing {
  workspace: Workspace;
  /** Of this workspace or project, in the user's state folder. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Stops it. */
  signal?: AbortSignal;
}

export interface SyncReport {
  /** Paths of files that others changed, and of those that were sent. */
  received: string[];
  sent: string[];
  /** Notes for which a person has to decide, old ones too. */
  kept: Kept[];
  /** Notes whose path or task number others used first. */
  renumbered: DocumentMove[];
  /** Claims that were made here after somebody else had made theirs. */
  lost: LostClaim[];
  /** What others sent and this machine refuses. */
  refused: { path: string; reason: string }[];
  /** What stays here. */
  skipped: { path: string; reason: string }[];
  /** Why the round failed, as the end of a sentence. */
  problem?: string;
  /** Files that the remote does not have yet. */
  unsent: number;
}

const REMOTE = "refs/vibe/remote";
const BASE = "refs/vibe/base";
/** The last commit of the remote that was taken over. */
const SEEN = "refs/vibe/seen";
/** What is being pushed, and what was here then: `refs/vibe/push/001` with `refs/vibe/here/001`, … */
const PUSH = "refs/vibe/push/";
const HERE = "refs/vibe/here/";
/** So many pushes are remembered whose end is unknown. */
const MAX_PUSHES = 20;

/** A hidden file, so it never reaches a disk: it says that the branch holds notes, and of what. */
const MARKER = ".vibe-sync";
const MAX_TRIES = 12;
const RETRY_MS = 200;

/** Brings files and remote together once; one process does it at a time. The report says if it failed. */
export function syncOnce(syncing: Syncing, how: How = {}): Promise<SyncReport> {
  return withLock(syncing.folder, "sync", () => new SyncRound(syncing, how).run(), true);
}

export interface How {
  dryRun?: boolean;
  /** A person agreed to whatever size the changes of others have. */
  isLarge?: boolean;
}

/** Whether the newest change of a file on the remote, as far as it is known, was made here. */
export async function isChangedHere(
  { folder, env }: Pick<Syncing, "folder" | "env">,
  path: string,
): Promise<boolean> {
  const { machine, project } = readSync(folder) ?? {};
  const inner = project === undefined ? path : path.slice(project.length + 1);
  return (await new Store(folder, env).machineOf(REMOTE, inner)) === machine;
}

class SyncRound {
  readonly #workspace: Workspace;
  readonly #folder: string;
  readonly #settings: SyncSettings;
  readonly #store: Store;
  readonly #snapshots: Snapshots;
  readonly #dryRun: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #isLarge: boolean;
  readonly #author: string;
  readonly #report: SyncReport = {
    received: [],
    sent: [],
    kept: [],
    lost: [],
    renumbered: [],
    refused: [],
    skipped: [],
    unsent: 0,
  };
  readonly #prefix: string;
  readonly #received = new Set<string>();
  readonly #sent = new Set<string>();
  /** Once notes here made way: more than the history says. */
  #recorded: Recorded | undefined;
  readonly #listings = new Map<string, Listing>();
  /** Why the last push of this round was refused. */
  #refused: UserError | undefined;
  /** As of the beginning of this try, and as this round has set them since. */
  #refs = new Map<string, string>();

  constructor({ workspace, folder, env, signal }: Syncing, { dryRun = false, isLarge = false }: How) {
    const settings = readSync(folder);
    if (settings === undefined) throw new UserError("INVALID_ARGUMENT", "These notes are not synced.");
    this.#workspace = workspace;
    this.#folder = folder;
    this.#settings = settings;
    this.#dryRun = dryRun;
    this.#signal = signal;
    this.#isLarge = isLarge;
    this.#store = new Store(folder, env, signal);
    this.#snapshots = new Snapshots(workspace.root, settings.project, folder);
    this.#prefix = settings.project === undefined ? "" : `${settings.project}/`;
    const user = env["USER"] ?? env["USERNAME"];
    this.#author = user === undefined ? hostname() : `${user} on ${hostname()}`;
  }

  async run(): Promise<SyncReport> {
    const report = this.#report;
    try {
      await this.#exchange();
    } catch (error) {
      report.problem = explain(error);
      await this.#store.clear();
      report.unsent = await this.#unsent().catch(() => this.#settings.last?.unsent ?? 0);
    }
    report.received = [...this.#received].sort();
    report.sent = [...this.#sent].sort();
    report.kept = this.#settings.kept;
    try {
      if (!this.#dryRun) await this.#remember();
    } catch (error) {
      report.problem ??= explain(error);
    }
    return report;
  }

  async #exchange(): Promise<void> {
    await this.#store.open();
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      this.#refs = await this.#store.refs();
      const theirs = await this.#fetch();
      const base = await this.#base(theirs);
      const isDone = await this.#meet(base, theirs);
      if (!isDone) continue;
      if (this.#sent.size + this.#received.size > 0 && !this.#dryRun) await this.#store.tidy();
      return;
    }
    throw this.#refused ?? new UserError("CONFLICT", "notes keep changing; the next round goes on");
  }

  /** How many files the remote does not have, as far as it is known. */
  async #unsent(): Promise<number> {
    const [remote, base] = [REMOTE, BASE].map((ref) => this.#refs.get(ref));
    // What is there may be too large.
    const { tree } = await this.#listing(remote).catch(() => this.#listing(base));
    return differences(tree, (await this.#snapshots.take()).tree).length;
  }

  /** The newest commit of the remote; undefined if it has none. */
  async #fetch(): Promise<string | undefined> {
    const tip = await this.#store.remoteTip(this.#settings);
    if (tip === undefined) return undefined;
    const known = this.#refs.get(REMOTE);
    if (tip !== known) {
      await this.#store.fetch(this.#settings, { isFirst: known === undefined, isLarge: this.#isLarge });
      this.#refs = await this.#store.refs();
    }
    return this.#refs.get(REMOTE);
  }

  /** What both sides last agreed on; undefined if they never did, or the remote began anew. */
  async #base(theirs: string | undefined): Promise<string | undefined> {
    await this.#settlePushes(theirs);
    const seen = this.#refs.get(SEEN);
    if (theirs === undefined || seen === undefined) return undefined;
    return (await this.#isPart(seen, theirs)) ? this.#refs.get(BASE) : undefined;
  }

  /**
   * Of earlier pushes whose end is unknown, one that has arrived is agreed on. A push can still arrive, even if its process has ended, as
   * long as it follows the newest commit of the remote.
   */
  async #settlePushes(theirs: string | undefined): Promise<void> {
    const pushes = [...this.#refs].filter(([ref]) => ref.startsWith(PUSH));
    for (const [at, [ref, commit]] of pushes.entries()) {
      const here = ref.replace(PUSH, HERE);
      const isThere = theirs !== undefined && (await this.#isPart(commit, theirs));
      if (isThere) await this.#name({ [BASE]: this.#refs.get(here), [SEEN]: commit });
      const isOpen = !isThere && (theirs === undefined || (await this.#isPart(theirs, commit)));
      if (!isOpen || at < pushes.length - MAX_PUSHES)
        await this.#name({ [ref]: undefined, [here]: undefined });
    }
  }

  async #isPart(older: string, newer: string): Promise<boolean> {
    return older === newer || this.#store.isAncestor(older, newer);
  }

  /** Sets refs that name something else now. */
  async #name(commits: Readonly<Record<string, string | undefined>>): Promise<void> {
    const changed = Object.entries(commits).filter(([ref, commit]) => this.#refs.get(ref) !== commit);
    if (changed.length === 0) return;
    await this.#store.setRefs(Object.fromEntries(changed));
    for (const [ref, commit] of changed)
      if (commit === undefined) this.#refs.delete(ref);
      else this.#refs.set(ref, commit);
  }

  /** True once nothing is left to do. */
  async #meet(base: string | undefined, theirs: string | undefined): Promise<boolean> {
    const started = this.#workspace.clock.now().toISOString();
    const pause = pauses();
    const all = await this.#sides(base, theirs, await this.#snapshots.take());
    await pause();
    const reconciled = await reconcileInPlace(all, (placed) => this.#reconcile(placed, base));
    const { sides, tree, meetings, notes, isUnsettled } = reconciled;
    this.#report.skipped = [...this.#report.skipped, ...reconciled.blocked];
    await pause();
    const sizeOf = await this.#sizes(sides, reconciled);
    if (await this.#makeWay(reconciled)) return false;
    const { merged, contradictions, lost } = await mergeMeetings(this.#store, this.#workspace.root, meetings);
    const target: Target = new Map<string, string | Buffer>([...tree, ...merged]);
    const outgoing = differences(sides.theirs, target);
    const incoming = differences(sides.ours, target);
    this.#report.unsent = outgoing.length;
    if (this.#dryRun) {
      for (const [path] of outgoing) this.#sent.add(path);
      for (const [path] of incoming) this.#received.add(path);
      return true;
    }
    const authors = theirs === undefined || incoming.length === 0 ? [] : await this.#authors(theirs);
    const hasNews = outgoing.length > 0 || theirs === undefined;
    const seen = hasNews ? await this.#send({ base, theirs, sides, outgoing }) : theirs;
    if (seen === undefined) return false;
    const change = { incoming, ours: sides.ours, contradictions, sizeOf };
    const applied = await this.#acting(authors.slice(0, 3).join(", "), () =>
      apply(this.#workspace, this.#store, change),
    );
    const repaired = await this.#acting("", () => repairLinks(this.#workspace, notes, target));
    this.#keep(applied.kept, repaired);
    // Of what was sent, what is here now is agreed on; else nothing new is.
    await this.#took(applied, seen, hasNews ? sides.ours : sides.base);
    this.#report.lost.push(...lost.filter(({ path }) => applied.written.includes(path)));
    this.#recorded = undefined;
    const isWhole = applied.changedMeanwhile.length + applied.refused.length === 0;
    if (isWhole) this.#settings.agreed = started;
    return applied.changedMeanwhile.length === 0 && repaired.size === 0 && !(isWhole && isUnsettled);
  }

  /** A note whose links this round repairs still needs a decision. */
  #keep(kept: readonly Kept[], repaired: ReadonlySet<string>): void {
    for (const one of [...kept, ...this.#settings.kept]) {
      const now = repaired.has(one.path) && attempt(() => presentContent(this.#workspace.root, one.path));
      if (now) one.shared = blobId(now.bytes);
    }
  }

  /** What the sides make; of a remote that began anew, what both still have is the base. */
  async #reconcile(sides: Sides, base: string | undefined): Promise<Reconciled> {
    const isAgreed = base !== undefined;
    const known = isAgreed ? sides.base : await this.#lastBase(sides.theirs);
    const all = { ...sides, base: known };
    const recorded = this.#recorded ?? (await this.#recordedHere(known));
    const sources = { store: this.#store, snapshots: this.#snapshots, recorded };
    return reconcile(all, { ...(await findMoves(sources, all)), isAgreed });
  }

  /** What tools recorded since the files were read that both sides agree on. */
  async #recordedHere(base: Tree): Promise<Recorded> {
    const { agreed, synced } = this.#settings;
    const since = agreed ?? synced;
    if (since === undefined || base.size === 0) return NOTHING_RECORDED;
    return recordedMoves(this.#workspace.root, since);
  }

  /** What was agreed on with a remote that has begun anew since; of what it has in an older form, that. */
  async #lastBase(theirs: Tree): Promise<Tree> {
    const [base, seen] = [this.#refs.get(BASE), this.#refs.get(SEEN)];
    if (base === undefined || seen === undefined || theirs.size === 0) return new Map();
    const [{ tree: known }, older] = [await this.#listing(base), await this.#store.replacedBlobs(seen)];
    return new Map(
      [...known].map(([path, id]) => {
        const other = theirs.get(path) ?? "";
        return [path, older.has(other) ? other : id];
      }),
    );
  }

  /** True if notes here moved: then all begins anew. */
  async #makeWay(reconciled: Reconciled): Promise<boolean> {
    const { yields } = reconciled;
    if (yields.length === 0) return false;
    this.#report.renumbered.push(...yields);
    if (this.#dryRun) return false;
    await this.#acting("", () => moveDocuments(this.#workspace, yields));
    this.#recorded = recordedAfter(reconciled);
    return true;
  }

  /** The commit that was pushed; undefined if that has to be tried again. */
  async #send(what: Outgoing): Promise<string | undefined> {
    const commits = await this.#commit(what);
    if (commits === undefined) return undefined;
    const { ours, theirs, refs } = commits;
    const refused = await this.#store.push(this.#settings, theirs);
    if (refused !== undefined) {
      await this.#name({ [refs.push]: undefined, [refs.here]: undefined });
      if (!refused.isPassing) throw refused.problem;
      this.#refused = refused.problem;
      await sleep(Math.random() * RETRY_MS);
      return undefined;
    }
    // Earlier ones follow another commit: they cannot arrive any more.
    const over = [...this.#refs.keys()].filter((ref) => ref.startsWith(PUSH) || ref.startsWith(HERE));
    const forgotten = Object.fromEntries(over.map((ref) => [ref, undefined]));
    await this.#name({ ...forgotten, [BASE]: ours, [SEEN]: theirs, [REMOTE]: theirs });
    for (const [path] of what.outgoing) this.#sent.add(path);
    this.#report.unsent = 0;
    return theirs;
  }

  /** The files on all three sides, as far as they can be on this disk. */
  async #sides(base: string | undefined, theirs: string | undefined, snapshot: Snapshot): Promise<Sides> {
    const [{ tree: before }, { tree: other, left }] = [
      await this.#listing(base),
      await this.#listing(theirs),
    ];
    const { tree, unknown, skipped } = snapshot;
    const marker = this.#prefix + MARKER;
    if (theirs !== undefined) this.#checkMarker(left.find(({ path }) => path === marker)?.id);
    const others = left.filter(({ path }) => path !== marker);
    this.#report.refused = others.map(({ path, reason }) => ({ path, reason }));
    const { project } = this.#settings;
    const place = project === undefined ? "the workspace" : quoteName(project);
    if (tree.size === 0 && before.size > 0 && unknown.files.size + unknown.folders.length === 0)
      throw new UserError(
        "CONFLICT",
        `no note is left in ${place}, so nothing was sent. Put them back; or, to stop syncing, use sync --stop`,
      );
    const isUnknown = (path: string) =>
      unknown.files.has(path) || unknown.folders.some((folder) => path.startsWith(`${folder}/`));
    const ours = new Map([...[...before].filter(([path]) => isUnknown(path)), ...tree]);
    this.#settings.kept = this.#settings.kept.filter(({ path, shared }) => ours.get(path) === shared);
    const all = { base: before, ours, theirs: other };
    const { sides, blocked } = besides(all, new Set(others.map(({ path }) => path)));
    this.#report.skipped = [...skipped, ...blocked];
    return sides;
  }

  /** Throws CONFLICT if others changed more than may be taken over at once. */
  async #sizes({ ours }: Sides, reconciled: Reconciled): Promise<SizeOf> {
    const pause = pauses();
    const incoming = comingOf(ours, reconciled);
    await pause();
    const ids = incoming.flatMap(([path, entry]) => [entry, ours.get(path)]).filter((id) => id != null);
    const sizes = await this.#store.sizes(ids);
    const sizeOf: SizeOf = (entry) =>
      typeof entry === "string" ? (sizes.get(entry) ?? 0) : (entry?.length ?? 0);
    checkSize(this.#workspace.root, { sizeOf, incoming, ours }, this.#isLarge);
    return sizeOf;
  }

  async #listing(commit: string | undefined): Promise<Listing> {
    if (commit === undefined) return { tree: new Map(), left: [] };
    const found = this.#listings.get(commit) ?? (await this.#store.listing(commit, this.#prefix));
    this.#listings.set(commit, found);
    return found;
  }

  #checkMarker(found: string | undefined): void {
    if (found === blobId(this.#marker())) return;
    const { branch, project } = this.#settings;
    const holds =
      found === undefined
        ? "something else than notes"
        : project === undefined
          ? "the notes of one project"
          : "the notes of a whole workspace";
    throw new UserError(
      "CONFLICT",
      `the branch ${branch} of the remote holds ${holds}. Choose another branch with --branch, or another remote`,
    );
  }

  #marker(): Buffer {
    return Buffer.from(this.#settings.project === undefined ? "workspace\n" : "project\n");
  }

  /** Commits what is here and what is sent; undefined if a file changed at this moment. */
  async #commit({ base, theirs, sides, outgoing }: Outgoing) {
    const own = await this.#bytesOf(sides);
    if (own === undefined) return undefined;
    const inTree = ([path, entry]: Difference) => [path.slice(this.#prefix.length), entry] as const;
    const here = differences(sides.base, sides.ours).map(([path, entry]): Difference => {
      return [path, own.get(path) ?? entry];
    });
    const marker: Difference[] = theirs === undefined ? [[`${this.#prefix}${MARKER}`, this.#marker()]] : [];
    const about = this.#about();
    const refs = this.#nextPush();
    const [ours = "", sent = ""] = await this.#store.commit([
      { ...about, ref: refs.here, parent: base, message: "Here", changes: here.map(inTree) },
      {
        ...about,
        ref: refs.push,
        parent: theirs,
        message: `Sync ${counted(outgoing.length, "note")} from ${this.#author}`,
        changes: [...marker, ...outgoing].map(inTree),
      },
    ]);
    this.#refs.set(refs.here, ours).set(refs.push, sent);
    return { ours, theirs: sent, refs };
  }

  /** The refs of a push that no earlier one has. */
  #nextPush(): { push: string; here: string } {
    const used = [...this.#refs.keys()].map((ref) =>
      Number(/^refs\/vibe\/(?:push|here)\/(\d+)$/.exec(ref)?.[1] ?? 0),
    );
    const name = String(Math.max(0, ...used) + 1).padStart(6, "0");
    return { push: PUSH + name, here: HERE + name };
  }

  /** The bytes of the files here that neither side of git knows. */
  async #bytesOf({ base, ours, theirs }: Sides): Promise<Map<string, Buffer> | undefined> {
    const known = new Set([...base.values(), ...theirs.values()]);
    const wanted = new Map([...ours].filter(([, id]) => !known.has(id)));
    return this.#snapshots.bytes(wanted);
  }

  /** What could not be written is not agreed on. */
  async #took(applied: Applied, seen: string, agreed: Tree): Promise<void> {
    const { written, refused, changedMeanwhile, kept } = applied;
    for (const path of written) this.#received.add(path);
    this.#report.refused.push(...refused);
    const paths = new Set(kept.map(({ path }) => path));
    this.#settings.kept = [...this.#settings.kept.filter(({ path }) => !paths.has(path)), ...kept];
    const left = [...changedMeanwhile, ...refused.map(({ path }) => path)];
    if (left.length === 0) return this.#name({ [BASE]: seen, [SEEN]: seen });
    const changes = left.map((path) => {
      return [path.slice(this.#prefix.length), agreed.get(path) ?? null] as const;
    });
    const about = { ...this.#about(), message: "Here" };
    const [commit] = await this.#store.commit([{ ...about, ref: BASE, parent: seen, changes }]);
    this.#refs.set(BASE, commit ?? "");
    await this.#name({ [SEEN]: seen });
  }

  #about() {
    const time = this.#workspace.clock.now().getTime();
    return { author: this.#author, machine: this.#settings.machine, time };
  }

  /** Who else made the commits that were not seen before. */
  async #authors(theirs: string): Promise<string[]> {
    const all = await this.#store.authors(this.#refs.get(SEEN), theirs);
    return all.filter((author) => author !== this.#author);
  }

  #acting<T>(authors: string, work: () => T): T {
    const client = authors === "" ? "sync" : `sync from ${authors}`;
    return this.#workspace.history.actingAlone({ tool: "sync", client }, work);
  }

  async #remember(): Promise<void> {
    const { problem, unsent } = this.#report;
    const time = this.#workspace.clock.now().toISOString();
    const now = { time, unsent, ...(problem !== undefined && { problem }) };
    // That this process ends is no failure.
    const last = problem !== undefined && this.#signal?.aborted ? this.#settings.last : now;
    const settings = {
      ...this.#settings,
      ...(last && { last }),
      ...(problem === undefined && { synced: time }),
    };
    await writeSync(this.#folder, settings);
  }
}

type Difference = readonly [path: string, entry: Entry];

interface Outgoing {
  base: string | undefined;
  theirs: string | undefined;
  sides: Sides;
  outgoing: Difference[];
}

/** What makes one tree the other. */
function differences(from: Tree, to: ReadonlyMap<string, string | Buffer>): Difference[] {
  const changed = [...to].filter(([path, entry]) => idOf(entry) !== from.get(path));
  const gone = [...from.keys()].filter((path) => !to.has(path));
  return [...gone.map((path): Difference => [path, null]), ...changed];
}

/** What others changed, the files that both changed included. */
function comingOf(ours: Tree, { tree, meetings }: Reconciled): [path: string, id: string | null][] {
  const all = new Map([...tree, ...meetings.map(({ path, theirs }) => [path, theirs] as const)]);
  return differences(ours, all).map(([path, entry]) => [path, typeof entry === "string" ? entry : null]);
}

function idOf(entry: string | Buffer): string {
  return typeof entry === "string" ? entry : blobId(entry);
}
