/*
 * The code of the built file: the rest of it are chunks, one in each comment line after the one that says `//#chunks`, as JSON
 * strings. Each is compiled when something of it is first used. `CHUNKS` is filled in by the build: where each one stands
 * after that line; the last is the program.
 */
declare const CHUNKS: [start: number, end: number][];

type Exports = Record<string, unknown>;

{
  const { readFileSync } = require("node:fs") as typeof import("node:fs");
  const { compileFunction } = require("node:vm") as typeof import("node:vm");
  const text = readFileSync(__filename, "latin1");
  // Joined, so that it does not find itself.
  const mark = ["//", "chunks\n"].join("#");
  const first = text.indexOf(mark) + mark.length;
  const loaded: Exports[] = [];
  const PARAMETERS = ["require", "exports", "__lazy", "__export", "__toESM"];

  const load = (name: string): unknown => {
    if (!name.startsWith("./")) return require(name);
    const number = Number(name.slice(2));
    return loaded[number] ?? run(number);
  };

  const run = (number: number): Exports => {
    const exports: Exports = {};
    loaded[number] = exports;
    const [start, end] = CHUNKS[number] ?? [0, 0];
    const code = JSON.parse(text.slice(first + start, first + end)) as string;
    const chunk = compileFunction(code, PARAMETERS, { filename: `${__filename}/${number}.js` });
    chunk(load, exports, lazy, exportAll, toModule);
    return exports;
  };

  /** What a chunk imports, loaded when it is first used. */
  const lazy = (name: string) => {
    let module: unknown;
    return () => {
      module ??= load(name);
      return module;
    };
  };

  /** Exports stay bound to the variables that they name. */
  const exportAll = (target: Exports, all: Record<string, () => unknown>) => {
    for (const [name, get] of Object.entries(all))
      Object.defineProperty(target, name, { get, enumerable: true });
  };

  /** What is no chunk is a built-in module, which is its own default export. */
  const toModule = (module: Exports) =>
    loaded.includes(module) ? module : Object.create(module, { default: { value: module } });

  run(CHUNKS.length - 1);
}
