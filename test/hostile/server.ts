import { chmodSync } from "node:fs";
import { dirname } from "node:path";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtFile } from "../fixtures/built.ts";
import { type Connected, callers, temporaryFolder } from "../fixtures/workspace.ts";

export interface Served extends Pick<Connected, "call" | "fail"> {
  client: Client;
  pid: number;
  /** The lines of its log so far. */
  logged: () => string[];
  /** Ends it properly, so that it saves its index. */
  close: () => Promise<void>;
}

interface ServeOptions {
  args?: string[];
  env?: Record<string, string>;
  /** Serves as a user without root's permissions, if we have them. */
  unprivileged?: boolean;
}

const PATIENCE_MS = 600_000;
const AS_NOBODY = "process.setgid?.(65534); process.setuid?.(65534); require(process.argv[1]);";

/** The built server over a root, with the official client. */
export async function serve(t: TestContext, root: string, options: ServeOptions = {}): Promise<Served> {
  const file = builtFile(t);
  const args = [file, "--root", root, ...(options.args ?? [])];
  if (options.unprivileged === true && process.getuid?.() === 0) {
    chmodSync(dirname(file), 0o755);
    args.unshift("-e", AS_NOBODY, "--");
  }
  const env = { HOME: temporaryFolder(t), TZ: "UTC", ...options.env };
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: "pipe" });
  let log = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString();
  });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  t.after(() => client.close());
  // A busy machine takes its time; a hang is still noticed.
  const callTool: Client["callTool"] = (params) =>
    client.callTool(params, undefined, { timeout: PATIENCE_MS });
  const pid = transport.pid ?? 0;
  return {
    client,
    pid,
    ...callers({ callTool }),
    logged: () => log.split("\n"),
    close: () => client.close(),
  };
}
