import { promises } from "node:fs";
import { createRequire } from "node:module";

/** SQLite's WebAssembly build. The bundler replaces this module by one that carries the bytes itself. */
export async function readBinary(): Promise<Uint8Array> {
  return promises.readFile(createRequire(import.meta.url).resolve("@sqlite.org/sqlite-wasm/sqlite3.wasm"));
}
