import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { escapeHtml } from "../core/lib/escape.ts";
import { writePrivateFile } from "../core/storage/own-file.ts";
import type { Machine } from "../setup/clients/machine.ts";

/** Browsers that start slowly read the file late. */
const FILE_MS = 60_000;

/** Whether a browser of this machine appears before the person who types: not over SSH, in WSL or without a display. */
export function hasBrowser({ platform, env }: Pick<Machine, "platform" | "env">): boolean {
  if (env["SSH_CONNECTION"] || env["SSH_TTY"] || env["WSL_DISTRO_NAME"]) return false;
  return platform === "darwin" || platform === "win32" || !!(env["DISPLAY"] || env["WAYLAND_DISPLAY"]);
}

/**
 * Opens an address that holds a secret; `failed` is called if no browser opens it. Command lines are visible to every user
 * of a machine, so the opener gets a file that only this user can read and that leads to the address. Returns what removes it.
 */
export function openBrowser(
  { platform, home }: Pick<Machine, "platform" | "home">,
  address: string,
  failed: () => void,
): () => void {
  try {
    // On Linux many browsers are snaps, which see neither /tmp nor hidden folders.
    const parent = platform === "darwin" || platform === "win32" ? tmpdir() : home;
    const { file, remove } = writePrivateFile(parent, "board.html", leadTo(address));
    setTimeout(remove, FILE_MS).unref();
    const [program, ...args] = openerOf(platform);
    // In a process group of its own: Ctrl+C here must not close the browser.
    const child = spawn(program, [...args, file], { detached: true, stdio: "ignore", windowsHide: true });
    child.once("error", failed);
    child.once("exit", (code) => code !== 0 && failed());
    child.unref();
    return remove;
  } catch {
    // No folder for the file: the address is printed anyway.
    failed();
    return () => {};
  }
}

function openerOf(platform: NodeJS.Platform): readonly [program: string, ...args: string[]] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : ["xdg-open"];
}

function leadTo(address: string): string {
  const target = escapeHtml(address);
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${target}">
<title>vibe-mcp</title>
<a href="${target}">vibe-mcp</a>
`;
}
