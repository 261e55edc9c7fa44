import { dirname, isAbsolute, join } from "node:path";
import { linkTarget, realPath } from "../core/storage/folders.ts";
import { inspectPath } from "../core/storage/inspect.ts";
import { isInside } from "../core/storage/path-gate.ts";
import type { Machine } from "../setup/clients/machine.ts";
import { SKILL_PATH } from "../setup/clients/plugin/clients.ts";
import { PROGRAM } from "./program.ts";

/**
 * The folder in which a person or client works: where this program was started, unless a client started it in the plugin that it
 * lies in. Then the client's own folder counts, or the one that it inherited; undefined if neither is known.
 */
export function workFolder(
  { folder, script, env, platform }: Omit<Machine, "home">,
  parent: number,
): string | undefined {
  const plugin = pluginOf(script);
  const isUsers = (place: string) => plugin === undefined || !isInside(plugin, realPath(place));
  if (isUsers(folder)) return folder;
  // Elsewhere than on Linux, only another program could tell; nearly all clients are where they were started.
  const ofClient = platform === "linux" ? linkTarget(`/proc/${parent}/cwd`) : undefined;
  return [ofClient, env["PWD"]].find(
    (place): place is string => place !== undefined && isAbsolute(place) && isUsers(place),
  );
}

/** The plugin whose server this program is. */
function pluginOf(script: string): string | undefined {
  const folder = dirname(dirname(script));
  const isPlugin =
    script === join(folder, "server", PROGRAM) && inspectPath(join(folder, SKILL_PATH)).kind === "file";
  return isPlugin ? folder : undefined;
}
