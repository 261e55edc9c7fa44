import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { cachedDataVersionTag, setFlagsFromString } from "node:v8";
import { Script } from "node:vm";
import { crc32 } from "node:zlib";

/**
 * What a start makes out of the text of the program, kept for the next: the code that V8 compiles, a sixth of what a server
 * does until its first search, and what was compressed. It is kept in the user's own folder for caches, for one built file
 * and one Node, and is disposable: what is missing, damaged or of another file is made again.
 */
export interface CodeCache {
  /** Runs `source`, the part of the program that has this name, and answers its value. */
  run(name: string, source: string): unknown;
  /** The bytes that `make` makes. */
  bytes(name: string, make: () => Buffer): Buffer;
}

type Parts = ReadonlyMap<string, Buffer>;

interface Place {
  /** Absolute. */
  folder: string;
  file: string;
  /** What the parts belong to. */
  key: string;
}

/** What a process made, or compiled. */
interface Made {
  /** The tag of V8's flags when it began. */
  flags: number;
  scripts: Map<string, Script>;
  bytes: Map<string, Buffer>;
}

/** Milliseconds from the start, and from one time to the next, that what a process has made by then is kept. */
const SAVES_MS = [5_000, 55_000, 840_000];
const AGAIN_MS = 60_000;
/** It is written again when it has grown by this factor. */
const WORTH_WRITING = 1.02;
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;
/** V8 takes code from where it lies when that is a multiple of this. */
const ALIGNMENT = 8;
/** Others than the user could have put code of theirs into what they can write to. */
const OTHERS_WRITE = 0o022;
/** V8 takes no code that was made under other flags. The program leaves this one set, which makes no difference here. */
const LEFT_SET = "wasm-lazy-validation";

/** `state` tells the built file from another that takes its place. */
export function openCodeCache(program: string, state: string, saves = SAVES_MS): CodeCache {
  const flags = cachedDataVersionTag();
  const place = placeOf(program, state, flags);
  let kept: Parts = place === undefined ? new Map() : read(place);
  const all: Made = { flags, scripts: new Map(), bytes: new Map() };
  const keepLater = (at: Place, [delay, ...rest]: readonly number[]) => {
    if (delay !== undefined) setTimeout(() => void keep(at, rest), delay).unref();
  };
  const keep = async (at: Place, rest: readonly number[]) => {
    // A process that goes on needs the memory more.
    kept = new Map();
    // Before the first answer, and while an index is built, other flags are set.
    const isPossible = withoutFlags(flags, () => true);
    if (isPossible) await save(at, all);
    keepLater(at, isPossible ? rest : [AGAIN_MS, ...rest]);
  };
  if (place !== undefined) keepLater(place, saves);
  return {
    run: (name, source) => {
      const cachedData = kept.get(name);
      const filename = `${program}/${name}`;
      const script = new Script(source, cachedData === undefined ? { filename } : { filename, cachedData });
      all.scripts.set(name, script);
      return script.runInThisContext();
    },
    bytes: (name, make) => {
      const found = kept.get(name);
      if (found !== undefined) return found;
      const bytes = make();
      all.bytes.set(name, bytes);
      return bytes;
    },
  };
}

/** Of each program, Node and set of V8's flags (`--max-old-space-size` is one) a file of its own. */
function placeOf(program: string, state: string, flags: number): Place | undefined {
  try {
    const folder = cacheFolder();
    if (folder === undefined || !isAbsolute(folder)) return undefined;
    const name = `${crc32(program).toString(16)}-${process.version}-${process.arch}-${flags.toString(16)}.code`;
    const key = JSON.stringify([1, process.version, process.arch, flags, program, state]);
    return { folder, file: join(folder, name), key };
  } catch {
    return undefined; // Nobody's home, or no working folder.
  }
}

/** Node's own variables for what it compiles are followed. Coverage counts what it has compiled itself. */
function cacheFolder(): string | undefined {
  const { env, platform } = process;
  if (env["NODE_DISABLE_COMPILE_CACHE"] || env["NODE_V8_COVERAGE"]) return undefined;
  if (env["NODE_COMPILE_CACHE"]) return join(resolve(env["NODE_COMPILE_CACHE"]), "vibe-mcp");
  if (platform === "win32")
    return join(env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local"), "vibe-mcp", "Cache");
  if (platform === "darwin") return join(homedir(), "Library", "Caches", "vibe-mcp");
  const folder = env["XDG_CACHE_HOME"];
  return join(folder?.startsWith("/") ? folder : join(homedir(), ".cache"), "vibe-mcp");
}

/** The first line names what it belongs to and its parts: name, bytes, checksum. */
function read({ file, key }: Place): Map<string, Buffer> {
  const parts = new Map<string, Buffer>();
  try {
    const bytes = readOwn(file);
    const end = bytes.indexOf("\n");
    const head = JSON.parse(bytes.toString("utf8", 0, end)) as {
      key: string;
      parts: [string, number, number][];
    };
    if (head.key !== key) return parts;
    let at = align(end + 1);
    for (const [name, length, sum] of head.parts) {
      const part = bytes.subarray(at, at + length);
      // V8 does not look whether it is damaged.
      if (crc32(part) === sum) parts.set(name, part);
      at = align(at + length);
    }
  } catch {
    // Nothing kept yet, or nothing to go by.
  }
  return parts;
}

function readOwn(file: string): Buffer {
  const descriptor = openSync(file, "r");
  try {
    demandOwn(fstatSync(descriptor));
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Throws for a file that others could have written. Windows keeps a user's folders to the user. */
function demandOwn({ uid, mode }: Stats): void {
  if (process.geteuid === undefined) return;
  if (uid !== process.geteuid() || (mode & OTHERS_WRITE) !== 0) throw new Error("not the user's own");
}

async function save(place: Place, { flags, scripts, bytes }: Made): Promise<void> {
  try {
    const kept = read(place);
    for (const [name, { cachedDataRejected }] of scripts) if (cachedDataRejected) kept.delete(name);
    const parts = new Map([...kept, ...bytes]);
    bytes.clear();
    for (const [name, script] of [...scripts]) {
      await setImmediate();
      const code = withoutFlags(flags, () => script.createCachedData());
      // V8 forgets what has not been used for a while.
      if (code !== undefined && code.length > (kept.get(name)?.length ?? 0)) parts.set(name, code);
    }
    if (sizeOf(parts) > sizeOf(kept) * WORTH_WRITING) write(place, parts);
  } catch {
    // Nowhere to write to: the next start does it all, as this one did.
  }
}

/** What `make` makes under the flags of the start; undefined if those are not to be had. */
function withoutFlags<T>(flags: number, make: () => T): T | undefined {
  if (cachedDataVersionTag() === flags) return make();
  setFlagsFromString(`--no-${LEFT_SET}`);
  try {
    return cachedDataVersionTag() === flags ? make() : undefined;
  } finally {
    setFlagsFromString(`--${LEFT_SET}`);
  }
}

function write({ folder, file, key }: Place, parts: Parts): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder).filter((each) => /\.(code|tmp)$/.test(each))) {
    const other = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(other, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > UNUSED_MS) rmSync(other, { force: true });
  }
  const head = JSON.stringify({
    key,
    parts: [...parts].map(([name, part]) => [name, part.length, crc32(part)]),
  });
  const pieces = [Buffer.from(`${head}\n`), ...parts.values()];
  const padded = pieces.flatMap((piece) => [piece, Buffer.alloc(align(piece.length) - piece.length)]);
  const temporary = `${file}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, Buffer.concat(padded), { mode: 0o600, flag: "wx" });
    // Some disks know no owner: nobody could read it.
    demandOwn(statSync(temporary));
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function sizeOf(parts: Parts): number {
  return [...parts.values()].reduce((sum, part) => sum + part.length, 0);
}

function align(at: number): number {
  return Math.ceil(at / ALIGNMENT) * ALIGNMENT;
}
