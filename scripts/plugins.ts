import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PLUGINS } from "../src/setup/clients/plugin/trees.ts";

/** Writes the folders that clients install as plugins to `dist/plugins`, each with the built file. */
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
const program = readFileSync("dist/vibe-mcp.cjs");
rmSync("dist/plugins", { recursive: true, force: true });
for (const [name, filesOf] of Object.entries(PLUGINS)) {
  const files = Object.entries(filesOf({ version, program }));
  for (const [path, bytes] of files) {
    const file = join("dist/plugins", name, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  console.error(`dist/plugins/${name}: ${files.length} files`);
}
