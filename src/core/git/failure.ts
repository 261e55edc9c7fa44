import { UserError } from "../lib/errors.ts";
import { escapeLine, quoteName } from "../lib/escape.ts";
import { maskAddresses } from "./address.ts";

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
  [
    /detected dubious ownership/,
    "the remote's folder belongs to another user: if you trust them, git config --global --add safe.directory <folder>",
  ],
  [/transport '.*' not allowed/, "only https, ssh and file addresses are used"],
];

/** A lock file that git found, here or, if the line begins so, at the remote. */
const LOCK =
  /^(remote: )?.*(?:unable to create(?: file)?|could not lock config file) '?(.*?)'?: File exists/im;

/** The error for a lock file that is in git's way. */
export function lockProblem(stderr: string): UserError | undefined {
  const [found, isRemote, file = ""] = LOCK.exec(stderr) ?? [];
  if (found === undefined) return undefined;
  if (isRemote === undefined) return problem("git's copy of the notes is locked by a git that still runs");
  const [name] = /(?:refs\/heads\/.*|objects\/.*|[^/\\]*)$/.exec(file) ?? [];
  const shown = quoteName(escapeLine(name ?? ""));
  return problem(`the remote is locked: if no git works there, remove the file ${shown} from it`);
}

/** The error for a run that failed. */
export function gitFailure({ stderr }: { stderr: string }): UserError {
  const locked = lockProblem(stderr);
  if (locked !== undefined) return locked;
  const known = REASONS.find(([pattern]) => pattern.test(stderr))?.[1];
  if (known !== undefined) return problem(known);
  const line = stderr.split("\n").find((text) => /^(?:fatal|error|remote):/.test(text)) ?? stderr;
  return problem(`git says ${quoteName(escapeLine(maskAddresses(line.trim()), 200))}`);
}

export function problem(reason: string): UserError {
  return new UserError("FILESYSTEM_ERROR", reason);
}
