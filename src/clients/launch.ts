import { delimiter, join } from "node:path";
import type { Config } from "../config.ts";
import { realPath } from "../files/upwards.ts";
import type { Launch } from "./entry.ts";
import type { Machine } from "./machine.ts";

/** How a client starts this program: as it was started now, with the settings that differ from the defaults. */
export function launchOf(machine: Machine, args: readonly string[]): Launch {
  if (!machine.npx) return { command: lastingNode(machine), args: [machine.script, ...args] };
  const npx = ["npx", "-y", "vibe-mcp", ...args];
  // Windows starts npx, which is a script, only through its shell.
  return machine.platform === "win32"
    ? { command: "cmd", args: ["/c", ...npx] }
    : { command: "npx", args: npx.slice(1) };
}

/** The name by which the PATH finds this Node, since the file that it really is goes with the next update. */
function lastingNode({ node, env, platform }: Machine): string {
  const name = platform === "win32" ? "node.exe" : "node";
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter(Boolean);
  return (
    folders.map((folder) => join(folder, name)).find((file) => realPath(file) === realPath(node)) ?? node
  );
}

/** The settings of a server as options; `home` tells the default of the root. */
export function settingsArguments(config: Config, home: string): string[] {
  const { root, db, dbNamed, readOnly, api, tools, vault, boost } = config;
  const isBoosted = boost !== undefined && !(api === "v1" && boost === 1);
  return [
    ...(root === join(home, ".vibe") ? [] : ["--root", root]),
    ...(dbNamed ? ["--db", db] : []),
    ...(readOnly ? ["--read-only"] : []),
    ...(api === "v2" ? [] : ["--api", api]),
    ...(tools === "all" ? [] : ["--tools", tools]),
    ...(vault === root ? [] : ["--vault", vault ?? "off"]),
    ...(isBoosted ? ["--boost", String(boost)] : []),
  ];
}
