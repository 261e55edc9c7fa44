import type { Machine } from "../clients/machine.ts";
import type { Config, Flags } from "../config/options.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/** What a value can be, for shell completion: a list of words, or what the program looks up. */
export type Values = readonly string[] | "project" | "task" | "file";

/** One row of a command's table of options: it drives parsing, `--help`, the documentation and completion. */
export interface CommandOption {
  flag: string;
  /** The placeholder of its value; an option without one is a switch. */
  value?: string;
  help: string;
  /** Whether it may be repeated. */
  many?: boolean;
  /** A list is checked. */
  values?: Values;
  /** Its value is a whole number in this range. */
  range?: readonly [least: number, most: number];
}

/** A word after the command's name. */
export interface CommandWord {
  name: string;
  help: string;
  required?: boolean;
  /** Whether further words belong to it. */
  many?: boolean;
  values?: Values;
}

/** The values of a command's options. */
export interface OptionValues {
  has(flag: string): boolean;
  text(flag: string): string | undefined;
  texts(flag: string): string[];
  number(flag: string): number | undefined;
}

/** What a command may use. */
export interface CommandContext {
  config: Config;
  /** The settings as typed, for `serve`, which takes more of them than `config` holds. */
  settings: Flags;
  commands: readonly Command[];
  machine: Machine;
  version: string;
  /** How this program was started, for messages that say what to type: `vibe-mcp`, `npx vibe-mcp`, `node vibe-mcp.cjs`. */
  program: string;
  /** What follows the command's name. */
  words: readonly string[];
  options: OptionValues;
  clock: Clock;
  log: Log;
  terminal: Terminal;
  /** From now on a signal does not end the process, but aborts this: for what has to end in order. */
  stop(): AbortSignal;
}

export type Terminal = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr">;

/** What people type, as a value; its code is loaded when it runs. */
export interface Command {
  name: string;
  summary: string;
  words: readonly CommandWord[];
  options: readonly CommandOption[];
  /** What follows the program's name in an example that works. */
  example: string;
  /** Whether help and documentation leave it out: only scripts call it. */
  hidden?: boolean;
  /** Whether it runs even if the root is not a folder, and says so itself. */
  anyRoot?: boolean;
  load(): Promise<{ run: Run }>;
}

/** Returns the exit code: 0, or 1 when nothing was found or something failed. Throws UsageError or UserError. */
export type Run = (context: CommandContext) => number | Promise<number>;
