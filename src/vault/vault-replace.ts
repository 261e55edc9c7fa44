import * as z from "zod";
import { defineTool } from "../tool.ts";
import { argumentCode, params, text } from "./params.ts";
import { replaceInVault } from "./replace.ts";

export const vaultReplaceTool = defineTool({
  name: "vault_replace",
  title: "Replace in file",
  description:
    "Replace literal text in a file, e.g. '- [ ] Deploy' by '- [x] Deploy', without sending the rest. Answers how often it was found.",
  access: "write",
  destructive: true,
  argumentCode,
  input: () =>
    z.strictObject({
      path: params.path(),
      find: text().min(1).describe("Exact, line ends too"),
      replace: text().describe("As it is"),
      max_replacements: z.number().int().min(0).default(1).describe("From the start of the file"),
    }),
  output: () => z.object({ written_path: z.string(), replacements: z.number().int() }),
  handle: async ({ path, find, replace, max_replacements: most }, { vault }) => {
    const edit = { find: Buffer.from(find), replace: Buffer.from(replace), most };
    const { path: written_path, replacements } = await replaceInVault(vault, path, edit);
    return { written_path, replacements };
  },
});
