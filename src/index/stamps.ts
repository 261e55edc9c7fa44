/** How a file looked when it was indexed. Times are milliseconds since 1970. */
export interface Stamp {
  size: number;
  mtime: number;
  /** Change time of the inode; 0 where a disk has none. */
  ctime: number;
  indexedAt: number;
}

const FIELDS = 4;

/** Stamps by path, as a Map would hold them, in one block of numbers: an object for each is what a start would wait for. */
export class Stamps {
  readonly #slots = new Map<string, number>();
  #numbers: Float64Array;
  /** Slots ever taken: that of a removed path is used again only after the index is saved and loaded. */
  #taken: number;

  constructor(paths: readonly string[] = [], numbers: Float64Array = new Float64Array(0)) {
    for (const [slot, path] of paths.entries()) this.#slots.set(path, slot);
    this.#numbers = numbers;
    this.#taken = paths.length;
  }

  get size(): number {
    return this.#slots.size;
  }

  keys(): Iterable<string> {
    return this.#slots.keys();
  }

  get(path: string): Stamp | undefined {
    const slot = this.#slots.get(path);
    if (slot === undefined) return undefined;
    const numbers = this.#numbers;
    const at = slot * FIELDS;
    return {
      size: numbers[at] ?? 0,
      mtime: numbers[at + 1] ?? 0,
      ctime: numbers[at + 2] ?? 0,
      indexedAt: numbers[at + 3] ?? 0,
    };
  }

  set(path: string, { size, mtime, ctime, indexedAt }: Stamp): void {
    // First the slot, which may bring a larger block.
    const at = this.#slot(path) * FIELDS;
    this.#numbers.set([size, mtime, ctime, indexedAt], at);
  }

  delete(path: string): void {
    this.#slots.delete(path);
  }

  /** The paths, and in their order the numbers of each. */
  pack(): { paths: string[]; numbers: Float64Array } {
    const numbers = new Float64Array(this.size * FIELDS);
    let at = 0;
    for (const slot of this.#slots.values()) {
      numbers.set(this.#numbers.subarray(slot * FIELDS, (slot + 1) * FIELDS), at);
      at += FIELDS;
    }
    return { paths: [...this.#slots.keys()], numbers };
  }

  #slot(path: string): number {
    const known = this.#slots.get(path);
    if (known !== undefined) return known;
    const slot = this.#taken++;
    this.#slots.set(path, slot);
    if (this.#numbers.length < this.#taken * FIELDS) {
      const larger = new Float64Array(Math.max(64, slot * 2) * FIELDS);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    return slot;
  }
}
