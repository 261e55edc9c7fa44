import type { WasmMemory } from "./webassembly.ts";

export interface Heap {
  /** The whole memory, valid only until the next call into SQLite: growth detaches it. */
  bytes(): Buffer;
  /** Writes UTF-8 (a lone surrogate becomes U+FFFD) and gives the number of bytes written. */
  writeText(text: string, pointer: number, room: number): number;
  readText(pointer: number, length: number): string;
  /** Reads up to the terminating NUL. */
  readCString(pointer: number): string;
  /** A copy that outlives the memory it was read from. */
  copy(pointer: number, length: number): Uint8Array;
  readInt32(pointer: number): number;
}

export function createHeap(memory: WasmMemory): Heap {
  let view = Buffer.from(memory.buffer);
  // A detached view has length 0; asking the view costs far less than asking `memory.buffer` each time.
  const bytes = () => {
    if (view.length === 0) view = Buffer.from(memory.buffer);
    return view;
  };
  return {
    bytes,
    writeText: (text, pointer, room) => bytes().write(text, pointer, room, "utf8"),
    readText: (pointer, length) => bytes().toString("utf8", pointer, pointer + length),
    readCString: (pointer) => bytes().toString("utf8", pointer, bytes().indexOf(0, pointer)),
    copy: (pointer, length) => new Uint8Array(bytes().subarray(pointer, pointer + length)),
    readInt32: (pointer) => bytes().readInt32LE(pointer),
  };
}
