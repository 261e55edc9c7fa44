import type { Config } from "../../config/options.ts";
import type { Clock } from "../../lib/clock.ts";
import { escapeName } from "../../lib/escape.ts";
import type { Log } from "../../lib/log.ts";
import type { Lookup } from "../../notes/link/target.ts";
import type { LeftOut } from "../../notes/task/left-out.ts";
import type { Scan } from "../../storage/walk.ts";

export interface Finding {
  /** What was checked: `node`, `root`, `index` … */
  check: string;
  /** A note is worth knowing, but no problem. */
  state: "ok" | "note" | "problem";
  message: string;
  /** What to do about it. */
  remedy?: string;
  /** Each place that it is about, if something there is not read. */
  leftOut?: readonly LeftOut[];
  /** Applies the remedy; only if that cannot lose anything. */
  fix?: () => Promise<void> | void;
}

export function ok(check: string, message: string): Finding {
  return { check, state: "ok", message };
}

export function note(check: string, message: string, remedy: string, fix?: Finding["fix"]): Finding {
  return { check, state: "note", message, remedy, ...(fix && { fix }) };
}

export function problem(check: string, message: string, remedy: string, fix?: Finding["fix"]): Finding {
  return { check, state: "problem", message, remedy, ...(fix && { fix }) };
}

export interface DoctorContext {
  config: Config;
  clock: Clock;
  log: Log;
  scan: Scan;
  /** The documents in the repositories that are known here. */
  repositories: readonly Lookup[];
  /** How long the scan took, in milliseconds. */
  scanMs: number;
  /** How the person starts this program. */
  program: string;
}

/** The first few of a list, and how many more there are. */
export function some(names: readonly string[], most = 3): string {
  const rest = names.length > most ? ` and ${names.length - most} more` : "";
  const first = names.slice(0, most).map((name) => escapeName(name));
  return `${first.join(", ")}${rest}`;
}
