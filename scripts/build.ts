import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { brotliCompressSync } from "node:zlib";
import { build, type Metafile, type Plugin } from "esbuild";
import { buildBoard } from "./board.ts";
import { notices } from "./notices.ts";

const OUTPUT = "dist/vibe-mcp.cjs";
const PAGE_FOLDER = "node_modules/.cache/vibe-mcp";
const HEAD =
  "#!/usr/bin/env node\n// vibe-mcp, MIT licence. The licences of the packages that it contains are at the end.";

/** A module that exports `readBinary` and contains the WebAssembly of a package as one compressed string. */
function binaryModule(name: string): string {
  const bytes = readFileSync(createRequire(import.meta.url).resolve(name));
  return `${unpack(bytes)} export const readBinary = async () => unpack();`;
}

/** Code that declares `unpack`, which returns these bytes. */
function unpack(bytes: Uint8Array): string {
  const packed = brotliCompressSync(bytes)
    .toString("base64")
    .replaceAll(/.{1000}/g, "$&\n");
  return `
    import { brotliDecompressSync } from "node:zlib";
    const PACKED = \`\n${packed}\n\`;
    const unpack = () => brotliDecompressSync(Buffer.from(PACKED, "base64"), { chunkSize: ${bytes.length} });`;
}

/** Loads other code in place of a file. */
function replacing(filter: RegExp, contents: () => string): Plugin {
  return {
    name: `replacing ${filter.source}`,
    setup: ({ onLoad }) => onLoad({ filter }, () => ({ contents: contents() })),
  };
}

/** Lets a bundle leave out the schemas of a file that nothing uses. */
function onlyUsedSchemas(filter: RegExp): Plugin {
  // Up to the semicolon before a line that begins with anything but a bracket.
  const definition = /^const (\w+Schema) = ((?:.|\n(?=[\s\]})]))*);$/gm;
  const pure = (text: string) =>
    text
      .replaceAll(definition, "const $1 = /* @__PURE__ */ (() => $2)();")
      .replaceAll(/^for \(const .*\) register\(.*\);$/gm, "");
  return {
    name: "only used schemas",
    setup: ({ onLoad }) => onLoad({ filter }, ({ path }) => ({ contents: pure(readFileSync(path, "utf8")) })),
  };
}

const PLUGINS = [
  // It reads SQLite's WebAssembly from its package.
  replacing(/[\\/]sqlite[\\/]binary\.ts$/, () => binaryModule("@sqlite.org/sqlite-wasm/sqlite3.wasm")),
  // It reads the web page as a file.
  replacing(
    /[\\/]http[\\/]board-page\.ts$/,
    () => `${unpack(Buffer.from(board.html))} export const readPage = async () => unpack().toString();`,
  ),
  // A list by name, which this server never asks, would keep every schema of the protocol, and make it at each start.
  onlyUsedSchemas(
    /[\\/]@modelcontextprotocol[\\/](?:core|server)[\\/]dist[\\/](?:schemas|auth|src)-[^\\/]+$/,
  ),
  // It checks what users answer to a server's questions, which this server never asks. The SDK constructs it.
  replacing(/[\\/]server[\\/]dist[\\/]ajvProvider-[^\\/]+$/, () => "export { Unused as n }; class Unused {}"),
];

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const board = await buildBoard();
rmSync("dist", { recursive: true, force: true });
mkdirSync("dist");
// For servers that run from their sources; `dist` holds what ships.
mkdirSync(PAGE_FOLDER, { recursive: true });
writeFileSync(`${PAGE_FOLDER}/board.html`, board.html);
const { metafile } = await build({
  entryPoints: ["src/main.ts"],
  outfile: OUTPUT,
  bundle: true,
  metafile: true,
  format: "cjs",
  platform: "node",
  target: "node20.19",
  banner: { js: HEAD },
  legalComments: "eof",
  // Node compiles it sooner; names and lines stay, so that a stack trace says where.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  define: { VIBE_MCP_VERSION: JSON.stringify(version) },
  // Its entry for Node loads its parts in a way that bundlers cannot follow.
  alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
  plugins: PLUGINS,
});
writeFileSync(
  OUTPUT,
  ascii(readFileSync(OUTPUT, "utf8")) + notices([metafile, ...board.metafiles].flatMap(bundled)),
);
chmodSync(OUTPUT, 0o755);
checkOutput(metafile);

/** Escapes the characters that esbuild leaves in patterns: V8 stores pure ASCII with one byte per character. */
function ascii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The files whose code a bundle contains. */
function bundled({ outputs }: Metafile): string[] {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs));
  return inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
}

/** Fails the build if the file requires anything but Node.js, and says how large it is. */
function checkOutput({ outputs }: Metafile): void {
  const imports = outputs[OUTPUT]?.imports ?? [];
  const foreign = imports.filter(({ path }) => !(path.startsWith("node:") && isBuiltin(path)));
  for (const { path } of foreign) console.error(`${OUTPUT}: it requires "${path}"`);
  if (foreign.length > 0) process.exit(1);
  console.error(`${OUTPUT}: ${Math.round(readFileSync(OUTPUT).length / 1000)} KB`);
}
