import type { Machine } from "../clients/machine.ts";
import type { Config } from "../config.ts";
import type { HttpConfig } from "../http-config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/** What a value can be, for the completion of shells: a list of words, or what the program looks up. */
export type Values = readonly string[] | "project" | "task" | "file";

/** One row of a command's table of options: it drives parsing, `--help`, the documentation and completion. */
export interface CommandOption {
  flag: string;
  /** The placeholder of its value; an option without one is a switch. */
  value?: string;
  help: string;
  /** Whether it may be given several times. */
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

/** What was given of a command's options. */
export interface Given {
  has(flag: string): boolean;
  text(flag: string): string | undefined;
  texts(flag: string): string[];
  number(flag: string): number | undefined;
}

/** What a command may use. */
export interface CommandContext {
  config: Config;
  /** What only `serve` needs. Throws UsageError. */
  http(): Promise<HttpConfig>;
  /** The machine, and how this program was started on it. */
  machine(): Machine;
  version: string;
  /** How this program was started, for messages that say what to type: `vibe-mcp`, `npx vibe-mcp`, `node vibe-mcp.cjs`. */
  program: string;
  /** The folder it runs in, absolute. */
  folder: string;
  /** What follows the command's name. */
  words: string[];
  options: Given;
  clock: Clock;
  log: Log;
  terminal: Terminal;
  /** From now on a signal of the system does not end the process, but aborts this: for what has something to end in order. */
  stop(): AbortSignal;
}

export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  /** Whether escape sequences may be written to stdout. */
  colors: boolean;
}

/** What people type, as a value. A file of one loads what is heavy when it runs, since `brief` must start fast. */
export interface Command {
  name: string;
  summary: string;
  words: readonly CommandWord[];
  options: readonly CommandOption[];
  /** What follows the program's name in an example that works. */
  example: string;
  /** Whether it is left out of help and documentation: what scripts call. */
  hidden?: boolean;
  /** Whether it runs also when the root is no folder, and says so itself. */
  anyRoot?: boolean;
  /** Answers the exit code: 0, or 1 when nothing was found or something failed. Throws UsageError or UserError. */
  run(context: CommandContext): Promise<number>;
}
