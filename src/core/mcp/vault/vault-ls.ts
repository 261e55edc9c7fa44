import { join } from "node:path";
import * as z from "zod";
import { listPlain, type PlainEntry } from "../../storage/list.ts";
import type { Vault } from "../../workspace/vault.ts";
import { defineTool } from "../tool.ts";
import { argumentCode, checkRules, isVisible, onDisk, parsePath, pathError, vaultGate } from "./path.ts";

export const vaultLsTool = defineTool({
  name: "vault_ls",
  title: "List folder",
  description:
    "List the folders and files directly in a folder, with the paths that the other vault tools take.",
  access: "read",
  searchHint: "list a folder",
  argumentCode,
  input: () =>
    z.strictObject({ path: z.string().optional().describe("E.g. api/scratch; the root if left out") }),
  output: () =>
    z.object({
      base_path: z.string().nullable(),
      items: z.array(z.object({ name: z.string(), path: z.string(), kind: z.enum(["dir", "file"]) })),
    }),
  handle: ({ path }, { vault }) => {
    const parts = parsePath(path ?? "");
    checkRules(parts, "read");
    const { base, entries } = listPlace(vault, parts);
    const prefix = base === "" ? "" : `${base}/`;
    return {
      base_path: base === "" ? null : base,
      items: entries.map(({ name, kind }) => ({ name, path: `${prefix}${name}`, kind })),
    };
  },
});

function listPlace(vault: Vault, parts: readonly string[]): { base: string; entries: PlainEntry[] } {
  const gate = vaultGate(vault, "read");
  const path = onDisk(gate, parts, "folders");
  const folder = gate.resolve(path)?.file;
  const entries = folder === undefined ? undefined : listPlain(gate, path);
  // A root that does not exist yet is empty.
  if (entries === undefined && parts.length === 0) return { base: "", entries: [] };
  if (folder === undefined || entries === undefined)
    throw pathError(
      "not_found",
      path,
      "is not a folder in the vault. Call vault_ls without a path to see its root.",
    );
  const shown = entries.filter(({ name }) => isShown(name) && !vault.isIndex(join(folder, name)));
  return { base: gate.partsOf(folder).join("/"), entries: shown };
}

const NOISE = ["thumbs.db", "desktop.ini"];

/** Hides files of operating systems, and names with `\`, which a path cannot hold. */
function isShown(name: string): boolean {
  return isVisible(name) && !NOISE.includes(name.toLowerCase()) && !name.includes("\\");
}
