import { SQLITE_STATUS_MEMORY_USED } from "./api.ts";
import { Database } from "./database.ts";
import { compile, type Instance, instantiate, type WasmModule } from "./instance.ts";
import type { SqlDatabase } from "./types.ts";

/** SQLite, ready to open databases. They share its memory, of 2 GiB at most. */
export interface Engine {
  /** With `capacity` bytes from the start; otherwise SQLite doubles its memory as the database fills. */
  readonly Database: new (
    bytes?: Uint8Array | null,
    capacity?: number,
  ) => SqlDatabase;
  /** Bytes in use by SQLite, and bytes that the engine has taken from the machine (which never shrink). */
  memory(): { used: number; reserved: number };
  /** False if only a tenth of the memory is left, which queries need. */
  hasMemory(): boolean;
  /** A new engine without compiling again: after a fatal error, or to give memory back. */
  renew(): Promise<Engine>;
}

interface EngineOptions {
  /** Bytes; at least 8 MiB. */
  memoryLimit?: number;
}

const FULL_SHARE = 0.9;

/** Compiles off the main thread, which stays free for requests. */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const { readBinary } = await import("./binary.ts");
  return createEngine(await compile(await readBinary()), options);
}

async function createEngine(module: WasmModule, options: EngineOptions): Promise<Engine> {
  const instance = await instantiate(module, options.memoryLimit);
  return {
    Database: class extends Database {
      constructor(bytes?: Uint8Array | null, capacity?: number) {
        super(instance, bytes, capacity);
      }
    },
    memory: () => ({ used: memoryUsed(instance), reserved: instance.memory.buffer.byteLength }),
    hasMemory: () => memoryUsed(instance) < instance.memoryLimit * FULL_SHARE,
    renew: () => createEngine(module, options),
  };
}

function memoryUsed({ api, heap, out }: Instance): number {
  api.sqlite3_status64(SQLITE_STATUS_MEMORY_USED, out, out + 8, 0);
  return heap.readInt32(out);
}
