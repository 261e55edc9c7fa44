import { join } from "node:path";
import type { Git } from "../git/ask-git.ts";
import { elapsed } from "../lib/clock.ts";
import { setMostRecent } from "../lib/collections.ts";
import type { Log } from "../lib/log.ts";
import { headVersion, repositoryOf } from "../storage/folders.ts";
import { attempt } from "../storage/fs-errors.ts";
import { writeOwnFile } from "../storage/own-file.ts";
import { hashOf, readIfPresent } from "../storage/read.ts";
import { type CodeIndex, indexOf } from "./code.ts";
import type { Evidence, Lost } from "./lost.ts";
import { type Lines, type PastCode, readFiles, readHead, readLines, readPast } from "./read-code.ts";

export interface CodeReaderOptions {
  /** Has time: nothing waits for it. The signal stops it. */
  gitUntil: (stopped: AbortSignal) => Git;
  /** For what belongs to this user on this machine. */
  state: string;
  log: Log;
}

const MAX_KEPT_BYTES = 2 ** 26;
/** Git is asked no more often. */
const FRESH_MS = 1_000;
const MAX_FILES = 500;

export type CodeReaders = ReturnType<typeof createCodeReaders>;

/** What git says of the repositories of projects. */
export function createCodeReaders({ gitUntil, state, log }: CodeReaderOptions) {
  const stopping = new AbortController();
  const git = gitUntil(stopping.signal);
  const keptOf = (top: string) => join(state, "code", hashOf(Buffer.from(top)).slice(0, 24));
  const readers = new Map<string, CodeReader>();
  const readerAt = (top: string) => {
    const reader = readers.get(top) ?? new CodeReader({ git, log, top, kept: keptOf(top) });
    readers.set(top, reader);
    return reader;
  };
  let hasFailed = false;
  const settled = async () => {
    await Promise.all([...readers.values()].map((reader) => reader.settled()));
  };
  return {
    /** What is found by what git says now of the repository around a folder (link-free): no answer waits or fails for it. */
    look: (folder: string, find: (reader: CodeReader, index: CodeIndex) => Evidence[]): Evidence[] => {
      try {
        const top = repositoryOf(folder);
        const reader = top === undefined ? undefined : readerAt(top);
        const index = reader?.index();
        return reader === undefined || index === undefined ? [] : find(reader, index);
      } catch (error) {
        const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
        if (!hasFailed) log.error(`unexpected, answering without marks: ${reason}`);
        hasFailed = true;
        return [];
      }
    },
    /** When all that was asked so far is read. */
    settled,
    close: async () => {
      stopping.abort();
      await settled();
    },
  };
}

/** What git says of one repository (its top, absolute and link-free), as far as it is read now. */
class CodeReader {
  readonly top: string;
  readonly #options: { git: Git; log: Log; kept: string };
  #version: string | undefined;
  #head: string | undefined;
  #index: CodeIndex | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  readonly #lines = new Map<string, { lines?: Lines | undefined }>();
  readonly #lost = new Map<string, { text: string; index: CodeIndex | undefined; lost: Lost[] }>();
  #turn: Promise<void> = Promise.resolve();

  constructor({ top, ...options }: { git: Git; log: Log; kept: string; top: string }) {
    this.top = top;
    this.#options = options;
  }

  /** What is known now; looks in the background whether there is more. */
  index(): CodeIndex | undefined {
    if (elapsed() - this.#readAt > FRESH_MS) {
      this.#readAt = Number.POSITIVE_INFINITY;
      this.#reading = this.#read()
        .catch(() => this.#options.log.debug("could not read what git says of a repository"))
        .finally(() => {
          this.#readAt = elapsed();
        });
    }
    return this.#index;
  }

  /** What `look` finds, as long as neither the text nor the repository changes: a search meets the same again and again. */
  lost(path: string, text: string, look: () => Lost[]): Lost[] {
    const index = this.#index;
    const known = this.#lost.get(path);
    if (known?.text === text && known.index === index) return known.lost;
    const lost = look();
    setMostRecent(this.#lost, MAX_FILES, [path, { text, index, lost }]);
    return lost;
  }

  /** Who wrote the lines of a file; undefined while that is read, and if it cannot be. */
  lines(file: string): Lines | undefined {
    const key = `${this.#head} ${file}`;
    const known = this.#lines.get(key);
    if (known !== undefined) return known.lines;
    const one: { lines?: Lines | undefined } = {};
    setMostRecent(this.#lines, MAX_FILES, [key, one]);
    // One after the other, since a search may ask for many.
    this.#turn = this.#turn.then(async () => {
      one.lines = await readLines(this.#options.git, this.top, file);
    });
    return undefined;
  }

  async settled(): Promise<void> {
    await this.#reading;
    await this.#turn;
  }

  async #read(): Promise<void> {
    const { git, kept } = this.#options;
    const version = headVersion(this.top);
    if (version !== undefined && version === this.#version) return;
    const now = await readHead(git, this.top);
    const isSame = now !== undefined && now.head === this.#head;
    if (isSame) this.#version = version;
    if (now === undefined || isSame) return;
    // A shallow clone may get more history without another head.
    const before = now.isShallow ? undefined : readKept(kept);
    const past = await readPast(git, this.top, now.head, before);
    const code = past && (await readFiles(git, this.top, past));
    if (code === undefined) return;
    this.#head = past?.head;
    this.#index = indexOf(code);
    if (past !== before && !now.isShallow) await writeOwnFile(kept, `${past?.head}\n${past?.log}`);
  }
}

function readKept(file: string): PastCode | undefined {
  const text = attempt(() => readIfPresent(file, MAX_KEPT_BYTES)?.toString("utf8")) ?? "";
  const [, head, log] = /^([0-9a-f]{40,64})\n(.*)$/s.exec(text) ?? [];
  return head === undefined || log === undefined ? undefined : { head, log };
}
