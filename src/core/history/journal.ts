import { existsSync, lstatSync, readdirSync, renameSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { writeFlushed } from "../storage/flush.ts";
import { realPath } from "../storage/folders.ts";
import { attempt, ifPresent, systemError } from "../storage/fs-errors.ts";
import { findHome, LOCKS, makeHome } from "../storage/lock-folder.ts";
import type { PlainPath } from "../storage/open-entry.ts";
import { readIfPresent } from "../storage/read.ts";
import { temporaryFor } from "../storage/temp-files.ts";
import { setAside } from "./aside.ts";
import { HISTORY } from "./blobs.ts";
import { findKey, makeKey, newKey, sign } from "./machine-key.ts";
import { MAX_RECORD_BYTES, type Operation, parseRecord } from "./record.ts";

const JOURNAL = "journal";
const MAX_JOURNALS = 16;

/**
 * One file for each operation that changes several files, from before its first change until after its last. They count only for
 * the user and on the machine that wrote them: each key has a folder of its own, and signs what lies in it.
 */
export class Journal {
  readonly #root: string;
  readonly #state: string | undefined;
  #key: string | undefined;

  /** `state` is the user's state folder; without one, the key is gone with the process. */
  constructor(root: string, state: string | undefined) {
    this.#root = root;
    this.#state = state;
  }

  /** Notes an operation before it changes its files, flushed: a crash leaves the note. */
  async open(operation: Operation): Promise<void> {
    const key = await this.#makeKey();
    const text = JSON.stringify(operation);
    const bytes = Buffer.from(`${this.#sign(key, text)}\n${text}`);
    if (bytes.length > MAX_RECORD_BYTES) throw systemError("EFBIG");
    const folder = makeHome(this.#root, [HISTORY, JOURNAL, folderOf(this.#root, key)]);
    const staging = makeHome(this.#root, [LOCKS]);
    const temporary = temporaryFor(join(staging.file, operation.id));
    try {
      await writeFlushed(temporary, [bytes], { mode: folder.like.mode & 0o666 });
      renameSync(temporary, join(folder.file, `${operation.id}.json`));
    } finally {
      attempt(() => unlinkSync(temporary));
    }
  }

  close(id: string): void {
    this.#inFolder((folder) => ifPresent(() => unlinkSync(join(folder.file, `${id}.json`))));
  }

  /**
   * The operations that run now, or were interrupted; what is damaged or not ours is moved aside. Every write looks: nothing is
   * opened if there is none.
   */
  read(): Operation[] {
    const operations: Operation[] = [];
    this.#inFolder((folder) => {
      for (const name of readdirSync(folder.file).sort()) {
        const operation = this.#operationOf(folder, name);
        if (operation === undefined) attempt(() => setAside(this.#root, folder, name));
        else if (operations.push(operation) === MAX_JOURNALS) return;
      }
    });
    return operations;
  }

  #operationOf(folder: PlainPath, name: string): Operation | undefined {
    const text =
      attempt(() => readIfPresent(join(folder.file, name), MAX_RECORD_BYTES)?.toString("utf8")) ?? "";
    const [signature = ""] = text.split("\n", 1);
    const json = text.slice(signature.length + 1);
    if (signature !== this.#sign(this.#key ?? "", json)) return undefined;
    const record = parseRecord(json);
    return record === undefined || "void" in record || `${record.id}.json` !== name ? undefined : record;
  }

  /** Undefined if nothing was ever noted with our key. */
  #inFolder<T>(use: (folder: PlainPath) => T): T | undefined {
    if (!existsSync(join(this.#root, ".vibe-mcp", HISTORY, JOURNAL))) return undefined;
    this.#key ??= this.#state && findKey(this.#state);
    if (this.#key === undefined) return undefined;
    const names = [HISTORY, JOURNAL, folderOf(this.#root, this.#key)];
    const found = attempt(() => readdirSync(join(this.#root, ".vibe-mcp", ...names))) ?? [];
    const folder = found.length === 0 ? undefined : findHome(this.#root, names);
    if (folder === undefined) return undefined;
    return use(folder);
  }

  async #makeKey(): Promise<string> {
    this.#key ??= (this.#state && (await makeKey(this.#state))) || newKey();
    return this.#key;
  }

  #sign(key: string, text: string): string {
    return sign(key, JOURNAL, realPath(this.#root), text);
  }
}

const HOUR_MS = 3_600_000;

/** Journals that were not written with the key in `state`: those of others, and anything else that lies there. */
export function listForeignJournals(root: string, state: string): string[] {
  return inJournal(root, state, (names) => names) ?? [];
}

/** Moves them aside, unless they are younger than an hour: a server elsewhere may need them. */
export function setForeignJournalsAside(root: string, state: string, now: number): void {
  inJournal(root, state, (names, folder) => {
    const isOld = (name: string) => now - lstatSync(join(folder.file, name)).mtimeMs > HOUR_MS;
    const old = names.filter(isOld);
    for (const name of old) setAside(root, folder, name);
    if (old.length < names.length) throw systemError("EBUSY");
  });
}

function inJournal<T>(root: string, state: string, use: (names: string[], folder: PlainPath) => T) {
  const key = findKey(state);
  const own = key === undefined ? undefined : folderOf(root, key);
  const folder = findHome(root, [HISTORY, JOURNAL]);
  if (folder === undefined) return undefined;
  const isEmpty = (name: string) => attempt(() => readdirSync(join(folder.file, name)))?.length === 0;
  return use(
    readdirSync(folder.file).filter((name) => name !== own && !isEmpty(name)),
    folder,
  );
}

function folderOf(root: string, key: string): string {
  return sign(key, JOURNAL, realPath(root)).slice(0, 16);
}
