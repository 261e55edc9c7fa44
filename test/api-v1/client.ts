import { join } from "node:path";
import type { TestContext } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { builtFile } from "../support/built.ts";
import { temporaryFolder } from "../support/workspace.ts";

export interface V1 {
  client: Client;
  root: string;
  /** The answer of a tool as its text says it; what is structured is compared with it first. */
  answer: (name: string, args?: Record<string, unknown>) => Promise<unknown>;
  /** The text of an answer that is an error. */
  error: (name: string, args?: Record<string, unknown>) => Promise<string>;
}

/** The official client on the built file, which is started as its users start it. */
export async function startV1(
  t: TestContext,
  { root: given, args = [], env = {} }: { root?: string; args?: string[]; env?: Record<string, string> } = {},
): Promise<V1> {
  const client = new Client({ name: "test", version: "1" });
  // It ends before its folders go.
  t.after(() => client.close());
  const root = given ?? join(temporaryFolder(t), ".vibe");
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtFile(t), ...args],
    cwd: temporaryFolder(t),
    env: { HOME: temporaryFolder(t), TZ: "UTC", VIBE_API: "v1", VIBE_ROOT: root, ...env },
    stderr: "pipe",
  });
  await client.connect(transport);
  return { client, root, ...answers(client) };
}

/** How an agent of the earlier server reads answers. */
export function answers(client: Client): Pick<V1, "answer" | "error"> {
  const run = async (name: string, args: Record<string, unknown> = {}) => {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
    const [content] = result.content;
    return { ...result, text: content?.type === "text" ? content.text : "" };
  };
  return {
    answer: async (name, args) => {
      const { isError, text, structuredContent } = await run(name, args);
      if (isError) throw new Error(`${name}: ${text}`);
      const value: unknown = JSON.parse(text);
      const structured = Array.isArray(value) ? { result: value } : value;
      if (JSON.stringify(structured) !== JSON.stringify(structuredContent))
        throw new Error(`text and structured answer differ: ${text}`);
      return value;
    },
    error: async (name, args) => {
      const { isError, text } = await run(name, args);
      if (!isError) throw new Error(`${name} did not fail: ${text}`);
      return text;
    },
  };
}
