import { basename } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { type BuildOptions, build, type Metafile, transform } from "esbuild";

const LOADER = "scripts/chunks/loader.ts";
const MAIN = "main.js";
const MARK = "//#chunks";

/**
 * Bundles the program `entry` into the text of one CommonJS file that compiles a part of itself when that is first used:
 * a start pays for what it needs, not for the whole. `head` comes first in it; `data`, by name, is given to the code
 * by `__data(name)`.
 */
export async function bundleInChunks(
  entry: string,
  { head, data }: { head: string; data: ReadonlyMap<string, Buffer> },
  options: BuildOptions,
): Promise<{ code: string; metafile: Metafile }> {
  const { outputFiles, metafile } = await build({
    ...options,
    ...{ bundle: true, splitting: true, format: "esm", minifySyntax: true, write: false, metafile: true },
    ...{ entryPoints: { main: entry }, outdir: "chunks", chunkNames: "[hash]" },
  });
  const parts = outputFiles.map(({ path, text }) => ({ name: basename(path), text }));
  parts.sort((a, b) => Number(b.name === MAIN) - Number(a.name === MAIN));
  const numbers = new Map(parts.map(({ name }, number) => [name, number]));
  const chunks = await Promise.all(parts.map(({ text }) => chunkOf(text, numbers)));
  const loader = await build({
    ...{ entryPoints: [LOADER], bundle: true, format: "cjs", platform: "node", target: "node20.19" },
    ...{ minify: true, write: false },
  });
  const lines = [
    ...chunks,
    ...[...data].map(([name, bytes]) => `//=${name} ${bytes.length} ${pack(bytes)}\n`),
  ];
  return { code: `${head}\n${loader.outputFiles[0]?.text}${MARK}\n${lines.join("")}${MARK}\n`, metafile };
}

function pack(bytes: Buffer): string {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 22,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params }).toString("base64");
}

/** The line of a chunk: what it takes from others is named by their numbers, and loaded when it is used. */
async function chunkOf(module: string, numbers: ReadonlyMap<string, number>): Promise<string> {
  const numbered = module.replaceAll(/(["'])\.\/([\w-]+\.js)\1/g, (_, quote, name: string) => {
    return `${quote}./${numbers.get(name)}${quote}`;
  });
  const supported = { "dynamic-import": false };
  const common = await transform(numbered, { format: "cjs", platform: "node", supported });
  const { code } = await transform(lazily(common.code), { format: "cjs", minify: true, charset: "utf8" });
  // In ASCII alone, the file is kept and scanned a byte a character.
  const line = code.trim().replaceAll(/[^\n -~]/g, escapeUnit);
  return `//${line.replaceAll("\n", "\x01")}\n`;
}

/** CommonJS as esbuild writes it, with helpers that the loader gives, and imports that wait until they are used. */
function lazily(code: string): string {
  const body = code
    .replace(/^[\s\S]*?\nvar __toCommonJS = .*\n/, "")
    .replace(/^var stdin_exports = \{\};\n__export\(stdin_exports,/m, "__export(exports,")
    .replace(/^module\.exports = __toCommonJS.*\n/m, "")
    .replace(/\n\/\/ Annotate the CommonJS export names[\s\S]*$/, "");
  const names = [...body.matchAll(/^var (import_\w+) = require\(/gm)].map(([, name = ""]) => name);
  const used = new RegExp(`\\b(${names.join("|")})\\b(?! = )`, "g");
  const imports = /^var (import_\w+) = require\(("[^"]+")\);$/gm;
  const deferred = names.length === 0 ? body : body.replaceAll(used, "($1())");
  return deferred.replaceAll(imports, "const $1 = __lazy($2);");
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
