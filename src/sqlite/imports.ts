import { elapsed } from "../lib/clock.ts";
import type { Heap } from "./heap.ts";
import type { WasmFunction, WasmMemory } from "./webassembly.ts";

const PAGE = 65_536;
const SMALLEST_GROWTH = 1024 * 1024;
const LARGEST_GROWTH = 64 * 1024 * 1024;
/** ENOSYS, "not implemented", in the numbering WASI and emscripten share. */
const ENOSYS = 52;

/**
 * Answers every file call: a WASI function returns the error number, a system call its negative.
 * Without /dev/urandom SQLite seeds random() from the clock, so it is no source of secrets.
 */
export function refuse(module: string): WasmFunction {
  return module === "env" ? () => -ENOSYS : () => ENOSYS;
}

/** What SQLite needs from outside once its files live in memory: the clock and room to grow. */
export function createImports(
  memory: WasmMemory,
  maximumPages: number,
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
    emscripten_get_heap_max: () => maximumPages * PAGE,
    emscripten_resize_heap: (size) => growMemory(memory, Number(size) >>> 0),
    _localtime_js: (time, pointer) => writeLocalTime(heap.bytes(), Number(time), Number(pointer)),
    // C's time zone variables stay zero: SQLite only reads the fields of the local time.
    _tzset_js: () => undefined,
  };
}

/**
 * Grows by a quarter at a time, so that filling a database takes few steps and wastes little; when
 * that is refused, by exactly what is asked. 0 makes the allocation fail, as SQLITE_NOMEM.
 */
function growMemory(memory: WasmMemory, size: number): number {
  const current = memory.buffer.byteLength;
  const step = Math.min(Math.max(current / 4, SMALLEST_GROWTH), LARGEST_GROWTH);
  for (const wanted of [Math.max(size, current + step), size]) {
    try {
      memory.grow(Math.ceil((wanted - current) / PAGE));
      return 1;
    } catch {
      // Past the limit, or the machine has no more to give: try the smaller step, then let SQLite see the failure.
    }
  }
  return 0;
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
