import type { Tool } from "../tool.ts";
import { vaultCreateTool } from "./vault-create.ts";
import { vaultLsTool } from "./vault-ls.ts";
import { vaultReadTool } from "./vault-read.ts";
import { vaultReplaceTool } from "./vault-replace.ts";
import { vaultScanTool } from "./vault-scan.ts";

/** The tools for files of any kind, by path. */
export const vaultTools: readonly Tool[] = [
  vaultLsTool,
  vaultReadTool,
  vaultScanTool,
  vaultReplaceTool,
  vaultCreateTool,
];
