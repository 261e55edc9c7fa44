import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { problem } from "../../core/git/failure.ts";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { linkTarget } from "../../core/storage/folders.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { inspectPath, namesIn } from "../../core/storage/inspect.ts";
import { readIfPresent } from "../../core/storage/read.ts";

/** Settings of a bare repository that start nothing and lead nowhere. */
const HARMLESS = new Set(
  `core.bare core.filemode core.fsync core.hidedotfiles core.ignorecase core.logallrefupdates core.precomposeunicode
  core.repositoryformatversion core.sharedrepository core.symlinks extensions.objectformat extensions.refstorage gc.auto
  http.receivepack http.uploadpack receive.denydeletes receive.denynonfastforwards receive.fsckobjects
  transfer.fsckobjects`.split(/\s+/),
);
/** What a bare clone keeps of where it comes from; nothing is fetched from there. */
const ORIGIN = /^remote\..*\.(?:url|fetch|mirror|tagopt)$/;
/** Entries that put settings or objects elsewhere, or files of the last commit beside the repository. */
const ELSEWHERE = [".git", "commondir", "gitdir", "config.worktree", "worktrees", "objects/info/alternates"];
const MAX_BYTES = 2 ** 20;

/** The folder (absolute) that an address leads to, as git reads it from `from` on; undefined for another machine. */
export function folderOf(address: string, from: string): string | undefined {
  if (/^file:/i.test(address)) return attempt(() => fileURLToPath(address)) ?? address;
  const isOther = /^[^/\\]*:/.test(address) && !isAbsolute(address);
  return isOther ? undefined : resolve(from, address);
}

/**
 * Throws CONFLICT unless a folder (absolute) is a bare repository that is complete and has harmless settings alone: git would run
 * what others name, as this user. Nothing of it is run to find out.
 */
export function checkRemoteFolder(folder: string, branch: string): void {
  // Git takes the first of these that it likes.
  const places = [folder, `${folder}.git`];
  if (places.some((place) => isThere(place, ".git"))) throw notBare();
  const found = places.filter((place) => ["HEAD", "objects", "refs"].every((name) => isThere(place, name)));
  if (found.length === 0) throw problem("there is no repository at the remote's address");
  for (const place of found) {
    const name = ELSEWHERE.find((each) => isThere(place, each));
    if (name !== undefined) throw refused(`has ${quoteName(name)}, which leads elsewhere`, "Remove it");
    const link = linkIn(place, branch);
    if (link !== undefined) throw refused(`has a link in the place of ${quoteName(link)}`, "Replace it");
    checkSettings(attempt(() => readIfPresent(join(place, "config"), MAX_BYTES)?.toString("latin1")) ?? "");
  }
}

function isThere(folder: string, name: string): boolean {
  return inspectPath(join(folder, name)).kind !== "missing";
}

/** Of what git uses, the first entry that is a link. */
function linkIn(folder: string, branch: string): string | undefined {
  const parts = ["refs", "heads", ...branch.split("/")];
  const steps = parts.map((_, at) => join(...parts.slice(0, at + 1)));
  const objects = namesIn(join(folder, "objects")).map((name) => join("objects", name));
  // Its hooks do not run.
  const names = [...namesIn(folder).filter((name) => name !== "hooks"), ...objects, ...steps];
  return [...names, ...steps.map((step) => join("logs", step))].find(
    (name) => linkTarget(join(folder, name)) !== undefined,
  );
}

function checkSettings(text: string): void {
  const settings = settingsIn(text);
  const bare = settings.filter(({ name }) => name === "core.bare");
  if (bare.length === 0 || !bare.every(({ value }) => /^(?:true|yes|on|1)$/i.test(value))) throw notBare();
  const other = settings.find(({ name }) => !HARMLESS.has(name) && !ORIGIN.test(name));
  if (other === undefined) return;
  throw refused(
    `has the setting ${quoteName(other.name)}, which notes do not need and which may run programs`,
    "Remove it",
  );
}

/** What a file of settings sets, in small letters. A line that is not plainly a setting is one, named by itself. */
function settingsIn(text: string): { name: string; value: string }[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    const [, head, inner] = /^[ \t]*\[([\w.-]+)(?:[ \t]+"([^"\\]*)")?\][ \t\r]*$/.exec(line) ?? [];
    if (head !== undefined) section = head.toLowerCase() + (inner === undefined ? "" : `.${inner}`);
    if (head !== undefined || /^[ \t]*(?:[#;].*)?\r?$/.test(line)) return [];
    // One that ends with a backslash goes on in the next line.
    const [, key, value = ""] = /^[ \t]*([a-z][\w-]*)[ \t]*=[ \t]*(.*?)(?<!\\)[ \t\r]*$/i.exec(line) ?? [];
    return [{ name: key === undefined ? line.trim() : `${section}.${key.toLowerCase()}`, value }];
  });
}

function notBare(): UserError {
  return new UserError(
    "CONFLICT",
    "the remote's folder is no bare repository. Make one with git init --bare, and use that",
  );
}

function refused(what: string, way: string): UserError {
  return new UserError(
    "CONFLICT",
    `the remote's folder ${what}. ${way} there if you trust it, or use another remote`,
  );
}
