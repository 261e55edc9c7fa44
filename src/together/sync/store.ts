import { dirname, join } from "node:path";
import { gitFailure, lockProblem } from "../../core/git/failure.ts";
import { type GitResult, type GitRun, otherEnd, runGit } from "../../core/git/run-git.ts";
import { groupsOf } from "../../core/lib/collections.ts";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { createFile } from "../../core/storage/atomic-write.ts";
import { bytesIn, freeBytes } from "../../core/storage/disk.ts";
import { removeTree } from "../../core/storage/folders.ts";
import { inspectPath } from "../../core/storage/inspect.ts";
import { filesNamed, waitForProcesses } from "../../core/storage/left-behind.ts";
import { closeToOthers, makeOwnFolder } from "../../core/storage/own-file.ts";
import { type Listing, ListingReader } from "./listing.ts";
import { checkRemoteFolder, folderOf } from "./remote-folder.ts";

export type { Tree } from "./listing.ts";

/** Either the id of a blob that is known, new bytes, or null to remove the file. */
export type TreeEntry = string | Buffer | null;

/** What a tree needs to become another. */
export type Difference = readonly [path: string, entry: TreeEntry];

export interface Remote {
  address: string;
  branch: string;
}

export interface Commit {
  /** The ref that names it afterwards. */
  ref: string;
  parent: string | undefined;
  message: string;
  changes: readonly Difference[];
}

export interface Author {
  /** For people. */
  author: string;
  /** Tells the clone that makes it from all others. */
  machine: string;
  time: Date;
}

const REMOTE_MS = 120_000;
/** So long a git that outlived its process is waited for. */
const OTHER_MS = 5_000;
/** What a git that is killed leaves in folders of its repository. */
const LEFT: readonly [inner: readonly string[], names: RegExp][] = [
  [[], /\.lock$|^gc\.pid$|^packed-refs\.new$|^fast_import_crash_\d+$|^shallow_\w{6}$/],
  [["objects", "info"], /\.lock$|^tmp_/],
  [["objects", "pack"], /\.lock$|^\.?tmp-|^tmp_/],
];
/** Larger files do not travel. */
export const MAX_FILE_BYTES = 10 * 2 ** 20;
const READ_AT_ONCE = 32 * 2 ** 20;
/** What a remote may send at once, and what stays free on the disk. */
const MAX_FETCH_BYTES = 512 * 2 ** 20;
const FREE_BYTES = 64 * 2 ** 20;
const LOOK_MS = 200;
/** Others wrote the history that is searched: it may be endless. */
const LOG_MS = 10_000;
const TEMPORARY = "tmp_";
/** Attributes of notes, of the user and of the system count for nothing here. */
const ATTRIBUTES = "* -text -eol -ident -filter -working-tree-encoding -diff -merge\n";

/** Why a remote did not take a push. */
export interface Refusal {
  problem: UserError;
  /** Whether the next try may work. */
  isPassing: boolean;
}

/** In the lines for programs: the remote has decided. */
const REFUSED = /^!\t.*\t\[(?:remote )?rejected\]/m;
const FASTER =
  /\[rejected\]|\(fetch first\)|\(non-fast-forward\)|failed to update ref|cannot lock ref|incorrect old value|reference already exists/;

export interface StoreOptions {
  /** Absolute: of one workspace or project, in the user's state folder. */
  folder: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Stops what runs. */
  signal?: AbortSignal;
}

/** The bare repository of one workspace, or of one project of it. */
export class Store {
  readonly #repository: string;
  /** For a git that may write: the folder that remembers it. */
  readonly #writing: { running: string };
  readonly #env: StoreOptions["env"];
  readonly #signal: AbortSignal;
  /** The way from the root to what commits hold. */
  readonly #prefix: string;
  /** Where the remote's address leads. */
  #url: string | undefined;

  constructor(
    { folder, env, signal = new AbortController().signal }: StoreOptions,
    project: string | undefined,
  ) {
    this.#prefix = project === undefined ? "" : `${project}/`;
    this.#repository = join(folder, "notes.git");
    this.#writing = { running: join(folder, "running") };
    this.#env = env;
    this.#signal = signal;
  }

  /**
   * Makes the repository if there is none, and removes what a git that was killed left in it. Only one process may do so at a time.
   * Throws FILESYSTEM_ERROR without a git that can be used.
   */
  async open(): Promise<void> {
    closeToOthers(dirname(this.#repository));
    await this.clear();
    if (inspectPath(join(this.#repository, "HEAD")).kind === "file") return;
    makeOwnFolder(join(this.#repository, "info"));
    const { stdout } = await this.#run(["version"]);
    if (/^git version (?:[01]\.|2\.[12]?\d(?!\d))/.test(stdout.toString()))
      throw new UserError("FILESYSTEM_ERROR", "git 2.30 or later is needed");
    await createFile(join(this.#repository, "info", "attributes"), Buffer.from(ATTRIBUTES), { mode: 0o600 });
    await this.#run(["init", "--quiet", "--bare", "--template=", "--object-format=sha1"], this.#writing);
  }

  /** Removes what a git that was killed left. One that outlived its process ends first; if it does not, its files stay. */
  async clear(): Promise<void> {
    const left = () => [
      ...LEFT.flatMap(([inner, names]) => filesNamed(join(this.#repository, ...inner), names)),
      ...["refs", "logs"].flatMap((inner) => filesNamed(join(this.#repository, inner), /\.lock$/, true)),
    ];
    if (left().length > 0 && (await waitForProcesses(this.#writing.running, OTHER_MS)))
      left().forEach(removeTree);
  }

  /** The commit of the branch there; undefined if there is none. */
  async remoteTip({ address, branch }: Remote): Promise<string | undefined> {
    const ref = `refs/heads/${branch}`;
    const { stdout } = await this.#run(
      ["ls-remote", "--quiet", ...(await this.#end({ address, branch }, "upload-pack")), "--", address, ref],
      { ms: REMOTE_MS },
    );
    const lines = stdout.toString().split("\n");
    return /^[0-9a-f]{40}/.exec(lines.find((text) => text.endsWith(`\t${ref}`)) ?? "")?.[0];
  }

  /** Brings the branch as the ref `remote`; its newest commit alone if `isFirst`. Only if `isLarge` it may be large. */
  async fetch({ address, branch }: Remote, { isFirst = false, isLarge = false }): Promise<void> {
    const plain = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
    const end = await this.#end({ address, branch }, "upload-pack");
    const more = [...(isFirst ? ["--depth=1"] : []), ...end];
    const spec = `+refs/heads/${branch}:refs/vibe/remote`;
    // One pack: its size can be seen while it grows, and large files are not read into memory.
    const settings = ["-c", "fetch.unpackLimit=1", "-c", `core.bigFileThreshold=${MAX_FILE_BYTES}`];
    const args = [...settings, "fetch", ...plain, ...more, "--", address, spec];
    await this.#receive(args, isLarge ? Number.POSITIVE_INFINITY : MAX_FETCH_BYTES);
  }

  async #receive(args: readonly string[], most: number): Promise<void> {
    const packs = join(this.#repository, "objects", "pack");
    const stop = new AbortController();
    const tooMuch = () => {
      if (freeBytes(packs) < FREE_BYTES) return "the disk has not enough room for what the remote sends";
      if (bytesIn(packs, TEMPORARY) <= most) return undefined;
      return `the remote sends more than ${most / 2 ** 20} MB at once, so it was stopped. To agree, use sync --large`;
    };
    let problem: string | undefined;
    const looking = setInterval(() => {
      problem ??= tooMuch();
      if (problem !== undefined) stop.abort();
    }, LOOK_MS);
    try {
      const signal = AbortSignal.any([this.#signal, stop.signal]);
      await this.#run(args, { ms: REMOTE_MS, signal, ...this.#writing });
    } catch (error) {
      throw problem === undefined ? error : new UserError("CONFLICT", problem);
    } finally {
      clearInterval(looking);
    }
  }

  /** Undefined once the remote has it, or why it refuses. Throws if it may have it nonetheless. */
  async push({ address, branch }: Remote, commit: string): Promise<Refusal | undefined> {
    const args = ["push", "--quiet", "--porcelain", "--no-verify", "--no-signed"];
    const end = await this.#end({ address, branch }, "receive-pack");
    const spec = `${commit}:refs/heads/${branch}`;
    const { status, stdout, stderr } = await this.#try([...args, ...end, "--", address, spec], {
      ms: REMOTE_MS,
      ...this.#writing,
    });
    if (status === 0) return undefined;
    const said = `${stderr}\n${stdout}`;
    const locked = lockProblem(said);
    const isFaster = FASTER.test(said);
    const faster = new UserError("CONFLICT", "others keep changing the notes; the next round goes on");
    const problem = locked ?? (isFaster ? faster : gitFailure({ stderr: said }));
    if (!REFUSED.test(said) && locked === undefined) throw problem;
    return { problem, isPassing: locked !== undefined || isFaster };
  }

  async refs(): Promise<Map<string, string>> {
    const { stdout } = await this.#run(["for-each-ref", "--format=%(refname) %(objectname)", "refs/vibe"]);
    const lines = stdout.toString().split("\n").filter(Boolean);
    return new Map(lines.map((line) => line.split(" ") as [string, string]));
  }

  /** Names commits, all or none; undefined removes the name. */
  async setRefs(commits: Readonly<Record<string, string | undefined>>): Promise<void> {
    const lines = Object.entries(commits).map(([ref, commit]) =>
      commit === undefined ? `delete ${ref}` : `update ${ref} ${commit}`,
    );
    await this.#run(["update-ref", "--stdin"], { input: `${lines.join("\n")}\n`, ...this.#writing });
  }

  /** Whether a commit is the other, or one before it; not if one of them is missing. */
  async isPart(older: string | undefined, newer: string | undefined): Promise<boolean> {
    if (older === undefined || newer === undefined) return false;
    if (older === newer) return true;
    const { status } = await this.#try(["merge-base", "--is-ancestor", older, newer]);
    return status === 0;
  }

  /** What a commit holds. Throws CONFLICT for more than `most` files and folders. */
  async listing(commit: string | undefined, most?: number): Promise<Listing> {
    if (commit === undefined) return { tree: new Map(), left: [] };
    const reader = new ListingReader(this.#prefix, most);
    const stop = new AbortController();
    const onOutput = (chunk: Buffer) => {
      reader.read(chunk);
      if (reader.isTooLarge) stop.abort();
    };
    const args = ["ls-tree", "-r", "-t", "-z", "--full-tree", commit];
    const signal = AbortSignal.any([this.#signal, stop.signal]);
    await this.#run(args, { onOutput, signal }).catch((error) => {
      if (!reader.isTooLarge) throw error;
    });
    return reader.listing();
  }

  /** The blobs that files had once and no longer have, as of a commit. */
  async replacedBlobs(commit: string): Promise<Set<string>> {
    const args = ["--max-count=5000", "--format=", "--raw", "--no-abbrev", "--no-renames", "--root"];
    const { stdout } = await this.#log([...args, commit]);
    return new Set(stdout.toString().match(/(?<=^:\d+ \d+ )[0-9a-f]{40}/gm));
  }

  /** Who made the commits after `older`, newest first, without repeats. */
  async authors(older: string | undefined, newer: string): Promise<string[]> {
    const range = older === undefined ? newer : `${older}..${newer}`;
    const { stdout } = await this.#log(["--max-count=100", "--format=%an", range]);
    return [...new Set(stdout.toString().split("\n").filter(Boolean))];
  }

  /** The clone that changed a file last, as of a commit. */
  async machineOf(commit: string, path: string): Promise<string | undefined> {
    const inner = path.slice(this.#prefix.length);
    const { stdout } = await this.#log(["--max-count=1", "--format=%ae", commit, "--", inner]);
    return /^(\w+)@vibe-mcp\.invalid$/m.exec(stdout.toString())?.[1];
  }

  /** Finds nothing in what takes too long. */
  async #log(args: readonly string[]): Promise<GitResult> {
    const none = { status: null, stdout: Buffer.alloc(0), stderr: "" };
    return this.#try(["--literal-pathspecs", "log", ...args], { ms: LOG_MS }).catch(() => none);
  }

  /** Those of the paths that a file of patterns (absolute) names, by git's rules, whether they are on the disk or not. */
  async named(patterns: string, paths: readonly string[]): Promise<string[]> {
    // No other rules are in a folder of this program.
    const place = ["-C", this.#repository, "--work-tree=.", "-c", `core.excludesFile=${patterns}`];
    const args = [...place, "check-ignore", "--no-index", "--stdin", "-z"];
    const result = await this.#try(args, { input: paths.map((path) => `${path}\0`).join("") });
    if ((result.status ?? 2) > 1) throw gitFailure(result);
    return result.stdout.toString().split("\0").filter(Boolean);
  }

  /** The bytes of blobs; those over the limit are left out. */
  async blobs(ids: Iterable<string>, limit = MAX_FILE_BYTES): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    const sizes = [...(await this.sizes(ids))].filter(([, size]) => size <= limit);
    for (const part of groupsOf(sizes, READ_AT_ONCE, ([, size]) => size)) {
      const input = part.map(([id]) => `${id}\n`).join("");
      const { stdout } = await this.#run(["cat-file", "--batch"], { input });
      let start = 0;
      for (const [id, size] of part) {
        const line = stdout.indexOf(10, start);
        if (stdout.toString("latin1", start, line) !== `${id} blob ${size}`)
          throw new UserError("FILESYSTEM_ERROR", `git cannot read the object ${quoteName(id)}`);
        found.set(id, Buffer.from(stdout.subarray(line + 1, line + 1 + size)));
        start = line + 1 + size + 1;
      }
    }
    return found;
  }

  async sizes(ids: Iterable<string>): Promise<Map<string, number>> {
    const wanted = [...new Set(ids)];
    if (wanted.length === 0) return new Map();
    const form = "--batch-check=%(objectname) %(objecttype) %(objectsize)";
    const { stdout } = await this.#run(["cat-file", form], { input: `${wanted.join("\n")}\n` });
    const found = stdout.toString().split("\n");
    return new Map(
      found.flatMap((line) => {
        const [id = "", type, size] = line.split(" ");
        return type === "blob" ? [[id, Number(size)]] : [];
      }),
    );
  }

  /** Makes commits, each named by its ref; returns their ids. */
  async commit(author: Author, commits: readonly Commit[]): Promise<string[]> {
    const parts: (string | Buffer)[] = [];
    for (const [at, commit] of commits.entries())
      writeCommit(parts, commit, { ...author, mark: at + 1, prefix: this.#prefix });
    parts.push("done\n");
    const input = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
    const { stdout } = await this.#run(["fast-import", "--quiet", "--force", "--done"], {
      input,
      ...this.#writing,
    });
    return stdout.toString().trim().split("\n");
  }

  /** Packs what many rounds left, once that is worth it. */
  async tidy(): Promise<void> {
    const settings = ["gc.auto=2000", "gc.autoPackLimit=200", "gc.autoDetach=false"];
    const args = [...settings.flatMap((setting) => ["-c", setting]), "gc", "--auto", "--quiet"];
    await this.#try(args, this.#writing).catch(() => {}); // It only saves room.
  }

  /** How the other end runs, if it is a folder: on this machine. That is checked each time. */
  async #end({ address, branch }: Remote, command: "upload-pack" | "receive-pack"): Promise<string[]> {
    // The user's own rules (`insteadOf`) may lead elsewhere.
    this.#url ??= (await this.#run(["ls-remote", "--get-url", "--", address])).stdout.toString().trimEnd();
    const folder = folderOf(this.#url, dirname(this.#repository));
    if (folder !== undefined) checkRemoteFolder(folder, branch);
    return otherEnd(folder !== undefined, command);
  }

  /** Throws FILESYSTEM_ERROR if git fails. */
  async #run(args: readonly string[], run?: GitRun): Promise<GitResult> {
    const result = await this.#try(args, run);
    if (result.status !== 0) throw gitFailure(result);
    return result;
  }

  #try(args: readonly string[], run?: GitRun): Promise<GitResult> {
    return runGit({ env: this.#env, repository: this.#repository }, args, { signal: this.#signal, ...run });
  }
}

function writeCommit(
  parts: (string | Buffer)[],
  { ref, parent, message, changes }: Commit,
  { author, machine, time, mark, prefix }: Author & { mark: number; prefix: string },
): void {
  const who = `${author.replace(/[<>\n\0]/g, " ").trim() || "vibe-mcp"} <${machine}@vibe-mcp.invalid>`;
  const when = `${Math.floor(time.getTime() / 1000)} +0000`;
  parts.push(`commit ${ref}\nmark :${mark}\nauthor ${who} ${when}\ncommitter ${who} ${when}\n`);
  pushData(parts, Buffer.from(message));
  if (parent !== undefined) parts.push(`from ${parent}\n`);
  const quoted = (path: string) =>
    `"${path.slice(prefix.length).replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;
  // A file may take the name of a folder that goes.
  for (const [path, entry] of changes) if (entry === null) parts.push(`D ${quoted(path)}\n`);
  for (const [path, entry] of changes) {
    if (typeof entry === "string") parts.push(`M 100644 ${entry} ${quoted(path)}\n`);
    if (!Buffer.isBuffer(entry)) continue;
    parts.push(`M 100644 inline ${quoted(path)}\n`);
    pushData(parts, entry);
  }
  parts.push(`\nget-mark :${mark}\n`);
}

function pushData(parts: (string | Buffer)[], bytes: Buffer): void {
  parts.push(`data ${bytes.length}\n`, bytes, "\n");
}
