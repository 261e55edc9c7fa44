import { elapsed } from "../lib/clock.ts";
import { SQLITE_CORRUPT, type SqliteApi } from "./api.ts";
import { outOfMemory, SqliteError } from "./error.ts";
import { createHeap, growMemory, type Heap, type WasmMemory } from "./memory.ts";

export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

type WasmFunction = (...args: (number | bigint)[]) => number | bigint | undefined;
type WasmImports = Record<string, Record<string, WasmFunction | WasmMemory>>;

/** TypeScript ships these types with the DOM library only, and with that library every browser global would look available. */
declare const WebAssembly: {
  readonly Module: {
    imports(module: WasmModule): { module: string; name: string; kind: string }[];
  };
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  compile(bytes: Uint8Array): Promise<WasmModule>;
  instantiate(module: WasmModule, imports: WasmImports): Promise<{ exports: Record<string, unknown> }>;
};

/** ENOSYS, "not implemented", in the numbering WASI and emscripten share. */
const ENOSYS = 52;

const PAGE = 65_536;
/** The limits the binary declares for the memory it imports: 8 MiB to begin with, 2 GiB at most. */
const INITIAL_PAGES = 128;
const MAXIMUM_PAGES = 32_768;

/** One running copy of SQLite, with a memory of its own. */
export interface Instance {
  /** After a trap every function throws the same fatal error: SQLite's own state can no longer be trusted. */
  readonly api: SqliteApi;
  readonly heap: Heap;
  /** Sixteen bytes for results returned through pointers. */
  readonly out: number;
  /** The name "main" as a C string: the schema every call is about. */
  readonly main: number;
  readonly memory: WasmMemory;
  /** Bytes that `memory` may grow to. */
  readonly memoryLimit: number;
  isLost(): boolean;
}

export function compile(bytes: Uint8Array): Promise<WasmModule> {
  return WebAssembly.compile(bytes);
}

export async function instantiate(
  module: WasmModule,
  memoryLimit = Number.POSITIVE_INFINITY,
): Promise<Instance> {
  const maximum = Math.max(INITIAL_PAGES, Math.min(MAXIMUM_PAGES, Math.floor(memoryLimit / PAGE)));
  const memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
  const heap = createHeap(memory);
  const imports = linkImports(module, memory, createImports(memory, maximum * PAGE, heap));
  const { exports } = await WebAssembly.instantiate(module, imports);
  const { api, isLost } = guardExports(exports);
  (exports["__wasm_call_ctors"] as WasmFunction)();
  if (api.sqlite3_initialize() !== 0) throw outOfMemory();
  const out = api.sqlite3_malloc(24);
  const main = out + 16;
  heap.bytes().write("main\0", main);
  return { api, heap, out, main, memory, memoryLimit: maximum * PAGE, isLost };
}

/** Every import the binary names: ours if we have one, a refusal for the rest (all of them file calls). */
function linkImports(
  module: WasmModule,
  memory: WasmMemory,
  provided: Record<string, WasmFunction>,
): WasmImports {
  const linked: WasmImports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    const own = kind === "memory" ? memory : provided[name];
    linked[from] = { ...linked[from], [name]: own ?? refuseFileCall(from) };
  }
  return linked;
}

/**
 * Answers every file call: a WASI function returns the error number, a system call its negative. Without /dev/urandom SQLite
 * seeds random() from the clock, so it is no source of secrets.
 */
function refuseFileCall(module: string): WasmFunction {
  return module === "env" ? () => -ENOSYS : () => ENOSYS;
}

/** What SQLite needs from outside once its files live in memory: the clock, and memory to grow into. */
function createImports(memory: WasmMemory, memoryLimit: number, heap: Heap): Record<string, WasmFunction> {
  return {
    emscripten_date_now: () => Date.now(),
    emscripten_get_now: elapsed,
    clock_time_get: (clock, _precision, pointer) => {
      const milliseconds = Number(clock) === 0 ? Date.now() : elapsed();
      heap.bytes().writeBigInt64LE(BigInt(Math.round(milliseconds * 1e6)), Number(pointer));
      return 0;
    },
    emscripten_get_heap_max: () => memoryLimit,
    emscripten_resize_heap: (size) => growMemory(memory, Number(size) >>> 0),
    _localtime_js: (time, pointer) => writeLocalTime(heap.bytes(), Number(time), Number(pointer)),
    // C's time zone variables stay zero: SQLite only reads the fields of the local time.
    _tzset_js: () => undefined,
  };
}

/** Fills C's `struct tm` for a Unix time in seconds: the fields SQLite reads, down to the year. */
function writeLocalTime(bytes: Buffer, time: number, pointer: number): undefined {
  const date = new Date(time * 1000);
  const fields = [
    date.getSeconds(),
    date.getMinutes(),
    date.getHours(),
    date.getDate(),
    date.getMonth(),
    date.getFullYear() - 1900,
  ];
  for (const [index, field] of fields.entries()) bytes.writeInt32LE(field | 0, pointer + 4 * index);
}

/**
 * Turns a trap (unreachable code, an access out of bounds, a stack overflow) into a SqliteError. It leaves SQLite half-way
 * through whatever it did, so nothing is called afterwards, not even to free.
 */
function guardExports(exports: Record<string, unknown>): { api: SqliteApi; isLost: () => boolean } {
  let lost: SqliteError | undefined;
  const guard =
    (call: WasmFunction): WasmFunction =>
    (...args) => {
      if (lost !== undefined) throw lost;
      try {
        return call(...args);
      } catch (cause) {
        lost = new SqliteError("SQLite stopped unexpectedly", SQLITE_CORRUPT, { fatal: true, cause });
        throw lost;
      }
    };
  const api: Record<string, WasmFunction> = {};
  for (const [name, value] of Object.entries(exports)) {
    if (name.startsWith("sqlite3_") && typeof value === "function") api[name] = guard(value as WasmFunction);
  }
  return { api: api as unknown as SqliteApi, isLost: () => lost !== undefined };
}
