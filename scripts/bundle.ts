import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { toJson } from "./shared.ts";
import { zip } from "./zip.ts";

/** Packs the built file as a bundle that desktop clients install with a double click: `vibe-mcp.mcpb`, or the named file. */
const { name, version, description, license, keywords } = JSON.parse(
  readFileSync("package.json", "utf8"),
) as Record<"name" | "version" | "description" | "license", string> & { keywords: string[] };
/** A value that the client fills in. */
const placeholder = (name: string) => `\${${name}}`;
const entry = "server/vibe-mcp.cjs";
const manifest = {
  manifest_version: "0.3",
  name,
  display_name: "vibe",
  version,
  description,
  author: { name: "the vibe-mcp authors" },
  license,
  keywords,
  server: {
    type: "node",
    entry_point: entry,
    mcp_config: {
      command: "node",
      args: [`${placeholder("__dirname")}/${entry}`, "--root", placeholder("user_config.root")],
    },
  },
  compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: ">=20.19.0" } },
  user_config: {
    root: {
      type: "directory",
      title: "Workspace",
      description: "The folder that holds the projects.",
      required: true,
      default: `${placeholder("HOME")}/.vibe`,
    },
  },
};
const output = process.argv[2] ?? "vibe-mcp.mcpb";
mkdirSync(dirname(output), { recursive: true });
const bytes = zip({
  "manifest.json": Buffer.from(toJson(manifest)),
  [entry]: readFileSync("dist/vibe-mcp.cjs"),
  LICENSE: readFileSync("LICENSE"),
});
writeFileSync(output, bytes);
console.error(`${output}: ${Math.round(bytes.length / 1024)} KB`);
