import { join } from "node:path";
import type { Git } from "../git/ask-git.ts";
import { elapsed } from "../lib/clock.ts";
import { remember, setMostRecent } from "../lib/collections.ts";
import type { Log } from "../lib/log.ts";
import type { DocumentFacts } from "../notes/document.ts";
import { repositoryOf } from "../storage/folders.ts";
import { attempt } from "../storage/fs-errors.ts";
import { writeOwnFile } from "../storage/own-file.ts";
import { hashOf, readIfPresent } from "../storage/read.ts";
import { type CodeIndex, indexOf } from "./code.ts";
import { type PastCode, readFiles, readHead, readPast } from "./read-code.ts";
import { type Lines, readLines } from "./read-lines.ts";

export interface CodeReaderOptions {
  /** Has time: nothing waits for it. The signal stops it. */
  gitUntil: (stopped: AbortSignal) => Git;
  /** For what belongs to this user on this machine. */
  state: string;
  log: Log;
}

/** Raise it if what is kept changes. */
const VERSION = 1;
const MAX_KEPT_BYTES = 32 * 2 ** 20;
/** Git is asked no more often. */
const FRESH_MS = 1_000;
const MAX_FILES = 500;

type ReaderOptions = Omit<CodeReaderOptions, "gitUntil"> & { git: Git };

export type CodeReaders = ReturnType<typeof createCodeReaders>;

/** What git says of the repositories of projects. */
export function createCodeReaders({ gitUntil, ...options }: CodeReaderOptions) {
  const stopping = new AbortController();
  const git = gitUntil(stopping.signal);
  const opened = new Set<CodeReader>();
  const open = remember((top: string) => {
    const reader = new CodeReader({ ...options, git }, top);
    opened.add(reader);
    return reader;
  });
  const settled = async () => {
    await Promise.all([...opened].map((reader) => reader.settled()));
  };
  return {
    /** Of the repository that a folder (link-free) is in. */
    of: (folder: string): CodeReader | undefined => {
      const top = repositoryOf(folder);
      return top === undefined ? undefined : open(top);
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
  readonly #options: ReaderOptions;
  readonly #kept: string;
  #past: PastCode | undefined;
  #index: CodeIndex | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;
  readonly #lines = new Map<string, { head: string; lines?: Lines | undefined }>();
  readonly #seen = new Map<
    string,
    { text: string; index: CodeIndex | undefined; facts: DocumentFacts | null }
  >();
  #turn: Promise<void> = Promise.resolve();

  constructor(options: ReaderOptions, top: string) {
    this.top = top;
    this.#options = options;
    this.#kept = join(options.state, "code", hashOf(Buffer.from(top)).slice(0, 24));
  }

  /** What is known now; looks in the background whether there is more. */
  index(): CodeIndex | undefined {
    if (this.#reading === undefined && elapsed() - this.#readAt > FRESH_MS) {
      this.#reading = this.#read()
        .catch(() => this.#options.log.debug("could not read what git says of a repository"))
        .finally(() => {
          this.#reading = undefined;
          this.#readAt = elapsed();
        });
    }
    return this.#index;
  }

  /** Who wrote the lines of a file; undefined while that is read, and if it cannot be. */
  lines(file: string): Lines | undefined {
    const head = this.#past?.head ?? "";
    const known = this.#lines.get(file);
    if (known?.head === head) return known.lines;
    const one: { head: string; lines?: Lines | undefined } = { head };
    // One after the other, since a search may ask for many.
    this.#turn = this.#turn.then(async () => {
      one.lines = await readLines(this.#options.git, this.top, file);
    });
    setMostRecent(this.#lines, MAX_FILES, [file, one]);
    return undefined;
  }

  /** What was found out of a text, as long as neither it nor the repository changes: a search meets the same again and again. */
  seen(path: string, text: string, look: () => DocumentFacts | null): DocumentFacts | null {
    const known = this.#seen.get(path);
    if (known?.text === text && known.index === this.#index) return known.facts;
    const facts = look();
    setMostRecent(this.#seen, MAX_FILES, [path, { text, index: this.#index, facts }]);
    return facts;
  }

  async settled(): Promise<void> {
    await this.#reading;
    await this.#turn;
  }

  async #read(): Promise<void> {
    const { git } = this.#options;
    const now = await readHead(git, this.top);
    if (now === undefined) return;
    const before = this.#past ?? this.#readKept();
    if (this.#index !== undefined && before?.head === now.head && before.isShallow === now.isShallow) return;
    const past = await readPast(git, this.top, now, before);
    const code = past && (await readFiles(git, this.top, past));
    if (code === undefined) return;
    this.#past = past;
    this.#index = indexOf(code);
    if (past !== before) await writeOwnFile(this.#kept, JSON.stringify({ version: VERSION, ...past }));
  }

  #readKept(): PastCode | undefined {
    const text = attempt(() => readIfPresent(this.#kept, MAX_KEPT_BYTES)?.toString("utf8"));
    const kept = attempt(() => JSON.parse(text ?? "")) as (PastCode & { version: number }) | undefined;
    return kept?.version === VERSION ? kept : undefined;
  }
}
