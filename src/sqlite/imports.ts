import { elapsed } from "../lib/clock.ts";
import { growMemory, type Heap, type WasmMemory } from "./memory.ts";

export type WasmFunction = (...args: (number | bigint)[]) => number | bigint | undefined;

/** ENOSYS, "not implemented", in the numbering WASI and emscripten share. */
const ENOSYS = 52;

/**
 * Answers every file call: a WASI function returns the error number, a system call its negative.
 * Without /dev/urandom SQLite seeds random() from the clock, so it is no source of secrets.
 */
export function refuseFileCall(module: string): WasmFunction {
  return module === "env" ? () => -ENOSYS : () => ENOSYS;
}

/** What SQLite needs from outside once its files live in memory: the clock, and memory to grow into. */
export function createImports(
  memory: WasmMemory,
  memoryLimit: number,
  heap: Heap,
): Record<string, WasmFunction> {
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
