import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import * as z from "zod";
import { changeRead } from "../../storage/atomic-write.ts";
import { guarded } from "../../storage/fs-errors.ts";
import type { Lock } from "../../storage/locks.ts";
import { contentOf, readBytes } from "../../storage/read.ts";
import { MAX_DOCUMENT_BYTES } from "../../storage/walk.ts";
import { tooLarge, VAULT_CODES } from "../../workspace/change/limits.ts";
import type { Vault } from "../../workspace/vault.ts";
import { defineTool } from "../tool.ts";
import { argumentCode, pathError, pathParam, type VaultFile, withFile } from "./path.ts";

export const vaultReplaceTool = defineTool({
  name: "vault_replace",
  title: "Replace in file",
  description:
    "Replace literal text in a file, e.g. '- [ ] Deploy' by '- [x] Deploy', without sending the rest. Answers the number of replacements.",
  access: "write",
  searchHint: "replace text in a file",
  destructive: true,
  argumentCode,
  input: () =>
    z.strictObject({
      path: pathParam(),
      find: z.string().min(1).describe("Exact, line ends too"),
      replace: z.string().describe("Replacement text"),
      max_replacements: z.number().int().min(0).default(1).describe("From the start of the file"),
    }),
  output: () =>
    z.object({ written_path: z.string(), replacements: z.number().int(), hint: z.string().optional() }),
  handle: async ({ path, find, replace, max_replacements }, { vault }) => {
    const edit = { find: Buffer.from(find), replace: Buffer.from(replace), most: max_replacements };
    const { path: written_path, replacements, notes } = await replaceInVault(vault, path, edit);
    const none = edit.most === 0 ? NONE_ASKED : NO_MATCH;
    const said = replacements === 0 ? none : notes.join(" ");
    return { written_path, replacements, ...(said !== "" && { hint: said }) };
  },
});

const NONE_ASKED =
  "Nothing was replaced, since 'max_replacements' is 0. Leave it out to replace the first match.";
const NO_MATCH =
  "Nothing was replaced: the file does not contain 'find'. Letter case, spaces and line ends (\\n or \\r\\n) must match; vault_read shows the text.";

interface TextReplacement {
  find: Buffer;
  replace: Buffer;
  /** How many places to replace at most, from the start. */
  most: number;
}

/** Other requests run after this many replacements. */
const TURN = 50_000;

interface Result {
  path: string;
  replacements: number;
  /** What there is to say of it. */
  notes: readonly string[];
}

/**
 * Replaces literal text in a file under its project's lock, byte for byte. Throws invalid_parameter for a result that is too
 * large, conflict for a file that is not valid UTF-8 or that another program changes meanwhile.
 */
async function replaceInVault(vault: Vault, path: string, edit: TextReplacement): Promise<Result> {
  const request = { path, use: "replace" } as const;
  const file = await withFile(vault, request, async (found) => found.file);
  return vault.locked(file, async (lock) => {
    const read = await withFile(vault, request, readWhole);
    return replaceIn(vault, read, { ...edit, lock });
  });
}

interface WholeFile extends Pick<VaultFile, "path" | "file"> {
  bytes: Buffer;
}

/** The file is closed before it is replaced, as Windows requires. */
async function readWhole({ path, file, descriptor }: VaultFile): Promise<WholeFile> {
  return { path, file, bytes: await guarded("read", path, () => readBytes(descriptor)) };
}

async function replaceIn(
  vault: Vault,
  { path, file, bytes: before }: WholeFile,
  { lock, ...edit }: TextReplacement & { lock: Lock },
): Promise<Result> {
  if (!isUtf8(before))
    throw pathError("conflict", path, "is not valid UTF-8: a change could damage it. Convert it first.");
  const { bytes: after, replacements } = await replaceBytes(before, edit, path);
  if (replacements === 0 || after.equals(before)) return { path, replacements, notes: [] };
  const changed = () => pathError("conflict", path, "was just changed by another program. Repeat the call.");
  const write = (ready?: Promise<unknown>) => changeRead({ path, file, before, after, changed, lock, ready });
  const notes = await vault.change({ file, before: contentOf(before), after: contentOf(after), write, lock });
  return { path, replacements, notes };
}

/**
 * Compares bytes: in valid UTF-8, equal bytes are equal text. Lets other requests run in between, and refuses a result that
 * is too large before it takes memory.
 */
async function replaceBytes(
  before: Buffer,
  edit: TextReplacement,
  path: string,
): Promise<{ replacements: number; bytes: Buffer }> {
  const { find, replace } = edit;
  let replacements = 0;
  for (const _ of places(before, edit)) if (++replacements % TURN === 0) await setImmediate();
  const size = before.length + replacements * (replace.length - find.length);
  if (size > Math.max(MAX_DOCUMENT_BYTES, before.length)) throw tooLarge(path, VAULT_CODES);
  const bytes = Buffer.allocUnsafe(size);
  let [from, to, done] = [0, 0, 0];
  for (const at of places(before, edit)) {
    to += before.copy(bytes, to, from, at);
    to += replace.copy(bytes, to);
    from = at + find.length;
    if (++done % TURN === 0) await setImmediate();
  }
  before.copy(bytes, to, from);
  return { bytes, replacements };
}

function* places(before: Buffer, { find, most }: TextReplacement): Generator<number> {
  let at = before.indexOf(find);
  for (let count = 0; count < most && at !== -1; count++) {
    yield at;
    at = before.indexOf(find, at + find.length);
  }
}
