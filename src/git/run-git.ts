import { spawn } from "node:child_process";
import { dirname, isAbsolute } from "node:path";
import { UserError } from "../lib/errors.ts";
import { escapeLine, quoteName } from "../lib/escape.ts";
import { errorCode } from "../storage/fs-errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface GitRun {
  input?: string | Buffer | undefined;
  /** After this time it is stopped. */
  ms?: number;
  /** Stops it, too. */
  signal?: AbortSignal | undefined;
}

/** What a run of git left. */
export interface GitResult {
  status: number | null;
  stdout: Buffer;
  stderr: string;
}

const LOCAL_MS = 120_000;
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

/** Nobody is asked anything, and the system's attributes count for nothing. */
const FIXED = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "",
  SSH_ASKPASS: "",
  GCM_INTERACTIVE: "never",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes -oConnectTimeout=15 -oServerAliveInterval=20",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PROTOCOL_FROM_USER: "0",
  LC_ALL: "C",
};

/** Over the user's settings: nothing runs but git itself, its transports and the user's credential helpers. */
const SETTINGS = [
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.askPass=",
  "core.quotePath=false",
  "commit.gpgSign=false",
  "push.gpgSign=false",
  "push.followTags=false",
  "push.recurseSubmodules=no",
  "fetch.recurseSubmodules=no",
  "fetch.writeCommitGraph=false",
  "maintenance.auto=false",
  "gc.auto=0",
  // Even if nobody stops it, a silent remote ends it.
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=60",
  "protocol.allow=never",
  "protocol.https.allow=always",
  "protocol.ssh.allow=always",
  "protocol.file.allow=always",
].flatMap((setting) => ["-c", setting]);

/** For the other end of a folder: its hooks and settings are those of whoever made it, and would run here. */
const OTHER_END = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.alternateRefsCommand=:",
  "receive.autogc=false",
  "protocol.allow=never",
].flatMap((setting) => ["-c", setting]);

/** The option that runs the other end of a fetch or push; none for a remote that is no folder. */
export function otherEnd(address: string, command: "upload-pack" | "receive-pack"): string[] {
  return isAbsolute(address) ? [`--${command}=git ${OTHER_END.join(" ")} ${command}`] : [];
}

/** Runs the user's git in a bare repository (absolute). Throws FILESYSTEM_ERROR if there is no git, or it takes too long. */
export function runGit(
  { env, repository }: { env: Environment; repository: string },
  args: readonly string[],
  { input = "", ms = LOCAL_MS, signal }: GitRun = {},
): Promise<GitResult> {
  const isGroup = process.platform !== "win32";
  const child = spawn("git", [...SETTINGS, ...args], {
    env: environmentOf(env, repository),
    // Windows would look for git in the current folder first.
    cwd: dirname(repository),
    stdio: "pipe",
    windowsHide: true,
    // Its helpers end with it.
    detached: isGroup,
  });
  const stop = () => {
    try {
      if (isGroup && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
  };
  signal?.addEventListener("abort", stop, { once: true });
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      reject(problem(`git ${args[0]} did not end within ${ms / 1000} seconds`));
    }, ms);
    const chunks: Buffer[] = [];
    let size = 0;
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) stop();
      else chunks.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (stderr.length < MAX_STDERR) stderr += chunk.toString("utf8");
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(problem(errorCode(error) === "ENOENT" ? "git is not installed" : "git does not start"));
    });
    child.once("close", (status) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
      resolve({ status, stdout: Buffer.concat(chunks), stderr });
    });
    child.stdin.on("error", () => {}); // It may have ended already.
    child.stdin.end(input);
  });
}

function environmentOf(env: Environment, repository: string): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), ...FIXED, GIT_DIR: repository };
}

/** What git's complaint means, as the end of a sentence. */
const REASONS: readonly [RegExp, string][] = [
  [/Host key verification failed/i, "ssh does not know the remote's host: connect to it once by hand"],
  [
    /Authentication failed|could not read (?:Username|Password)|Permission denied|terminal prompts disabled|HTTP 40[13]|error: 40[13]/i,
    "the remote refuses the password or key",
  ],
  [
    /Could not resolve host|Couldn't connect|Connection (?:refused|timed out|reset)|Network is unreachable|No route to host|unable to access|Operation timed out/i,
    "the remote cannot be reached",
  ],
  [
    /No space left|Out of diskspace|Disk quota exceeded|unable to (?:write|create)|insufficient permission/i,
    "git cannot write to the disk",
  ],
  [
    /does not appear to be a git repository|[Rr]epository .*not (?:found|exist)/,
    "there is no repository at the remote's address",
  ],
  [/protected branch|hook declined|declined|denied/i, "the remote does not accept changes of this branch"],
  [/transport '.*' not allowed/, "only https, ssh and file addresses are used"],
];

/** The error for a run that failed. */
export function gitFailure({ stderr }: Pick<GitResult, "stderr">): UserError {
  const known = REASONS.find(([pattern]) => pattern.test(stderr))?.[1];
  if (known !== undefined) return problem(known);
  const line = stderr.split("\n").find((text) => /^(?:fatal|error|remote):/.test(text)) ?? stderr;
  return problem(`git says ${quoteName(escapeLine(line.trim(), 200))}`);
}

function problem(reason: string): UserError {
  return new UserError("FILESYSTEM_ERROR", reason);
}
