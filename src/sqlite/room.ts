import { allocate } from "./connection.ts";
import type { Instance } from "./instance.ts";

/** Room in SQLite's own memory: a database is opened from what is read into it without a copy. */
export interface Room {
  /** A view, valid until the memory grows, which any call into SQLite may make it do. */
  bytes(): Uint8Array;
  /** Gives it up, unless a database was opened from it. */
  free(): void;
}

export function reserve(instance: Instance, size: number): Room {
  const pointer = allocate(instance, Math.max(size, 1));
  return {
    bytes: () => instance.heap.bytes().subarray(pointer, pointer + size),
    free: () => {
      if (!instance.isLost()) instance.api.sqlite3_free(pointer);
    },
  };
}
