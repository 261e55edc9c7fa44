import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Metafile, Plugin } from "esbuild";
import { bundleInChunks } from "./chunks/bundle.ts";
import { notices } from "./notices.ts";
import { LIBRARY } from "./sqljs/library.ts";

const OUTPUT = "dist/vibe-mcp.cjs";
const MAX_BYTES = 1.4 * 1024 * 1024;
const MAX_LINE = 72;
const HEAD =
  "#!/usr/bin/env node\n// vibe-mcp, MIT licence. What it contains of others, and their licences, stands at its end.";

/** What the built file carries beside its code. */
const data = new Map<string, Buffer>();

/** A module that gives the WebAssembly of a package, which the built file carries. */
function binaryModule(name: string): string {
  const key = basename(name);
  data.set(key, readFileSync(createRequire(import.meta.url).resolve(name)));
  return `export const readBinary = async () => __data("${key}");`;
}

/** Replaces `sqlite/binary.ts` by a module that carries SQLite's WebAssembly. */
const embedBinary: Plugin = {
  name: "embed-binary",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]sqlite[\\/]binary\.ts$/ }, () => ({
      loader: "js",
      contents: binaryModule("@sqlite.org/sqlite-wasm/sqlite3.wasm"),
    }));
  },
};

/** `--engine sqljs`: the engine on a build of sql.js with FTS5 in the place of ours, its WebAssembly inside too. */
const sqljsEngine: Plugin = {
  name: "sqljs-engine",
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /[\\/]src[\\/]sqlite[\\/]engine\.ts$/ }, () => ({
      resolveDir: resolve("scripts", "sqljs"),
      contents: 'export * from "./engine.ts";',
    }));
    onLoad({ filter: /[\\/]sqljs[\\/]library\.ts$/ }, () => ({
      loader: "js",
      resolveDir: resolve("."),
      contents: `${binaryModule(`${LIBRARY}/dist/sql-wasm.wasm`)}
        import initSqlJs from "${LIBRARY}/dist/sql-wasm.js";
        export const loadLibrary = async () => initSqlJs({ wasmBinary: await readBinary() });`,
    }));
    onResolve({ filter: /^(?:fs|path|crypto)$/ }, ({ path }) => ({ path: `node:${path}`, external: true }));
  },
};

/** Stands for a schema until something of it is asked for. */
const LATER = `
  function later(make) {
    let schema;
    const made = () => (schema ??= make());
    return new Proxy({}, { get: (_, name) => made()[name], has: (_, name) => name in made() });
  }`;

/**
 * Has the SDK's schemas made when they are first used, since each takes its time at every start, and lets the bundler drop
 * those that nothing uses. They are constants made by calls without side effects, and that is what the mark says.
 */
const lateSchemas: Plugin = {
  name: "late-schemas",
  setup({ onLoad }) {
    const constant =
      /^((?:export )?const \w+ = )((?:z\.|\w+Schema\.)[\s\S]*?);$(?=\n(?:\/\*|\/\/|export|const|function|$))/gm;
    onLoad({ filter: /[\\/]sdk[\\/]dist[\\/]esm[\\/]types\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(constant, "$1/* @__PURE__ */ later(() => $2);") + LATER,
    }));
  },
};

/** Leaves out what the SDK brings for features that are not used: its default JSON Schema
 * validator, zod 3, and zod's messages in other languages. */
const leaveOut: Plugin = {
  name: "leave-out",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents:
        "export class AjvJsonSchemaValidator { getValidator() { throw new Error('not part of this build'); } }",
    }));
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
    }));
    // Bodies are read before a transport sees them.
    onLoad({ filter: /[\\/]raw-body[\\/]index\.js$/ }, () => ({
      contents: "export default () => { throw new Error('not part of this build'); };",
    }));
    onLoad({ filter: /[\\/]zod[\\/]v3[\\/]index\.js$/ }, () => ({ contents: "export {};" }));
    onLoad({ filter: /[\\/]zod-to-json-schema[\\/].*[\\/]index\.js$/ }, () => ({
      contents: "export const zodToJsonSchema = () => { throw new Error('not part of this build'); };",
    }));
  },
};

const engine = parseArgs({
  options: { engine: { type: "string", default: "sqlite" }, sizes: { type: "boolean" } },
}).values.engine;
if (engine !== "sqlite" && engine !== "sqljs") throw new Error("--engine takes sqlite or sqljs");
const version = (JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version;
rmSync("dist", { recursive: true, force: true });
mkdirSync("dist", { recursive: true });
const { code, metafile } = await bundleInChunks(
  "src/cli.ts",
  { head: HEAD, data },
  {
    platform: "node",
    target: "node20.19",
    keepNames: false,
    legalComments: "none",
    charset: "utf8",
    define: { VIBE_MCP_VERSION: JSON.stringify(version) },
    // Its entry for Node loads its parts in a way that no bundler follows.
    alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    plugins: [...(engine === "sqljs" ? [sqljsEngine] : []), embedBinary, lateSchemas, leaveOut],
  },
);
writeFileSync(OUTPUT, code + notices(bundled(metafile)));
chmodSync(OUTPUT, 0o755);
prove(metafile);
if (process.argv.includes("--sizes")) printSizes(metafile);

/** The files that left something in the output. */
function bundled({ outputs }: Metafile): string[] {
  return sizes(outputs).map(([path]) => path);
}

/** The bytes that each file left in the output, the largest first. */
function sizes(outputs: Metafile["outputs"]): [path: string, bytes: number][] {
  const bytes = new Map<string, number>();
  for (const { inputs } of Object.values(outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs))
      if (bytesInOutput > 0) bytes.set(path, (bytes.get(path) ?? 0) + bytesInOutput);
  return [...bytes].sort((a, b) => b[1] - a[1]);
}

/** Fails the build when the file would need anything beside itself, or is larger than promised. */
function prove({ outputs }: Metafile): void {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const foreign = imports.filter(
    ({ path, external }) => external && !(path.startsWith("node:") && isBuiltin(path)),
  );
  const bytes = statSync(OUTPUT).size;
  const problems = [
    ...foreign.map(({ path }) => `it requires "${path}"`),
    ...(bytes > MAX_BYTES ? [`it has ${bytes} bytes, more than ${MAX_BYTES}`] : []),
  ];
  for (const problem of problems) console.error(`${OUTPUT}: ${problem}`);
  if (problems.length > 0) process.exit(1);
  console.error(`${OUTPUT}: ${Math.round(bytes / 1024)} KB`);
}

function printSizes({ outputs }: Metafile): void {
  for (const [path, bytes] of sizes(outputs).slice(0, 40)) {
    console.error(`${String(Math.round(bytes / 1024)).padStart(6)} KB  ${path.slice(-MAX_LINE)}`);
  }
}
