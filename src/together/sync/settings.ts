import { join } from "node:path";
import { once } from "../../core/lib/collections.ts";
import { parseFields } from "../../core/lib/fields.ts";
import { realPath } from "../../core/storage/folders.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { namesIn } from "../../core/storage/inspect.ts";
import { writeOwnFile } from "../../core/storage/own-file.ts";
import { hashOf, readIfPresent } from "../../core/storage/read.ts";
import type { Remote } from "./store.ts";

/** A note that both sides changed in ways that contradict: the shared text stays, and the other is in the history. */
export interface Kept {
  path: string;
  /** ISO 8601, UTC. */
  time: string;
  /** The change that has the other text before it; undefined if no history is kept. */
  change: string | undefined;
  /** The blob that was left in place: once the note differs from it, a person has decided. */
  shared: string;
}

export interface LastRound {
  /** ISO 8601, UTC. */
  time: string;
  /** Why it failed, as the end of a sentence. */
  problem?: string;
  /** What will be in the way soon, as the end of a sentence. */
  warning?: string | undefined;
  /** Files that are not on the remote yet. */
  unsent: number;
}

/** The memory of a synced workspace, or of one synced project. */
export interface SyncSettings extends Remote {
  version: 1;
  root: string;
  /** Undefined for the whole workspace. */
  project?: string;
  /** Tells this clone from all others. */
  machine: string;
  kept: Kept[];
  /** When the files were read that both sides agree on; ISO 8601, UTC. */
  agreed?: string;
  last?: LastRound;
  /** The last round that worked; ISO 8601, UTC. */
  synced?: string;
  /** The newest last. */
  news?: string[];
}

const FOLDER = "sync";
const NAME = "sync.json";
const MAX_BYTES = 16 * 2 ** 20;

/** The folder for what one workspace or project needs, in the user's state folder; it may be missing. */
export function syncFolder(state: string, root: string, project?: string): string {
  const key = JSON.stringify([realPath(root), project ?? ""]);
  const name = hashOf(Buffer.from(key)).slice(0, 24);
  return join(state, FOLDER, name);
}

/** Undefined if it is not synced. */
export function readSync(folder: string): SyncSettings | undefined {
  const text = attempt(() => readIfPresent(join(folder, NAME), MAX_BYTES)?.toString("utf8"));
  const settings = parseFields(text ?? "") as Partial<SyncSettings> | undefined;
  const { version, root, address, branch, machine, kept } = settings ?? {};
  const texts = [root, address, branch, machine].every((text) => typeof text === "string");
  return version === 1 && texts && Array.isArray(kept) ? (settings as SyncSettings) : undefined;
}

/** What is synced, and the folder that keeps it. */
export interface Synced {
  folder: string;
  settings: SyncSettings;
}

/** What is synced of a workspace: all of it, or single projects. */
export function syncedOf(state: string, root: string): Synced[] {
  const all = join(state, FOLDER);
  const real = once(() => realPath(root));
  return namesIn(all).flatMap((name): Synced[] => {
    const folder = join(all, name);
    const settings = readSync(folder);
    return settings?.root === real() ? [{ folder, settings }] : [];
  });
}

export async function writeSync(folder: string, settings: SyncSettings): Promise<void> {
  await writeOwnFile(join(folder, NAME), `${JSON.stringify(settings, null, 2)}\n`);
}
