import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";
import { errorCode, fileError, isMissing } from "./errors.ts";
import { findTwin } from "./resolve-new.ts";

const FOLDER = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * A walk down the folders of a root that follows no link. Where the system names open folders (Linux), each is entered
 * from the one that is held open, so that a link put in the way during the walk leads nowhere.
 */
export class Descent {
  /** Names the folder reached so far, for file calls. */
  at: string;
  readonly #root: string;
  readonly #path: string;
  #descriptor: number | undefined;

  /** `path` is for messages. Undefined when there is no root; links that lead to the root itself are followed. */
  static from(root: string, path: string): Descent | undefined {
    try {
      const descent = new Descent(realpathSync.native(root), path);
      descent.#go(descent.at);
      return descent;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw fileError("reach", path, error);
    }
  }

  private constructor(root: string, path: string) {
    this.at = root;
    this.#root = root;
    this.#path = path;
  }

  /** The entry of this name, or one that some disks cannot tell from it. Throws forbidden when that is a link. */
  taken(name: string): string | undefined {
    const twin = findTwin(this.at, name);
    const stats = twin === undefined ? undefined : lstatSync(join(this.at, twin), { throwIfNoEntry: false });
    if (stats !== undefined) refuseLink(stats, this.#path);
    return twin;
  }

  /** Enters a folder; false when there is none of that name. Throws forbidden for a link. */
  enter(name: string): boolean {
    const file = join(this.at, name);
    try {
      if (!refuseLink(lstatSync(file), this.#path).isDirectory()) return false;
      this.#go(file);
      return true;
    } catch (error) {
      if (error instanceof UserError) throw error;
      // A link that took the folder's place just now is no folder either.
      if (isMissing(error) || ["ELOOP", "ENAMETOOLONG"].includes(errorCode(error))) return false;
      throw fileError("reach", this.#path, error);
    }
  }

  /** Makes a folder and enters it; false when a file has its name. */
  make(name: string): boolean {
    try {
      mkdirSync(join(this.at, name));
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw fileError("create", this.#path, error);
    }
    return this.enter(name);
  }

  /**
   * The names below the root of the folder reached, or of `name` in it, as they are on disk. Throws out_of_scope when
   * it is not below the root after all, not_found when it is gone.
   */
  place(name = ""): string[] {
    let real: string;
    try {
      real = realpathSync.native(join(this.at, name));
    } catch (error) {
      if (isMissing(error))
        throw pathError("not_found", this.#path, "is gone. Call vault_ls to see what exists.");
      throw fileError("reach", this.#path, error);
    }
    const path = relative(this.#root, real);
    const parts = path === "" ? [] : path.split(sep);
    if (!isAbsolute(path) && parts[0] !== "..") return parts;
    throw pathError("out_of_scope", this.#path, "leads out of the vault. Choose a path inside it.");
  }

  /** The absolute, link-free place of what `place` answered. */
  fileOf(place: readonly string[]): string {
    return join(this.#root, ...place);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #go(file: string): void {
    if (process.platform !== "linux") {
      this.at = file;
      return;
    }
    const descriptor = openSync(file, FOLDER);
    this.close();
    this.#descriptor = descriptor;
    const held = `/proc/self/fd/${descriptor}`;
    this.at = existsSync(held) ? held : file;
  }
}

/** The same stats, unless they are those of a link: then throws forbidden. */
export function refuseLink<T extends Pick<Stats, "isSymbolicLink">>(stats: T, path: string): T {
  if (!stats.isSymbolicLink()) return stats;
  throw pathError("forbidden", path, "leads through a link. Use the path of the file itself.");
}

type PathErrorCode = "invalid_path" | "out_of_scope" | "not_found" | "forbidden" | "conflict";

/** An error of the vault about a path, which `problem` goes on from: what is wrong, and what to do. */
export function pathError(code: PathErrorCode, path: string, problem: string, details = {}): UserError {
  return new UserError(code, `${quoteName(path)} ${problem}`, {
    details: { path: escapeName(path), ...details },
  });
}
