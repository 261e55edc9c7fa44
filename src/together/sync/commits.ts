import { readSync } from "./settings.ts";
import { Store, type StoreOptions, type Tree } from "./store.ts";
import type { Round } from "./syncing.ts";

const REMOTE = "refs/vibe/remote";
export const BASE = "refs/vibe/base";
/** The last commit of the remote that was taken over. */
const SEEN = "refs/vibe/seen";
/** What is being pushed, and what was here then: `refs/vibe/push/001` with `refs/vibe/here/001`, … */
const PUSH = "refs/vibe/push/";
const HERE = "refs/vibe/here/";
/** So many pushes are remembered whose end is unknown. */
const MAX_PUSHES = 20;

/** What was here, and the remote's commit then, when both sides agreed. */
export interface Agreement {
  base: string | undefined;
  seen: string | undefined;
}

export interface Commits {
  /** The newest commit of the remote; undefined if it has none. */
  theirs: string | undefined;
  last: Agreement;
  /** What both sides last agreed on; undefined if they never did, or the remote began again. */
  base: string | undefined;
  refs: Refs;
}

type Refs = ReadonlyMap<string, string>;

/** Brings the newest commit of the remote, and finds what both sides last agreed on. */
export async function findCommits(round: Round): Promise<Commits> {
  const { refs, theirs } = await fetchNewest(round);
  const last = await settlePushes(round.store, refs, theirs);
  const goesOn = await round.store.isPart(last.seen, theirs);
  return { refs, theirs, last, base: goesOn ? last.base : undefined };
}

async function fetchNewest({ store, settings, how }: Round): Promise<Pick<Commits, "refs" | "theirs">> {
  const theirs = await store.remoteTip(settings);
  const refs = await store.refs();
  const known = refs.get(REMOTE);
  if (theirs === undefined || theirs === known) return { refs, theirs };
  await store.fetch(settings, { isFirst: known === undefined, ...how });
  const newer = await store.refs();
  return { refs: newer, theirs: newer.get(REMOTE) };
}

/**
 * Of earlier pushes whose end is unknown, one that has arrived is agreed on. A push can still arrive, even if its process has ended, as
 * long as it follows the newest commit of the remote.
 */
async function settlePushes(store: Store, refs: Refs, theirs: string | undefined): Promise<Agreement> {
  let last: Agreement = { base: refs.get(BASE), seen: refs.get(SEEN) };
  const pushes = [...refs].filter(([ref]) => ref.startsWith(PUSH));
  const over: string[] = [];
  for (const [at, [ref, commit]] of pushes.entries()) {
    const isThere = await store.isPart(commit, theirs);
    if (isThere) last = { base: refs.get(hereOf(ref)), seen: commit };
    const isOpen = !isThere && (theirs === undefined || (await store.isPart(theirs, commit)));
    if (!isOpen || at < pushes.length - MAX_PUSHES) over.push(ref);
  }
  if (over.length > 0) await store.setRefs({ ...endOf(over), [BASE]: last.base, [SEEN]: last.seen });
  return last;
}

/** A push whose end is not known yet: the ref that remembers it, and what both sides agree on once it has arrived. */
export interface Push extends Agreement {
  ref: string;
  seen: string;
}

/** A ref that no earlier push has. */
export function nextPush({ refs }: Commits): string {
  const last = [...refs.keys()].findLast((ref) => ref.startsWith(PUSH)) ?? "";
  return PUSH + String(Number(last.slice(PUSH.length)) + 1).padStart(6, "0");
}

export function hereOf(push: string): string {
  return push.replace(PUSH, HERE);
}

function endOf(pushes: readonly string[]): Record<string, undefined> {
  return Object.fromEntries(pushes.flatMap((ref) => [ref, hereOf(ref)]).map((ref) => [ref, undefined]));
}

/** Earlier pushes than one that has arrived follow another commit: they cannot arrive any more. */
export function settlePush(store: Store, { refs }: Commits, push: Push, hasArrived: boolean): Promise<void> {
  if (!hasArrived) return store.setRefs(endOf([push.ref]));
  const all = [...refs.keys(), push.ref].filter((ref) => ref.startsWith(PUSH));
  return store.setRefs({ ...endOf(all), [BASE]: push.base, [SEEN]: push.seen, [REMOTE]: push.seen });
}

export async function agreeOn(store: Store, { last }: Commits, { base, seen }: Agreement): Promise<void> {
  if (base !== last.base || seen !== last.seen) await store.setRefs({ [BASE]: base, [SEEN]: seen });
}

/** The files of the remote, as far as they are known. */
export async function knownFiles(store: Store): Promise<Tree> {
  const refs = await store.refs();
  // What is there may be too large.
  const newest = store.listing(refs.get(REMOTE)).catch(() => store.listing(refs.get(BASE)));
  return (await newest).tree;
}

/** The paths of the files that both sides agreed on last. */
export async function agreedFiles(options: StoreOptions): Promise<string[]> {
  const store = new Store(options, readSync(options.folder)?.project);
  const { tree } = await store.listing((await store.refs()).get(BASE), Number.POSITIVE_INFINITY);
  return [...tree.keys()];
}

/** Whether the newest change of a file on the remote, as far as it is known, was made here. */
export async function isChangedHere(options: StoreOptions, path: string): Promise<boolean> {
  const { machine, project } = readSync(options.folder) ?? {};
  return (await new Store(options, project).machineOf(REMOTE, path)) === machine;
}
