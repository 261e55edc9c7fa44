import * as z from "zod";
import { defineTool } from "../tool.ts";
import { createInVault } from "./create.ts";
import { argumentCode, params, text } from "./params.ts";

export const vaultCreateTool = defineTool({
  name: "vault_create",
  title: "Create file",
  description:
    "Create a file of any kind by path, folders included; never overwrites. In daily/ only YYYY-MM-DD.md.",
  access: "write",
  argumentCode,
  input: () => z.strictObject({ path: params.path(), content: text().min(1).describe("Not empty") }),
  output: () => z.object({ written_path: z.string(), written_bytes: z.number().int() }),
  handle: async ({ path, content }, { vault }) => {
    const bytes = Buffer.from(content);
    return { written_path: await createInVault(vault, path, bytes), written_bytes: bytes.length };
  },
});
