import { basename, dirname, join } from "node:path";
import type { Config } from "../config/options.ts";
import type { CurrentIndex } from "../indexing/current-index.ts";
import { setMostRecent } from "../lib/collections.ts";
import { type ErrorCode, UserError } from "../lib/errors.ts";
import { pathKey } from "../lib/file-names.ts";
import { realPath } from "../storage/folders.ts";
import type { Lock } from "../storage/locks.ts";
import { createPageIndex, type PageIndex } from "../storage/pages.ts";
import { partsBelow } from "../storage/path-gate.ts";
import { holdProjects } from "../storage/project-locks.ts";
import type { FileContent } from "../storage/read.ts";
import { change } from "./change/change.ts";
import { checkDocument, VAULT_CODES } from "./change/limits.ts";
import type { Workspace } from "./workspace.ts";

/** The files that the vault tools serve: the workspace, or a root of their own. Files are absolute and link-free. */
export interface Vault {
  readonly root: string;
  /** The page index of a version of a file; the last ones used are cached. */
  pages(file: string, version: string): PageIndex;
  forget(file: string, version: string): void;
  /** Whether it is the index or one of its files, which no tool reads or writes. */
  isIndex(file: string): boolean;
  /** Runs `work` while no other work, in any process, changes files of the same project. */
  locked<T>(file: string, work: (lock: Lock) => Promise<T>): Promise<T>;
  /** Throws invalid_path or invalid_parameter for a document that is too deep or too large for search. */
  check(file: string, bytes: number): void;
  /** Changes a file byte for byte, by the rules of the workspace if it is a file there; returns what there is to say of it. */
  change(change: VaultChange): Promise<readonly string[]>;
}

interface VaultChange {
  file: string;
  before: FileContent | null;
  after: FileContent;
  /** Makes the change by the rules of the vault for paths; old bytes go once they are `ready`. */
  write(ready?: Promise<unknown>): Promise<void>;
  /** That under which it was read. */
  lock?: Lock;
}

export interface VaultOptions {
  config: Pick<Config, "db" | "vault">;
  workspace: Pick<Workspace, "root" | "locked" | "history" | "clock" | "noteNews"> & {
    index: Pick<CurrentIndex, "syncFile">;
  };
}

const MAX_REMEMBERED = 16;
const INDEX_SUFFIX = /-(?:wal|shm|journal)$/;

export function openVault({ config, workspace }: VaultOptions): Vault {
  const root = config.vault ?? workspace.root;
  const remembered = new Map<string, PageIndex>();
  const locks = { root, ends: new Map() };
  const lockedOutside = async <T>(name: string, work: (lock: Lock) => Promise<T>) => {
    await using held = await holdProjects(locks, [name]);
    return await work(held.lockOf(name));
  };
  const pathOf = (file: string) => partsBelow(realPath(workspace.root), file)?.join("/");
  return {
    root,
    pages: (file, version) => {
      const key = `${version}:${file}`;
      const index = remembered.get(key) ?? createPageIndex();
      setMostRecent(remembered, MAX_REMEMBERED, [key, index]);
      return index;
    },
    forget: (file, version) => void remembered.delete(`${version}:${file}`),
    isIndex: (file) => [config.db, join(workspace.root, "index.db")].some((index) => isSameFile(file, index)),
    locked: (file, work) => {
      const [project] = partsBelow(realPath(workspace.root), file) ?? [];
      if (project !== undefined) return withVaultCode(workspace.locked(project, work));
      const name = partsBelow(realPath(root), file)?.[0] ?? basename(file);
      return withVaultCode(lockedOutside(name, work));
    },
    check: (file, bytes) => checkDocument(pathOf(file) ?? "", bytes, VAULT_CODES),
    change: ({ file, lock, write, ...contents }) => {
      const path = pathOf(file);
      if (path === undefined) return write().then(() => []);
      const made = (ready?: Promise<unknown>) => write(ready).then(() => ({ path, file }));
      const who = { exact: true, lockOf: lock && (() => lock) };
      const changed = change(workspace, who, [{ ...contents, path, write: made }]);
      return withVaultCode(changed.then(({ notes }) => notes));
    },
  };
}

const VAULT_CODE: Partial<Record<ErrorCode, ErrorCode>> = {
  CONFLICT: "conflict",
  INVALID_STATUS: "forbidden",
};

/** The workspace's codes have other names in the vault. */
async function withVaultCode<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const code = error instanceof UserError ? VAULT_CODE[error.code] : undefined;
    if (!(error instanceof UserError) || code === undefined) throw error;
    throw new UserError(code, error.message, { details: error.details, cause: error });
  }
}

/** Ignores letter case: on some disks both are one file. */
function isSameFile(file: string, index: string): boolean {
  if (pathKey(basename(file)).replace(INDEX_SUFFIX, "") !== pathKey(basename(index))) return false;
  return pathKey(dirname(file)) === pathKey(realPath(dirname(index)));
}
