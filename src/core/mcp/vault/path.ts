import { join } from "node:path";
import * as z from "zod";
import { leadingDate } from "../../lib/clock.ts";
import { type ErrorCode, UserError } from "../../lib/errors.ts";
import { escapeName, quoteName } from "../../lib/escape.ts";
import { pathKey } from "../../lib/file-names.ts";
import { nearest } from "../../lib/text.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { listPlain, plainNames } from "../../storage/list.ts";
import type { OpenFile } from "../../storage/open-entry.ts";
import { type Gate, gateOf, isReadablePart, type Refusals } from "../../storage/path-gate.ts";
import { entriesAlike, only } from "../../workspace/find/entries.ts";
import { refuseRepositoryFile } from "../../workspace/find/repository-file.ts";
import type { Vault } from "../../workspace/vault.ts";

type Use = "read" | "create" | "replace";

export const pathParam = () => z.string().describe("E.g. api/scratch/run.log");

/** The codes of the vault tools for wrong arguments. */
export const argumentCode = (argument: string): ErrorCode =>
  argument === "path" ? "invalid_path" : "invalid_parameter";

/** Splits a client's path into its parts. Throws invalid_path for one that is absolute, climbs or cannot exist. */
export function parsePath(given: string): string[] {
  const path = given.replaceAll("\\", "/");
  const invalid = (problem: string) =>
    pathError(
      "invalid_path",
      given,
      `${problem}. Use a path below the vault's root, such as 'api/notes.md'.`,
    );
  if (path.startsWith("/") || /^[a-z]:(?:\/|$)/i.test(path)) throw invalid("is absolute");
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw invalid("leads upwards with '..'");
  if (parts.some((part) => !part.isWellFormed() || !isReadablePart(part.replace(/^\./, "_"))))
    throw invalid("holds a character or a name that no file can have");
  return parts;
}

/** The parts of a path that must name a file. */
export function parseFilePath(given: string): [folders: string[], name: string] {
  const parts = parsePath(given);
  const name = parts.pop();
  if (name === undefined || /[\\/]\.?$/.test(given))
    throw pathError("invalid_path", given, "names no file. Use a path such as 'api/notes.md'.");
  return [parts, name];
}

/** Throws forbidden if the rules of the vault refuse this use of a path, in any letter case. */
export function checkRules(parts: readonly string[], use: Use): void {
  const path = parts.join("/");
  const forbidden = (problem: string) => pathError("forbidden", path, problem);
  const keys = parts.map(pathKey);
  if (!keys.every(isVisible))
    throw forbidden("is hidden. Choose a path without parts that start with a dot.");
  if (use === "read") return;
  if (keys.includes(".system"))
    throw forbidden("belongs to the system. Files below .system can only be read, with vault_read.");
  if (keys[0] !== "daily") return;
  if (use === "replace")
    throw forbidden(
      "is a daily note. Daily notes are never changed: use vault_read, or vault_create for another day.",
    );
  if (!isDailyName(parts)) throw forbidden("is not a name for a daily note. Use daily/YYYY-MM-DD.md.");
}

/** Names that start with a dot are hidden, except `.system`. */
export function isVisible(name: string): boolean {
  return !name.startsWith(".") || name.toLowerCase() === ".system";
}

function isDailyName([, name = "", ...more]: readonly string[]): boolean {
  return more.length === 0 && /^.{10}\.md$/.test(name) && leadingDate(name) !== null;
}

type PathErrorCode = "invalid_path" | "out_of_scope" | "not_found" | "forbidden" | "conflict";

/** An error about a path; `problem` continues the sentence: what is wrong, and what to do. */
export function pathError(code: PathErrorCode, path: string, problem: string, details = {}): UserError {
  const message = `${quoteName(path)} ${problem}`;
  return new UserError(code, message, { details: { path: escapeName(path), ...details } });
}

/** The gate of a vault: it follows no links, and refuses hidden files and the index. */
export function vaultGate(vault: Vault, use: Use): Gate {
  const gate = gateOf(vault.root, {
    followsLinks: false,
    // A vault that is not there yet holds no index.
    check: (parts) => checkPlace(vault, { root: attempt(gate.root) ?? vault.root, place: parts, use }),
    refusals: REFUSALS,
  });
  return gate;
}

const refusal = (code: PathErrorCode, problem: string) => (path: string) => pathError(code, path, problem);

const REFUSALS: Refusals = {
  link: refusal("forbidden", "leads through a link. Use the path of the file itself."),
  outside: refusal("out_of_scope", "leads out of the vault. Choose a path inside it."),
  "too-long": refusal("not_found", "is not a file in the vault. Call vault_ls to see what exists."),
  "no-folder": refusal("conflict", "is a file, but must be a folder. Choose another path."),
};

/** Checks the rules for names on disk below `root`, which has no links in its path. Throws forbidden. */
export function checkPlace(
  vault: Vault,
  { root, place, use }: { root: string; place: readonly string[]; use: Use },
): void {
  checkRules(place, use);
  if (vault.isIndex(join(root, ...place)))
    throw pathError("forbidden", place.join("/"), "is the index of the workspace. Use search to query it.");
}

/** An open file of the vault. */
export interface VaultFile extends OpenFile {
  /** Relative to the vault's root, spelled as on disk, with `/`. */
  path: string;
}

/** Opens a file by its path while `work` runs. Throws invalid_path, not_found, forbidden, out_of_scope. */
export async function withFile<T>(
  vault: Vault,
  { path, use }: { path: string; use: Use },
  work: (file: VaultFile) => Promise<T>,
): Promise<T> {
  const [folders, name] = parseFilePath(path);
  const gate = vaultGate(vault, use);
  using opened = gate.openFile(onDisk(gate, [...folders, name], "files"));
  if (opened === undefined) throw notFound(gate, folders, name);
  return await work({ ...opened, path: gate.partsOf(opened.file).join("/") });
}

/** A path as the disk spells it; unchanged if nothing is there. Throws not_found if several entries differ from it alike. */
export function onDisk(gate: Gate, parts: readonly string[], kind: "files" | "folders"): string {
  const path = parts.join("/");
  if (gate.resolve(path) !== undefined) return path;
  return only(entriesAlike(plainNames(gate), parts, kind), path, "not_found") ?? path;
}

function notFound(gate: Gate, folders: readonly string[], name: string): Error {
  refuseRepositoryFile([...folders, name].join("/"), "out_of_scope");
  const files = (listPlain(gate, folders.join("/")) ?? []).filter(({ kind }) => kind === "file");
  const suggestions = nearest(name, files.map((file) => file.name).filter(isVisible));
  const problem = "is not a file in the vault. Call vault_ls to see what exists.";
  return pathError("not_found", [...folders, name].join("/"), problem, { suggestions });
}
