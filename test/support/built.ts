import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { temporaryFolder } from "./workspace.ts";

/** Ends a server that nobody needs any more. */
export const KILL = process.env["NODE_V8_COVERAGE"] === undefined ? "SIGKILL" : "SIGUSR2";

/**
 * Puts the built file alone at a place. While coverage is measured it is what runs the sources instead, so that what users
 * meet counts.
 */
export function placeBuilt(file: string): void {
  const folder = process.env["NODE_V8_COVERAGE"];
  if (folder === undefined) {
    copyFileSync(resolve("dist", "vibe-mcp.cjs"), file);
    return;
  }
  // Some tests run it as somebody without power.
  chmodSync(folder, 0o777);
  const [measured, place] = [resolve("test/support/measured.cjs"), folder].map((name) =>
    JSON.stringify(name),
  );
  writeFileSync(file, `#!/usr/bin/env node\nrequire(${measured})(${place});\n`, { mode: 0o755 });
}

/** The built file, alone in an empty folder. */
export function builtFile(t: TestContext): string {
  const file = join(temporaryFolder(t), "vibe-mcp.cjs");
  placeBuilt(file);
  return file;
}

export interface Reply {
  id?: number;
  method?: string;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface BuiltServer {
  child: ChildProcessWithoutNullStreams;
  /** Sends a message as it is. */
  write: (line: string) => void;
  request: (id: number, method: string, params?: Record<string, unknown>) => void;
  /** The reply to a request, once it is there. */
  reply: (id: number) => Promise<Reply>;
  /** Every line of stdout so far, parsed: a line that is no JSON fails the test. */
  received: Reply[];
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  stderr: () => string;
}

interface Placed {
  /** Where it is placed already. */
  file?: string;
  env?: Record<string, string>;
}

/** Starts the built file alone, without the test's own environment. */
export function startBuilt(t: TestContext, args: string[], { file, env }: Placed = {}): BuiltServer {
  const child = spawn(process.execPath, [file ?? builtFile(t), ...args], {
    cwd: temporaryFolder(t),
    env: { PATH: process.env["PATH"], HOME: temporaryFolder(t), TZ: "UTC", ...env },
  });
  t.after(() => child.kill(KILL));
  const received: Reply[] = [];
  const waiting = new Map<number, (reply: Reply) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const reply = JSON.parse(line) as Reply;
    received.push(reply);
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdin.on("error", () => {});
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) => {
    child.on("close", (code, signal) => done({ code, signal }));
  });
  const write = (line: string) => void child.stdin.write(`${line}\n`);
  const request: BuiltServer["request"] = (id, method, params = {}) =>
    write(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  const reply = (id: number) =>
    new Promise<Reply>((done, failed) => {
      const known = received.find((message) => message.id === id);
      if (known !== undefined) done(known);
      waiting.set(id, done);
      void exit.then(() => failed(new Error(`the server ended without a reply to ${id}: ${errors}`)));
    });
  return { child, write, request, reply, received, exit, stderr: () => errors };
}

/** The handshake of a client. */
export async function handshake(server: BuiltServer): Promise<Reply> {
  server.request(0, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  });
  const reply = await server.reply(0);
  server.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return reply;
}
