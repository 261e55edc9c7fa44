/*
 * The code of the built file: the rest of it are comment lines between two that say `//#chunks`, the parts of the program
 * first, each on a line of its own where a control character stands for the end of a line. A part is compiled when
 * something of it is first used. Lines may end in CRLF, as some tools leave every text that they copy.
 */
import { readFileSync } from "node:fs";
import { Script } from "node:vm";
import { brotliDecompressSync } from "node:zlib";

type Exports = Record<string, unknown>;
type Chunk = (...given: unknown[]) => void;

{
  // Read once and as a whole: another file in its place is no concern of this process.
  const lines = readFileSync(__filename, "latin1").split("\n");
  const isMark = (line: string) => line.trimEnd() === "//#chunks";
  const first = lines.findIndex(isMark) + 1;
  if (lines.findLastIndex(isMark) < first) {
    process.stderr.write(`vibe-mcp: ${__filename} is not whole. Copy or install it again\n`);
    process.exit(1);
  }
  const loaded: Exports[] = [];

  const load = (name: string): unknown => {
    if (!name.startsWith("./")) return require(name);
    const number = Number(name.slice(2));
    return loaded[number] ?? run(number);
  };

  const run = (number: number): Exports => {
    const exports: Exports = {};
    loaded[number] = exports;
    const code = (lines[first + number] as string).slice("//".length).replaceAll("\x01", "\n");
    const chunk = `(function(require,exports,__lazy,__export,__toESM,__data){${code}\n})`;
    const script = new Script(chunk, { filename: `${__filename}/${number}.js` });
    (script.runInThisContext() as Chunk)(load, exports, lazy, exportAll, toModule, data);
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

  /** The bytes that the file carries under a name: a line of their name, their number, and themselves, compressed. */
  const data = (name: string) => {
    const line = lines.find((each) => each.startsWith(`//=${name} `)) as string;
    const [, length, packed = ""] = line.split(" ");
    // Five milliseconds at once: the asynchronous way would end only when the main thread, busy at a start, is free.
    return brotliDecompressSync(Buffer.from(packed, "base64"), { chunkSize: Number(length) });
  };

  run(0);
}
