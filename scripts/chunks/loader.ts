/*
 * The code of the built file: the rest of it are chunks, one in each comment line between two that say `//#chunks`, as JSON
 * strings, the program first. Each is compiled when something of it is first used. Lines may end in CRLF, as some tools
 * leave every text that they copy.
 */
type Exports = Record<string, unknown>;

{
  const { readFileSync } = require("node:fs") as typeof import("node:fs");
  const { compileFunction } = require("node:vm") as typeof import("node:vm");
  // Read once and as a whole: another file in its place is no concern of this process.
  const lines = readFileSync(__filename, "latin1").split("\n");
  const isMark = (line: string) => line.trimEnd() === "//#chunks";
  const first = lines.findIndex(isMark) + 1;
  if (lines.findLastIndex(isMark) < first) {
    process.stderr.write(`vibe-mcp: ${__filename} is not whole. Copy or install it again\n`);
    process.exit(1);
  }
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
    const code = JSON.parse((lines[first + number] as string).slice("//".length)) as string;
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

  run(0);
}
