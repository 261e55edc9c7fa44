import { join } from "node:path";
import { parseFields } from "../../core/lib/fields.ts";
import { pauses } from "../../core/lib/pauses.ts";
import { ROOT_PROJECT } from "../../core/notes/names.ts";
import { presentContent } from "../../core/storage/change-file.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { inspectPath } from "../../core/storage/inspect.ts";
import { projectNames, type StampedFile, stampedFiles } from "../../core/storage/list.ts";
import { writeOwnFile } from "../../core/storage/own-file.ts";
import { isPortablePath } from "../../core/storage/path-gate.ts";
import { crypto, isZeros, readIfPresent } from "../../core/storage/read.ts";
import { MAX_FILE_BYTES, type Store, type Tree } from "./store.ts";

/** The files of a workspace that travel. */
export interface Snapshot {
  tree: Tree;
  /** What is not known now, and therefore counts as unchanged: files, and folders with all that is below them. */
  unknown: { files: Set<string>; folders: string[] };
  /** What a person keeps out, on the disk or among the known files: it is nobody's business here. */
  ignored: Set<string>;
  /** Left out, and why. */
  skipped: { path: string; reason: string }[];
}

const NAME = "files.json";
/** In the root or a project: names what does not travel, as `.gitignore` would. */
const IGNORED = ".vibeignore";
const MAX_CACHE_BYTES = 64 * 2 ** 20;
/** A file may change twice within the precision of its times. */
const UNSURE_MS = 2_500;

/** Stamp and blob id by path. */
type Cache = Record<string, [size: number, mtime: number, ctime: number, id: string]>;

/** Finds the blob ids of files; what has not changed since the last time is not read again. */
export class Snapshots {
  readonly #root: string;
  readonly #project: string | undefined;
  readonly #folder: string;
  readonly #store: Pick<Store, "named">;
  #cache: Cache | undefined;

  /** Of one project or of all; `folder` keeps what is known. All folders are absolute. */
  constructor(root: string, project: string | undefined, folder: string, store: Pick<Store, "named">) {
    this.#root = root;
    this.#project = project;
    this.#folder = folder;
    this.#store = store;
  }

  /** With what is `known` of earlier rounds. Throws what listing the projects throws, and FILESYSTEM_ERROR if git fails. */
  async take(known: Iterable<string>): Promise<Snapshot> {
    const before = this.#cache ?? this.#read();
    const cache: Cache = {};
    const sure = Date.now() - UNSURE_MS;
    const pause = pauses();
    // Notes in the root itself stay on their machine.
    const all = projectNames(this.#root).filter((name) => name !== ROOT_PROJECT);
    const projects = all.filter((name) => this.#project === undefined || name === this.#project);
    const listed = projects.map((project) => stampedFiles(this.#root, project));
    const files = listed.flatMap((each) => each.files);
    const folders = listed.flatMap(({ failed }) => failed);
    const ignored = await this.#ignored(projects, [...files.map(({ path }) => path), ...known]);
    const snapshot: Snapshot = {
      tree: new Map(),
      unknown: { files: new Set(), folders },
      ignored,
      skipped: [],
    };
    for (const file of files.filter(({ path }) => !ignored.has(path))) {
      await pause();
      const id = this.#idOf(file, before[file.path], snapshot);
      if (id === undefined) continue;
      snapshot.tree.set(file.path, id);
      if (Math.max(file.mtime, file.ctime) < sure) cache[file.path] = [file.size, file.mtime, file.ctime, id];
    }
    if (JSON.stringify(cache) !== JSON.stringify(before))
      await writeOwnFile(join(this.#folder, NAME), JSON.stringify(cache)).catch(() => {}); // It only saves time.
    this.#cache = cache;
    return snapshot;
  }

  /** The bytes of files, by path, if they still have these ids; undefined if one has not. */
  async bytes(ids: Tree): Promise<Map<string, Buffer> | undefined> {
    const found = new Map<string, Buffer>();
    const pause = pauses();
    for (const [path, id] of ids) {
      await pause();
      const bytes = attempt(() => presentContent(this.#root, path)?.bytes);
      if (bytes === undefined || blobId(bytes) !== id) return undefined;
      found.set(path, bytes);
    }
    return found;
  }

  async #ignored(projects: readonly string[], paths: readonly string[]): Promise<Set<string>> {
    const found: string[] = [];
    for (const place of ["", ...projects.map((project) => `${project}/`)]) {
      const file = join(this.#root, place, IGNORED);
      if (inspectPath(file).kind !== "file") continue;
      const inner = paths.flatMap((path) => (path.startsWith(place) ? [path.slice(place.length)] : []));
      found.push(...(await this.#store.named(file, inner)).map((path) => place + path));
    }
    return new Set(found);
  }

  /** Undefined for a file that does not travel, or cannot be read now. */
  #idOf(file: StampedFile, known: Cache[string] | undefined, snapshot: Snapshot): string | undefined {
    const { path, size, mtime, ctime } = file;
    const skip = (reason: string) => {
      snapshot.unknown.files.add(path);
      snapshot.skipped.push({ path, reason });
      return undefined;
    };
    if (!isPortablePath(path)) return skip("not every system can have a file of this name");
    if (size > MAX_FILE_BYTES) return skip(`larger than ${MAX_FILE_BYTES / 2 ** 20} MB`);
    if (known?.[0] === size && known[1] === mtime && known[2] === ctime) return known[3];
    const content = attempt(() => presentContent(this.#root, path));
    if (content === undefined) return skip("it cannot be read");
    if (content && isZeros(content.bytes))
      return skip("it holds zero bytes only: a cloud or a power cut took it");
    return content === null ? undefined : blobId(content.bytes);
  }

  #read(): Cache {
    const text = attempt(() => readIfPresent(join(this.#folder, NAME), MAX_CACHE_BYTES)?.toString("utf8"));
    return { ...(parseFields(text ?? "") as Cache | undefined) };
  }
}

/** The id that git gives these bytes. */
export function blobId(bytes: Buffer): string {
  return crypto().createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
