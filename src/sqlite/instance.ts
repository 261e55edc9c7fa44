import { SQLITE_CORRUPT, type SqliteApi } from "./api.ts";
import { outOfMemory, SqliteError } from "./error.ts";
import { createImports, refuseFileCall, type WasmFunction } from "./imports.ts";
import { createHeap, type Heap, type WasmMemory } from "./memory.ts";

export interface WasmModule {
  readonly [Symbol.toStringTag]: string;
}

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
 * Turns a trap (unreachable code, an access out of bounds, a stack overflow) into a SqliteError. It
 * leaves SQLite half-way through whatever it did, so nothing is called afterwards, not even to free.
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
