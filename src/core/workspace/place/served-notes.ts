import type { Vault } from "../vault.ts";
import type { Workspace } from "../workspace.ts";

export interface Notes {
  workspace: Workspace;
  vault: Vault;
}

/** The notes that a server answers from: those that it was started for, or those that a client's repository keeps itself. */
export class ServedNotes {
  readonly #first: Notes;
  readonly #openAt: ((folder: string) => Notes | undefined) | undefined;
  readonly #listeners = new Set<() => void>();
  #now: Notes;

  /** `openAt` opens the notes of the repository around an absolute folder; without it, the first notes are served to the end. */
  constructor(first: Notes, openAt?: (folder: string) => Notes | undefined) {
    this.#first = first;
    this.#now = first;
    this.#openAt = openAt;
  }

  get workspace(): Workspace {
    return this.#now.workspace;
  }

  get vault(): Vault {
    return this.#now.vault;
  }

  /** Whether other notes can take their place. */
  get canChange(): boolean {
    return this.#openAt !== undefined;
  }

  /** Serves the notes of the first of these folders whose repository keeps some, else the first notes. */
  follow(folders: readonly string[]): void {
    const [own] = folders.flatMap((folder) => this.#openAt?.(folder) ?? []);
    const next = own ?? this.#first;
    if (next === this.#now) return;
    this.#now = next;
    for (const listener of this.#listeners) listener();
  }

  /** Calls `listener` after each change. Returns a function that stops it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
