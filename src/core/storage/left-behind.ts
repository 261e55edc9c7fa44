import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { elapsed } from "../lib/clock.ts";
import { attempt } from "./fs-errors.ts";
import { namesIn } from "./inspect.ts";
import { entryIn, hasEnded, type Owner } from "./lock-entry.ts";
import { makeOwnFolder } from "./own-file.ts";
import { processSpace } from "./temp-files.ts";

/** No process that is remembered runs longer: an older number may belong to another one. */
const MOST_MS = 5 * 60_000;
const POLL_MS = 50;

/** Remembers a process that may outlive this one, in a folder (absolute) for that; call the result once it has ended. */
export function noteProcess(folder: string, pid: number): () => void {
  const file = join(folder, String(pid));
  const owner: Owner = { host: hostname(), ...processSpace(), pid };
  attempt(() => {
    makeOwnFolder(folder);
    writeFileSync(file, JSON.stringify(owner), { mode: 0o600 });
  });
  return () => attempt(() => rmSync(file, { force: true }));
}

/** Waits until the processes remembered in a folder have ended, for at most `ms`; false if one goes on. */
export async function waitForProcesses(folder: string, ms: number): Promise<boolean> {
  const until = elapsed() + ms;
  while (namesIn(folder).some((name) => isRunning(folder, name))) {
    if (elapsed() > until) return false;
    await sleep(POLL_MS);
  }
  return true;
}

function isRunning(folder: string, name: string): boolean {
  const [entry] = entryIn(folder, name);
  if (entry === undefined) return false;
  const { owner, written } = entry;
  if (!hasEnded(owner) && Date.now() - written < MOST_MS) return true;
  attempt(() => rmSync(join(folder, name), { force: true }));
  return false;
}

/** The files (absolute) in a folder whose names fit, with `deep` also those below it. Links are not followed. */
export function filesNamed(folder: string, names: RegExp, deep = false): string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true, recursive: deep })) ?? [];
  return entries
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}
