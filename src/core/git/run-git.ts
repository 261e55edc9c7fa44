import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { dirname } from "node:path";
import type { UserError } from "../lib/errors.ts";
import { attempt, errorCode } from "../storage/fs-errors.ts";
import { noteProcess } from "../storage/left-behind.ts";
import { problem } from "./failure.ts";
import { SAFE_OPTIONS, safeVariables } from "./safe-settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** A bare repository of this program, or a folder in one of the user's; absolute. */
export type GitPlace = { env: Environment } & ({ repository: string } | { folder: string });

export interface GitRun {
  input?: string | Buffer | undefined;
  /** After this time it is stopped. */
  ms?: number;
  /** It is stopped, too, if it prints more. */
  maxBytes?: number;
  /** Stops it, too. */
  signal?: AbortSignal | undefined;
  /** A folder (absolute) that remembers it meanwhile, for one that writes: it may outlive this process. */
  running?: string | undefined;
  /** Takes the output piece by piece, so that nothing of it is kept. */
  onOutput?: ((chunk: Buffer) => void) | undefined;
}

/** What a run of git left. */
export interface GitResult {
  status: number | null;
  stdout: Buffer;
  stderr: string;
}

const LOCAL_MS = 120_000;
/** To end by itself, once it is stopped. */
const GRACE_MS = 1_000;
const IS_GROUP = process.platform !== "win32";
const MAX_BYTES = 512 * 2 ** 20;
const MAX_STDERR = 20_000;

/** What reaches git: where programs, credential helpers, keys, certificates and proxies are. */
const KEPT = [
  "PATH PATHEXT HOME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA",
  "PROGRAMDATA PROGRAMFILES SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC TEMP TMP TMPDIR",
  "USER USERNAME LOGNAME SUDO_UID XDG_CONFIG_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS",
  "SSH_AUTH_SOCK SSL_CERT_FILE SSL_CERT_DIR",
  "HTTPS_PROXY https_proxy ALL_PROXY all_proxy NO_PROXY no_proxy",
].flatMap((line) => line.split(" "));

const FIXED = {
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GCM_INTERACTIVE: "never",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes -oConnectTimeout=15 -oServerAliveInterval=20",
  LC_ALL: "C",
};

/** In a repository of this program. */
const OWN = [
  "core.attributesFile=/dev/null",
  "core.quotePath=false",
  // Only this user reads it, whatever the umask.
  "core.sharedRepository=0600",
  "push.followTags=false",
  "fetch.writeCommitGraph=false",
  // Even if nobody stops it, a silent remote ends it.
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=60",
].flatMap((setting) => ["-c", setting]);

/** The option that runs the other end of a fetch or push; none for a remote that is no folder. */
export function otherEnd(isFolder: boolean, command: "upload-pack" | "receive-pack"): string[] {
  if (!isFolder) return [];
  // Git drops our settings on the way there, and keeps the variables.
  const variables = Object.entries(safeVariables([])).map(([name, value]) => `${name}=${value}`);
  return [`--${command}=${[...variables, "git", ...SAFE_OPTIONS, command].join(" ")}`];
}

/** Runs the user's git. Throws FILESYSTEM_ERROR if there is none, it takes too long, it prints too much, or the signal stops it. */
export function runGit(
  place: GitPlace,
  args: readonly string[],
  { input = "", ms = LOCAL_MS, maxBytes = MAX_BYTES, signal, running, onOutput }: GitRun = {},
): Promise<GitResult> {
  if (signal?.aborted) return Promise.reject(problem("it was stopped"));
  const { options, env } = settingsFor(place);
  const child = spawn("git", [...SAFE_OPTIONS, ...options, ...args], {
    env,
    // On Windows a program of that name in the current folder would run, and that may be a stranger's.
    cwd: dirname(process.execPath),
    stdio: "pipe",
    windowsHide: true,
    // Its helpers end with it.
    detached: IS_GROUP,
  });
  const forget =
    running === undefined || child.pid === undefined ? undefined : noteProcess(running, child.pid);
  child.stdin.on("error", () => {}); // It may have ended already.
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    let isStopping = false;
    const stop = (reason: UserError) => {
      if (isStopping) return;
      isStopping = true;
      // Git removes its lock files; Windows has no such signal.
      send(child, "SIGTERM");
      const timer = setTimeout(() => {
        send(child, "SIGKILL");
        reject(reason);
      }, GRACE_MS);
      child.once("close", () => {
        clearTimeout(timer);
        reject(reason);
      });
    };
    const onAbort = () => stop(problem("it was stopped"));
    signal?.addEventListener("abort", onAbort, { once: true });
    const tooLong = problem(`git ${args[0]} did not end within ${ms / 1000} seconds`);
    const timer = setTimeout(() => stop(tooLong), ms);
    const output = collect(child, { onOutput, maxBytes }, () => stop(problem("git answers too much")));
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(problem(errorCode(error) === "ENOENT" ? "git is not installed" : "git does not start"));
    });
    child.once("close", (status) => {
      forget?.();
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if (!isStopping) resolve({ status, ...output() });
    });
  });
}

/** What a program prints, once it has ended, unless `onOutput` takes it; `tooMuch` is called if that is more than it may be. */
function collect(
  child: ChildProcessWithoutNullStreams,
  { onOutput, maxBytes }: Pick<GitRun, "onOutput"> & { maxBytes: number },
  tooMuch: () => void,
) {
  const chunks: Buffer[] = [];
  let size = 0;
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    if (onOutput !== undefined) return onOutput(chunk);
    size += chunk.length;
    if (size > maxBytes) tooMuch();
    else chunks.push(chunk);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR) stderr += chunk.toString("utf8");
  });
  return () => ({ stdout: Buffer.concat(chunks), stderr });
}

function send(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  // It may have ended already.
  attempt(() =>
    IS_GROUP && child.pid !== undefined ? process.kill(-child.pid, signal) : child.kill(signal),
  );
}

/** In its own repository git may reach remotes, and the user's attributes count for nothing. */
function settingsFor(place: GitPlace): { options: readonly string[]; env: NodeJS.ProcessEnv } {
  const env = { ...Object.fromEntries(KEPT.map((name) => [name, place.env[name]])), ...FIXED };
  if ("folder" in place) return { options: ["-C", place.folder], env: { ...env, ...safeVariables([]) } };
  const own = { GIT_ATTR_NOSYSTEM: "1", GIT_DIR: place.repository };
  return { options: OWN, env: { ...env, ...safeVariables(["https", "ssh", "file"]), ...own } };
}
