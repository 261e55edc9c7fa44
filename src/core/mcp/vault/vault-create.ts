import { join } from "node:path";
import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { checkNewFilename } from "../../notes/names.ts";
import { createFile } from "../../storage/atomic-write.ts";
import { makeFolder } from "../../storage/folders.ts";
import { guarded } from "../../storage/fs-errors.ts";
import { type NewFile, placeNew } from "../../storage/new-file.ts";
import { contentOf } from "../../storage/read.ts";
import { refuseRepositoryFile } from "../../workspace/find/repository-file.ts";
import type { Vault } from "../../workspace/vault.ts";
import { defineTool } from "../tool.ts";
import {
  argumentCode,
  checkPlace,
  checkRules,
  parseFilePath,
  pathError,
  pathParam,
  vaultGate,
} from "./path.ts";

export const vaultCreateTool = defineTool({
  name: "vault_create",
  title: "Create file",
  description:
    "Create a file of any kind by path, folders included; never overwrites. In daily/ only YYYY-MM-DD.md.",
  access: "write",
  searchHint: "new file of any kind",
  argumentCode,
  input: () => z.strictObject({ path: pathParam(), content: z.string().min(1).describe("Not empty") }),
  output: () => z.object({ written_path: z.string(), written_bytes: z.number().int() }),
  handle: async ({ path, content }, { vault }) => {
    const bytes = Buffer.from(content);
    return { written_path: await createInVault(vault, path, bytes), written_bytes: bytes.length };
  },
});

/** Creates a file and its folders; returns its path. Throws conflict for a name that some disks do not distinguish from another. */
async function createInVault(vault: Vault, given: string, bytes: Buffer): Promise<string> {
  const [folders, name] = parseFilePath(given);
  const path = [...folders, name].join("/");
  checkRules([...folders, name], "create");
  checkNewName(path);
  await guarded("create", "the root", () => makeFolder(vault.root));
  const gate = vaultGate(vault, "read");
  const check = (place: readonly string[]) => {
    const root = gate.root();
    checkPlace(vault, { root, place, use: "create" });
    vault.check(join(root, ...place), bytes.length);
  };
  const place = placeNew(gate, path, { check });
  checkFree(place);
  const write = async () => {
    if (!(await guarded("create", path, () => createFile(place.file, bytes)))) throw conflict(path, name);
  };
  await vault.change({ file: place.file, before: null, after: contentOf(bytes), write });
  return place.path;
}

function checkFree({ path, taken }: NewFile): void {
  if (taken === undefined) return;
  if (taken.kind === "link" || taken.kind === "dangling")
    throw pathError("forbidden", path, "leads through a link. Use the path of the file itself.");
  throw conflict(path, taken.name);
}

/** New names follow the rules for documents, so that a workspace stays portable. */
function checkNewName(path: string): void {
  refuseRepositoryFile(path, "out_of_scope");
  try {
    checkNewFilename(path);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError("invalid_path", error.message, { details: { path: escapeName(path) } });
  }
}

function conflict(path: string, taken: string): UserError {
  const other = path.endsWith(taken) ? "" : ` (as ${quoteName(taken)}, which some disks cannot tell from it)`;
  const problem = `already exists${other}. Use vault_replace to change it, or choose another name.`;
  return pathError("conflict", path, problem);
}
