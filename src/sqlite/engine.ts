import { setFlagsFromString } from "node:v8";
import { SQLITE_STATUS_MEMORY_USED } from "./codes.ts";
import { Database } from "./database.ts";
import type { Source } from "./files.ts";
import { compile, type Instance, instantiate } from "./instance.ts";
import { type Room, reserve } from "./room.ts";
import type { SqlDatabase } from "./types.ts";
import type { WasmModule } from "./webassembly.ts";

/** SQLite, ready to open databases. They share its memory, of 2 GiB at most. */
export interface Engine {
  readonly Database: new (bytes?: Uint8Array | null) => SqlDatabase;
  /** An empty database in memory with room for so many bytes, which SQLite otherwise doubles as it fills. */
  create(room: number): SqlDatabase;
  /** Opens a database file where it lies, for reading alone: pages are read when they are needed. */
  open(source: Source): SqlDatabase;
  /** The room lies in SQLite's memory: a database is opened from what is read into it without a copy. */
  allocate(size: number): Room;
  readonly version: string;
  /** Whether it was opened for a few queries. */
  readonly isQuick: boolean;
  /** Bytes held by SQLite, and bytes the engine has taken from the machine (these never shrink). */
  memory(): { used: number; reserved: number };
  /** False when a tenth of the memory is left: queries need that. */
  hasRoom(): boolean;
  /** A fresh engine without compiling again: after a fatal error, or to give memory back. */
  renew(): Promise<Engine>;
}

interface EngineOptions {
  /** Bytes; at least 8 MiB. */
  memoryLimit?: number;
  /** Never is for a few queries while all else that a start does runs, late for a build, soon for a server that goes on. */
  optimizes?: keyof typeof OPTIMIZING;
}

const FILLED = 0.9;
/** V8 checks the module as it compiles each function: SQLite's own build has been checked. */
const ALWAYS = ["--wasm-lazy-validation"];
/** What V8 has by itself. Code that is kept for the next start is taken under the same flags alone. */
const OWN = ["--wasm-tier-up", "--wasm-dynamic-tiering", "--incremental-marking", "--regexp-tier-up-ticks=1"];
const OWN_BUDGET = Number.parseInt(process.versions.v8, 10) < 12 ? 1_800_000 : 13_000_000;
/**
 * When V8 optimizes what SQLite runs: its largest function takes a core a tenth of a second, and all take memory. A process
 * of a few queries ends before it would have collected its old objects, and uses most of its patterns a few times.
 */
const OPTIMIZING = {
  never: [
    "--no-wasm-tier-up",
    "--no-wasm-dynamic-tiering",
    "--no-incremental-marking",
    "--regexp-tier-up-ticks=30",
  ],
  late: [...OWN, "--wasm-tiering-budget=1000000000"],
  soon: [...OWN, `--wasm-tiering-budget=${OWN_BUDGET}`],
};
/** A custom section without content. V8 takes the same bytes for the same module, flags and all. */
const MARK = [0, 2, 1, 0x71];

/** Compiles off the main thread, which can go on answering meanwhile. */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const { readBinary } = await import("./binary.ts");
  const bytes = await readBinary();
  const { optimizes = "late" } = options;
  for (const flag of [...ALWAYS, ...OPTIMIZING[optimizes]]) setFlagsFromString(flag);
  return createEngine(
    await compile(optimizes === "never" ? Buffer.concat([bytes, Buffer.from(MARK)]) : bytes),
    options,
  );
}

async function createEngine(module: WasmModule, options: EngineOptions): Promise<Engine> {
  const instance = await instantiate(module, options.memoryLimit);
  return {
    Database: class extends Database {
      constructor(bytes?: Uint8Array | null) {
        super(instance, bytes);
      }
    },
    create: (room) => new Database(instance, room),
    open: (source) => new Database(instance, source),
    allocate: (size) => reserve(instance, size),
    version: instance.heap.readCString(instance.api.sqlite3_libversion()),
    memory: () => ({ used: memoryUsed(instance), reserved: instance.memory.buffer.byteLength }),
    hasRoom: () => memoryUsed(instance) < instance.memoryLimit * FILLED,
    isQuick: options.optimizes === "never",
    renew: () => createEngine(module, options),
  };
}

function memoryUsed({ api, heap, out }: Instance): number {
  api.sqlite3_status64(SQLITE_STATUS_MEMORY_USED, out, out + 8, 0);
  return heap.readInt32(out);
}
