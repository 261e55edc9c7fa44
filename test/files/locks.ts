import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestContext } from "node:test";
import { hashOf } from "../../src/files/read.ts";

/** A process that runs a script in which `root`, `fs`, `withLock` and `replaceFile` are known. */
export function startScript(t: TestContext, root: string, script: string): ChildProcess {
  const source = (name: string) => JSON.stringify(resolve("src", "files", name));
  const code = `import * as fs from "node:fs";
    import { withLock } from ${source("locks.ts")};
    import { replaceFile } from ${source("write.ts")};
    const root = ${JSON.stringify(root)};
    ${script}`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

/** What it prints next. */
export async function said(child: ChildProcess): Promise<string> {
  const [chunk] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  return chunk.toString().trim();
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
}

export function locksOf(root: string): string[] {
  return readdirSync(join(root, ".vibe-mcp", "locks"));
}

/** The folder that the lock of a name is. */
export function lockPath(root: string, name = "p"): string {
  return join(root, ".vibe-mcp", "locks", `${hashOf(Buffer.from(name)).slice(0, 32)}.lock`);
}

/** The one file in it. */
export function lockFile(root: string, name = "p"): string {
  const [file = "none"] = readdirSync(lockPath(root, name));
  return join(lockPath(root, name), file);
}

/** Puts a lock there as another process would, and answers its file. */
export function plantLock(root: string, owner: object | string, token = "0123456789ab"): string {
  mkdirSync(lockPath(root), { recursive: true });
  const file = join(lockPath(root), `.vibe-mcp-00000000-1-${token}.tmp`);
  writeFileSync(file, typeof owner === "string" ? owner : JSON.stringify(owner));
  return file;
}
