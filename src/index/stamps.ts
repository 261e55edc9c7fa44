/** How a file looked when it was indexed. Times are milliseconds since 1970. */
export interface Stamp {
  size: number;
  mtime: number;
  /** Change time of the inode; 0 where a disk has none. */
  ctime: number;
  indexedAt: number;
}

/** Stamps as they are saved: a JSON list of paths, and in its order the numbers of each. */
export interface PackedStamps {
  paths: string;
  numbers: Float64Array;
}

const FIELDS = 4;
const NONE: PackedStamps = { paths: "[]", numbers: new Float64Array(0) };

/**
 * Stamps by path, as a Map would hold them, in one block of numbers: an object for each is what a start would wait for.
 * The table of paths is made when somebody asks for one of them, which a start where nothing changed does not.
 */
export class Stamps {
  /** What was loaded or saved, until something changes. */
  #packed: PackedStamps | undefined;
  #table: Map<string, number> | undefined;
  #numbers: Float64Array;
  /** Slots ever taken: that of a removed path is used again only after the index is saved and loaded. */
  #taken: number;

  constructor(packed: PackedStamps = NONE) {
    this.#packed = packed;
    this.#numbers = packed.numbers;
    this.#taken = packed.numbers.length / FIELDS;
  }

  get size(): number {
    return this.#table?.size ?? this.#taken;
  }

  keys(): Iterable<string> {
    return this.#slots().keys();
  }

  get(path: string): Stamp | undefined {
    const slot = this.#slots().get(path);
    return slot === undefined ? undefined : stampAt(this.#numbers, slot);
  }

  /** Whether these are all that is known, in the order it was saved in, and `isSame` holds of each. */
  areAll<T extends { path: string }>(
    files: readonly T[],
    isSame: (stamp: Stamp, file: T) => boolean,
  ): boolean {
    const { paths, numbers } = this.#packed ?? {};
    if (paths === undefined || numbers?.length !== files.length * FIELDS) return false;
    if (!files.every((file, slot) => isSame(stampAt(numbers, slot), file))) return false;
    return isListOf(paths, files);
  }

  set(path: string, { size, mtime, ctime, indexedAt }: Stamp): void {
    // First the slot, which may bring a larger block.
    const at = this.#slot(path) * FIELDS;
    this.#numbers.set([size, mtime, ctime, indexedAt], at);
    this.#packed = undefined;
  }

  delete(path: string): void {
    if (this.#slots().delete(path)) this.#packed = undefined;
  }

  /** All of them, in the order in which a walk meets the files: those of a folder, then what is in its folders. */
  pack(): PackedStamps {
    this.#packed ??= this.#pack();
    return this.#packed;
  }

  #pack(): PackedStamps {
    const slots = this.#slots();
    const paths = [...slots.keys()].map((path) => [walkKey(path), path] as const);
    paths.sort(([a], [b]) => (a < b ? -1 : 1));
    const numbers = new Float64Array(paths.length * FIELDS);
    for (const [at, [, path]] of paths.entries()) {
      const slot = slots.get(path) ?? 0;
      numbers.set(this.#numbers.subarray(slot * FIELDS, (slot + 1) * FIELDS), at * FIELDS);
    }
    return { paths: JSON.stringify(paths.map(([, path]) => path)), numbers };
  }

  #slots(): Map<string, number> {
    this.#table ??= new Map(
      (JSON.parse(this.#packed?.paths ?? "[]") as string[]).map((path, slot) => [path, slot]),
    );
    return this.#table;
  }

  #slot(path: string): number {
    const slots = this.#slots();
    const known = slots.get(path);
    if (known !== undefined) return known;
    const slot = this.#taken++;
    slots.set(path, slot);
    if (this.#numbers.length < this.#taken * FIELDS) {
      const larger = new Float64Array(Math.max(64, slot * 2) * FIELDS);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    return slot;
  }
}

const QUOTE = 0x22;

/** Whether `json` is the list of these paths: looked up in it, since to write another of so many takes longer. */
function isListOf(json: string, files: readonly { path: string }[]): boolean {
  if (json.includes("\\")) return json === JSON.stringify(files.map(({ path }) => path));
  let at = 1;
  const isNext = ({ path }: { path: string }) => {
    const start = at + 1;
    const end = start + path.length;
    // A comma comes between two.
    at = end + 2;
    return (
      json.charCodeAt(end) === QUOTE && json.startsWith(path, start) && json.charCodeAt(start - 1) === QUOTE
    );
  };
  return files.every(isNext) && (files.length === 0 || at === json.length);
}

function stampAt(numbers: Float64Array, slot: number): Stamp {
  const at = slot * FIELDS;
  return {
    size: numbers[at] ?? 0,
    mtime: numbers[at + 1] ?? 0,
    ctime: numbers[at + 2] ?? 0,
    indexedAt: numbers[at + 3] ?? 0,
  };
}

/** Sorts as a walk goes: before each folder a sign above the one before a file's name. */
function walkKey(path: string): string {
  const name = path.lastIndexOf("/") + 1;
  return `\u0001${path.slice(0, name).replaceAll("/", "\u0001")}\u0000${path.slice(name)}`;
}
