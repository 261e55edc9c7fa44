import type { Heap } from "./heap.ts";
import type { WasmFunction } from "./webassembly.ts";

/** The bytes of a database file that is read where it lies, page by page. */
export interface Source {
  /** Bytes. */
  readonly size: number;
  /** Fills `target` from `position` on. What it throws SQLite reports as a damaged database. */
  read(target: Uint8Array, position: number): void;
}

export interface Files {
  /** System calls by the names the binary imports them under. */
  readonly calls: Record<string, WasmFunction>;
  /** Makes a source known; gives the URI to open it by, for reading alone. */
  add(source: Source): string;
}

/** Numbers that WASI and emscripten share. */
const ENOENT = 44;
const EIO = 29;
/** SQLite takes no file number below it: those are the standard streams. */
const FIRST = 3;
/** `struct stat` of emscripten's C library: its size, and where mode and size are. */
const STAT = { bytes: 96, mode: 4, size: 24 };
const REGULAR_FILE = 0o100444;

interface OpenSource {
  source: Source;
  position: number;
}

/** Answers SQLite's file calls for sources alone: `/3` is the first one, and its number is 3. There is no other file. */
export function createFiles(heap: Heap): Files {
  const files = new Map<number, OpenSource>();
  let next = FIRST;
  const numberOf = (path: number | bigint | undefined) => Number(heap.readCString(Number(path)).slice(1));
  const open = (file: number | bigint | undefined) => files.get(Number(file));
  return {
    add: (source) => {
      files.set(next, { source, position: 0 });
      return `file:/${next++}?immutable=1`;
    },
    calls: {
      __syscall_openat: (_folder, path) => (files.has(numberOf(path)) ? numberOf(path) : -ENOENT),
      __syscall_lstat64: () => -ENOENT,
      __syscall_stat64: () => -ENOENT,
      __syscall_fcntl64: () => 0,
      __syscall_fstat64: (file, stat) => writeStat(heap.bytes(), Number(stat), open(file)),
      fd_close: (file) => (files.delete(Number(file)) ? 0 : EIO),
      fd_seek: (file, offset, _whence, result) => {
        const found = open(file);
        if (found === undefined) return EIO;
        found.position = Number(offset);
        heap.bytes().writeBigInt64LE(BigInt(found.position), Number(result));
        return 0;
      },
      fd_read: (file, vectors, _count, result) => {
        const found = open(file);
        return found === undefined ? EIO : read(heap.bytes(), found, Number(vectors), Number(result));
      },
    },
  };
}

function writeStat(bytes: Buffer, at: number, found: OpenSource | undefined): number {
  if (found === undefined) return -EIO;
  bytes.fill(0, at, at + STAT.bytes);
  bytes.writeUInt32LE(REGULAR_FILE, at + STAT.mode);
  bytes.writeBigInt64LE(BigInt(found.source.size), at + STAT.size);
  return 0;
}

/** SQLite hands over one buffer at a time: its address and length lie at `vector`. */
function read(bytes: Buffer, found: OpenSource, vector: number, result: number): number {
  const start = bytes.readUInt32LE(vector);
  const wanted = bytes.readUInt32LE(vector + 4);
  const length = Math.max(0, Math.min(wanted, found.source.size - found.position));
  try {
    found.source.read(bytes.subarray(start, start + length), found.position);
  } catch {
    return EIO;
  }
  found.position += length;
  bytes.writeUInt32LE(length, result);
  return 0;
}
