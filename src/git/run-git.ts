import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { dirname } from "node:path";
import type { UserError } from "../lib/errors.ts";
import { attempt, errorCode } from "../storage/fs-errors.ts";
import { noteProcess } from "../storage/left-behind.ts";
import { problem } from "./failure.ts";
import { SAFE_OPTIONS, safeVariables } from "./safe-settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface GitRun {
  input?: string | Buffer | undefined;
  /** After this time it is stopped. */
  ms?: number;
  /** Stops it, too. */
  signal?: AbortSignal | undefined;
  /** A folder (absolute) that remembers it meanwhile, for one that writes: it may outlive this process. */
  running?: string | undefined;
  /** Takes the output piece by piece, so that nothing of it is kept. */
  onOutput?: (chunk: Buffer) => void;
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
/** An answer of git that is larger is no answer to these questions. */
const MAX_BYTES = 512 * 2 ** 20;
const MAX_STDERR = 20_000;

/** What reaches git: where programs, credential helpers, keys, certificates and proxies are. */
const KEPT = [
  "PATH PATHEXT HOME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA",
  "PROGRAMDATA PROGRAMFILES SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC TEMP TMP TMPDIR",
  "USER USERNAME LOGNAME XDG_CONFIG_HOME XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS",
  "SSH_AUTH_SOCK SSL_CERT_FILE SSL_CERT_DIR",
  "HTTPS_PROXY https_proxy ALL_PROXY all_proxy NO_PROXY no_proxy",
].flatMap((line) => line.split(" "));

/** The system's attributes count for nothing. */
const FIXED = {
  ...safeVariables(["https", "ssh", "file"]),
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GCM_INTERACTIVE: "never",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes -oConnectTimeout=15 -oServerAliveInterval=20",
  GIT_ATTR_NOSYSTEM: "1",
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

/**
 * Runs the user's git in a bare repository (absolute). Throws FILESYSTEM_ERROR if there is no git, it takes too long, or the signal
 * stops it.
 */
export function runGit(
  { env, repository }: { env: Environment; repository: string },
  args: readonly string[],
  { input = "", ms = LOCAL_MS, signal, running, onOutput }: GitRun = {},
): Promise<GitResult> {
  if (signal?.aborted) return Promise.reject(stopped());
  const child = spawn("git", [...SAFE_OPTIONS, ...OWN, ...args], {
    env: environmentOf(env, repository),
    // Windows would look for git in the current folder first.
    cwd: dirname(repository),
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
    const onAbort = () => stop(stopped());
    signal?.addEventListener("abort", onAbort, { once: true });
    const tooLong = problem(`git ${args[0]} did not end within ${ms / 1000} seconds`);
    const timer = setTimeout(() => stop(tooLong), ms);
    const output = collect(child, onOutput, () => stop(problem("git answers too much")));
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
function collect(child: ChildProcessWithoutNullStreams, onOutput: GitRun["onOutput"], tooMuch: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    if (onOutput !== undefined) return onOutput(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) tooMuch();
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

function stopped(): UserError {
  return problem("it was stopped");
}

function environmentOf(env: Environment, repository: string): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), ...FIXED, GIT_DIR: repository };
}
