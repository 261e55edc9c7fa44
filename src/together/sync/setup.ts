import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { maskAddresses } from "../../core/git/address.ts";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { quoted } from "../../core/lib/shell.ts";
import { realPath, removeTree } from "../../core/storage/folders.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { withLock } from "../../core/storage/locks.ts";
import { crypto } from "../../core/storage/read.ts";
import { syncOnce } from "./round.ts";
import { readSync, type SyncSettings, syncedOf, syncFolder, writeSync } from "./settings.ts";
import type { Syncing, SyncReport } from "./syncing.ts";

export interface SetUp extends Omit<Syncing, "folder"> {
  /** The user's state folder. */
  state: string;
  address: string;
  branch: string;
  /** Undefined for the whole workspace. */
  project: string | undefined;
  isLarge?: boolean;
}

export const DEFAULT_BRANCH = "vibe-notes";

/** Remembers a remote for a workspace or one project, and syncs once; nothing is remembered if that fails. */
export async function setUpSync(setUp: SetUp): Promise<SyncReport> {
  const { state, address, branch, project, isLarge = false, ...syncing } = setUp;
  const { root } = syncing.workspace;
  checkBranch(branch);
  const folder = syncFolder(state, root, project);
  const known = readSync(folder);
  checkOverlap(state, root, project);
  if (known !== undefined && (known.address !== address || known.branch !== branch)) throw otherRemote(known);
  const settings: SyncSettings = {
    version: 1,
    root: realPath(root),
    address,
    branch,
    machine: crypto().randomBytes(8).toString("hex"),
    kept: [],
    ...(project !== undefined && { project }),
  };
  await writeSync(folder, known ?? settings);
  const report = await syncOnce({ ...syncing, folder }, { isLarge });
  if (report.problem !== undefined && known === undefined) removeTree(folder);
  return report;
}

/** Forgets the remote, once no round runs; the notes stay as they are. */
export function stopSync(folder: string): Promise<void> {
  return withLock(folder, "sync", async () => removeTree(folder), true);
}

/**
 * The address of a remote, as git takes it; a path is that of a folder, from `folder` on. Throws INVALID_ARGUMENT for what is not
 * used here.
 */
export function remoteAddress(typed: string, folder: string): string {
  if (/^(?:https|ssh):\/\/[^/\s-][^\s]*$/i.test(typed)) return withoutKey(typed);
  if (/^file:\/\//i.test(typed)) {
    const path = attempt(() => fileURLToPath(typed));
    if (path !== undefined) return path;
  }
  // Like git: what has a colon before the first slash is a host and a path.
  if (/^(?:[\w.][\w.-]*@)?[\w.][\w.-]+:(?!:|\/\/)[^\s-][^\s]*$/.test(typed)) return withoutKey(typed);
  if (!typed.startsWith("-") && !/^[a-z][a-z0-9+.-]+:/i.test(typed) && typed !== "")
    return resolve(folder, typed);
  if (isAbsolute(typed)) return typed;
  const message = `${quoteName(maskAddresses(typed))} is no remote for notes. Use an https or ssh address, such as git@example.com:ana/notes.git, or a folder.`;
  throw new UserError("INVALID_ARGUMENT", message);
}

function withoutKey(typed: string): string {
  if (maskAddresses(typed) === typed) return typed;
  const message =
    "The address holds a password or a key. Leave it out, and have git keep it: git config --global credential.helper store, or what your system offers.";
  throw new UserError("INVALID_ARGUMENT", message);
}

function checkBranch(branch: string): void {
  if (/^\w[\w./-]*$/.test(branch) && !/\.\.|\/\/|\/$|\.lock$|\.$|\/\./.test(branch)) return;
  const message = `${quoteName(branch)} is no name for a branch. Try ${DEFAULT_BRANCH}.`;
  throw new UserError("INVALID_ARGUMENT", message);
}

/** Notes travel one way only. */
function checkOverlap(state: string, root: string, project: string | undefined): void {
  const others = syncedOf(state, root).map(({ settings }) => settings);
  const other = others.find((one) => (one.project === undefined) !== (project === undefined));
  if (other === undefined) return;
  const message =
    other.project === undefined
      ? `The whole workspace is synced with ${quoteName(maskAddresses(other.address))}, this project included. To sync it alone, stop that first: sync --stop`
      : `The project ${quoteName(other.project)} is synced alone. To sync the whole workspace, stop that first: sync --stop --project ${quoted(other.project)}`;
  throw new UserError("CONFLICT", message);
}

function otherRemote({ address, branch }: SyncSettings): UserError {
  const message = `These notes are synced with the branch ${branch} of ${quoteName(maskAddresses(address))}. To use another remote, stop that first: sync --stop`;
  return new UserError("CONFLICT", message);
}
