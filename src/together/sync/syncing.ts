import { hostname } from "node:os";
import { UserError } from "../../core/lib/errors.ts";
import type { DocumentMove } from "../../core/workspace/move-check.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import { type Kept, readSync, type SyncSettings } from "./settings.ts";
import { Snapshots } from "./snapshot.ts";
import { Store, type StoreOptions } from "./store.ts";

export interface Syncing extends StoreOptions {
  workspace: Workspace;
}

export interface How {
  dryRun?: boolean;
  /** A person agreed to whatever size the changes of others have. */
  isLarge?: boolean;
}

export interface SyncReport {
  /** Paths of files that others changed, and of those that were sent. */
  received: string[];
  sent: string[];
  /** Notes for which a person has to decide, old ones too. */
  kept: Kept[];
  /** Notes whose path or task number others used first. */
  renumbered: DocumentMove[];
  lost: LostClaim[];
  /** What others sent and this machine refuses, and what stays here. */
  refused: Reasoned[];
  skipped: Reasoned[];
  /** Why the round failed, as the end of a sentence. */
  problem?: string;
  /** What will be in the way soon, as the end of a sentence. */
  warning?: string | undefined;
  /** Files that the remote does not have yet. */
  unsent: number;
}

/** A file, and why something is not done with it. */
export interface Reasoned {
  path: string;
  reason: string;
}

/** A claim that was made here after another machine had shared its own. */
export interface LostClaim {
  path: string;
  /** Who claimed here, and who holds the task. */
  agent: string;
  holder: string;
}

/** What a round works with. Its steps return what they find; the round itself writes the settings and the report. */
export interface Round extends Syncing {
  how: How;
  settings: SyncSettings;
  store: Store;
  snapshots: Snapshots;
  /** Who makes commits, for people. */
  author: string;
  report: SyncReport;
}

/** Throws INVALID_ARGUMENT if nothing was set up. */
export function openRound(syncing: Syncing, how: How): Round {
  const { workspace, folder, env } = syncing;
  const settings = readSync(folder);
  if (settings === undefined) throw new UserError("INVALID_ARGUMENT", "These notes are not synced.");
  const user = env["USER"] ?? env["USERNAME"];
  const none = { received: [], sent: [], kept: [], lost: [], renumbered: [], refused: [], skipped: [] };
  const store = new Store(syncing, settings.project);
  return {
    ...syncing,
    how,
    settings,
    store,
    snapshots: new Snapshots(workspace.root, settings.project, folder, store),
    author: user === undefined ? hostname() : `${user} on ${hostname()}`,
    report: { ...none, unsent: 0 },
  };
}
