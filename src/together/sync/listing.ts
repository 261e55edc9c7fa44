import { isUtf8 } from "node:buffer";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { isPortablePath, MAX_DEPTH } from "../../core/storage/path-gate.ts";

/** Blob ids by path. */
export type Tree = Map<string, string>;

export interface Listing {
  /** The files that can be here. */
  tree: Tree;
  /** All other entries but folders: they are left alone. Of deep paths, the first folders. */
  left: Left[];
}

export interface Left {
  path: string;
  id: string;
  reason: string;
}

/** Files and folders: a few kilobytes of git can describe more than fit on any disk. */
export const MAX_ENTRIES = 100_000;
const MAX_BYTES = 64 * 2 ** 20;
const MAX_LINE_BYTES = 2 ** 16;
const KINDS: Readonly<Record<string, string>> = { "120000": "it is a link", "160000": "it is a repository" };

/** Reads what `git ls-tree -r -t -z` prints, piece by piece; `prefix` is the folder of the workspace that the commit is of. */
export class ListingReader {
  readonly #prefix: string;
  readonly #most: number;
  readonly #tree: Tree = new Map();
  readonly #left: Left[] = [];
  readonly #folders = new Set<string>();
  /** A path that is in a folder twice. */
  #twice: string | undefined;
  #rest: Buffer = Buffer.alloc(0);
  #bytes = 0;

  constructor(prefix: string, most = MAX_ENTRIES) {
    this.#prefix = prefix;
    this.#most = most;
  }

  /** Whether it is more than a workspace may hold: then nothing more needs to be read. */
  get isTooLarge(): boolean {
    const entries = this.#tree.size + this.#left.length + this.#folders.size;
    return entries > this.#most || this.#bytes > MAX_BYTES || this.#rest.length > MAX_LINE_BYTES;
  }

  read(chunk: Buffer): void {
    if (this.isTooLarge) return;
    this.#bytes += chunk.length;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0, start); end !== -1; end = bytes.indexOf(0, start)) {
      this.#add(bytes.subarray(start, end));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
  }

  /** Throws CONFLICT if it is too large, or has a name twice. */
  listing(): Listing {
    if (this.isTooLarge)
      throw new UserError(
        "CONFLICT",
        `there are more than ${MAX_ENTRIES.toLocaleString("en")} files and folders, or very long paths: nothing was taken over. Remove them on the remote's branch with git, or sync with another branch`,
      );
    if (this.#twice !== undefined)
      throw new UserError(
        "CONFLICT",
        `the remote's branch is damaged: ${quoteName(this.#twice)} is there twice, so nothing was taken over. Mend it with git, or sync with another branch`,
      );
    return { tree: this.#tree, left: this.#left };
  }

  #add(line: Buffer): void {
    const tab = line.indexOf(9);
    const [mode = "", , id = ""] = line.toString("latin1", 0, tab).split(" ");
    const name = line.subarray(tab + 1);
    const path = this.#prefix + name.toString("utf8");
    if (this.#tree.has(path) || this.#folders.has(path)) this.#twice = path;
    if (mode === "040000") this.#folders.add(path);
    else {
      const reason = reasonToLeave(mode, path, name);
      if (reason === undefined) this.#tree.set(path, id);
      else this.#left.push({ path: path.split("/", MAX_DEPTH + 2).join("/"), id, reason });
    }
  }
}

function reasonToLeave(mode: string, path: string, name: Buffer): string | undefined {
  if (!mode.startsWith("100")) return KINDS[mode] ?? "it is no file";
  if (!isUtf8(name)) return "its name is not valid UTF-8";
  return isPortablePath(path) ? undefined : "not every system can have a file of this name";
}

/** The folders on the way to paths. */
export function foldersOf(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = parentOf(path); at !== "" && !folders.has(at); at = parentOf(at)) folders.add(at);
  return folders;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}
