const PAGE = 65_536;
const SMALLEST_GROWTH = 1024 * 1024;
const MAX_GROWTH = 64 * 1024 * 1024;

/** A `WebAssembly.Memory`. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Throws a RangeError past the maximum; detaches the old buffer. */
  grow(pages: number): number;
}

/** Reads and writes values in SQLite's memory. */
export interface Heap {
  /** The whole memory, valid only until the next call into SQLite: growth detaches it. */
  bytes(): Buffer;
  /** Writes UTF-8 (a lone surrogate becomes U+FFFD) and returns the number of bytes written. */
  writeText(text: string, pointer: number, capacity: number): number;
  readText(pointer: number, length: number): string;
  /** Reads up to the terminating NUL. */
  readCString(pointer: number): string;
  /** A copy that outlives the memory it was read from. */
  copy(pointer: number, length: number): Uint8Array;
  readInt32(pointer: number): number;
}

export function createHeap(memory: WasmMemory): Heap {
  let view = Buffer.from(memory.buffer);
  // A detached view has length 0, which is far cheaper to check than `memory.buffer`.
  const bytes = () => {
    if (view.length === 0) view = Buffer.from(memory.buffer);
    return view;
  };
  return {
    bytes,
    writeText: (text, pointer, capacity) => bytes().write(text, pointer, capacity, "utf8"),
    readText: (pointer, length) => bytes().toString("utf8", pointer, pointer + length),
    readCString: (pointer) => bytes().toString("utf8", pointer, bytes().indexOf(0, pointer)),
    copy: (pointer, length) => new Uint8Array(bytes().subarray(pointer, pointer + length)),
    readInt32: (pointer) => bytes().readInt32LE(pointer),
  };
}

/**
 * Grows by a quarter at a time, so that filling a database takes few steps and wastes little; if that is refused, by exactly
 * the size requested. 0 makes the allocation fail, as SQLITE_NOMEM.
 */
export function growMemory(memory: WasmMemory, size: number): number {
  const current = memory.buffer.byteLength;
  const step = Math.min(Math.max(current / 4, SMALLEST_GROWTH), MAX_GROWTH);
  for (const target of [Math.max(size, current + step), size]) {
    try {
      memory.grow(Math.ceil((target - current) / PAGE));
      return 1;
    } catch {
      // Past the limit, or the machine has no more: try the smaller step, then let SQLite see the failure.
    }
  }
  return 0;
}
