import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { loadApi } from "../../src/api.ts";
import type { Config } from "../../src/config.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { createLog, type Log } from "../../src/lib/log.ts";
import { createServer } from "../../src/server.ts";
import { openVault, type VaultOptions } from "../../src/workspace/vault.ts";
import { openWorkspace, type Workspace, type WorkspaceOptions } from "../../src/workspace/workspace.ts";

export type Files = Record<string, string | Buffer>;

/** A temporary folder that goes away with the test, also while a server still writes to it. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "vibe-test-"));
  t.after(() => removeFolder(folder, 10));
  return folder;
}

/** What a server writes meanwhile goes with the next attempt; the retries of `rmSync` itself do not look again. */
function removeFolder(folder: string, attempts: number): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    if (attempts === 1) throw error;
    removeFolder(folder, attempts - 1);
  }
}

/** Writes files by their path; a path that ends in `/` makes an empty folder. */
export function writeFiles(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, ...path.split("/"));
    mkdirSync(path.endsWith("/") ? file : dirname(file), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(file, content);
  }
}

/** Sets the modification time of a file, as if it had been written then. */
export function dateFile(root: string, path: string, date: string): void {
  const time = new Date(date);
  utimesSync(join(root, ...path.split("/")), time, time);
}

export function makeWorkspace(t: TestContext, files: Files): string {
  const root = temporaryFolder(t);
  writeFiles(root, files);
  return root;
}

export interface Opened {
  workspace: Workspace;
  log: Log;
  /** The lines logged so far. */
  logged: string[];
}

type Settings = Partial<WorkspaceOptions["config"]> &
  Partial<VaultOptions["config"]> & { clock?: Clock; tools?: string; api?: Config["api"]; watch?: boolean };

/** Opens a workspace that is closed with the test. */
export function open(t: TestContext, root: string, settings: Settings = {}): Opened {
  const logged: string[] = [];
  const { clock = { now: () => new Date() }, watch, tools: _, vault: __, api: ___, ...rest } = settings;
  const config = {
    ...{
      root,
      db: join(root, "index.db"),
      dbNamed: false,
      readOnly: false,
      boost: undefined,
      reindex: false,
    },
    ...rest,
  };
  const log = createLog("debug", (line) => logged.push(line));
  const workspace = openWorkspace({ config, clock, log, watch });
  t.after(() => workspace.close());
  return { workspace, log, logged };
}

export interface Connected extends Opened {
  client: Client;
  /** Calls a tool and gives its structured answer; fails the test when the answer is an error. */
  call: <T = Record<string, unknown>>(name: string, args?: Record<string, unknown>) => Promise<T>;
  /** Calls a tool that must fail, and gives the error of the envelope. */
  fail: (name: string, args?: Record<string, unknown>) => Promise<ToolError>;
}

export interface ToolError {
  code: string;
  message: string;
  details: Record<string, unknown> & { suggestions?: string[] };
}

/** The official client, connected to a server over the workspace. */
export async function connect(t: TestContext, root: string, settings: Settings = {}): Promise<Connected> {
  const opened = open(t, root, settings);
  const { log } = opened;
  const readOnly = settings.readOnly ?? false;
  const { api: name = "v2", tools = "all" } = settings;
  const api = await loadApi({ api: name, tools, vault: root });
  const config = { db: settings.db ?? join(root, "index.db"), vault: settings.vault };
  const vault = openVault({ config, workspace: opened.workspace });
  const server = createServer({
    workspace: opened.workspace,
    vault,
    log,
    version: "1.2.3",
    readOnly,
    api,
    notify: true,
  });
  const client = new Client({ name: "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(theirs), client.connect(ours)]);
  t.after(() => client.close());
  return { ...opened, client, ...callers(client) };
}

/** The two ways a test calls tools. The client itself checks every answer against the tool's output schema. */
export function callers(client: Pick<Client, "callTool">): Pick<Connected, "call" | "fail"> {
  const run = async (name: string, args: Record<string, unknown> = {}) =>
    (await client.callTool({ name, arguments: args })) as CallToolResult;
  return {
    call: async <T>(name: string, args?: Record<string, unknown>) => {
      const result = await run(name, args);
      const text = textOf(result);
      if (result.isError) throw new Error(text);
      if (JSON.stringify(result.structuredContent) !== text)
        throw new Error("text and structured answer differ");
      return result.structuredContent as T;
    },
    fail: async (name, args) => {
      const result = await run(name, args);
      if (!result.isError) throw new Error(`${name} did not fail: ${textOf(result)}`);
      if (result.structuredContent !== undefined) throw new Error("an error carries no structured answer");
      const envelope = JSON.parse(textOf(result)) as { success: boolean; error: ToolError };
      if (envelope.success !== false) throw new Error("the envelope does not say success: false");
      return envelope.error;
    },
  };
}

function textOf(result: CallToolResult): string {
  const [first] = result.content;
  return first?.type === "text" ? first.text : "";
}
