import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { UsageError } from "../src/core/config/options.ts";

export const PROGRAM = resolve("dist", "vibe-mcp.cjs");
/** What tests are started with. */
export const LOADERS = ["--import", "tsx", "--import", "./test/fixtures/seed.ts"];

/** Runs `use` with a temporary folder, which is removed afterwards, even on Ctrl+C. */
export async function withFolder<T>(name: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `vibe-${name}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  try {
    return await use(folder);
  } finally {
    process.off("SIGINT", interrupted);
    remove();
  }
}

/** The official client of a server on stdio, which gets no other environment. */
export async function startClient(args: string[], home: string) {
  const env = { HOME: home, TZ: "UTC" };
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: "ignore", env });
  const client = new Client({ name: "script", version: "1" });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

/** Prints, and returns the exit code for success. */
export function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function wholeNumber(name: string, text: string): number {
  if (Number.isInteger(Number(text)) && Number(text) >= 1) return Number(text);
  throw new UsageError(`${name} must be a whole number of at least 1, not ${JSON.stringify(text)}`);
}

export function inMs(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`;
}

export function inMb(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** The table on a page that `npm run <command>` makes; `write` replaces it. */
export function madeTable(page: string, command: string): { text: string; write: (table: string) => void } {
  const [start, end] = [`<!-- made by npm run ${command} -->\n`, "\n<!-- end -->"];
  const [head = "", rest = ""] = readFileSync(page, "utf8").split(start);
  const [text = "", after = ""] = rest.split(end);
  return { text, write: (table) => writeFileSync(page, `${head}${start}${table}${end}${after}`) };
}
