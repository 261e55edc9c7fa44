import type { Config, Flags } from "../core/config/options.ts";
import type { Clock } from "../core/lib/clock.ts";
import type { Log } from "../core/lib/log.ts";
import type { Machine } from "../setup/clients/machine.ts";

/** The possible values, for shell completion: a list, or what to look up. */
export type Values = readonly string[] | "project" | "task" | "file";

/** An option of a command. */
export interface CommandOption {
  flag: string;
  /** The placeholder of its value; an option without one is a switch. */
  value?: string;
  help: string;
  /** Whether it may be repeated. */
  many?: boolean;
  /** Other values are refused if this is a list. */
  values?: Values;
  /** Its value is a whole number in this range. */
  range?: readonly [least: number, most: number];
  meaning?: Meaning;
}

/** The value that people mean by a word, or the word itself. */
export type Meaning = (typed: string) => string;

/** A word after the command's name. */
export interface CommandWord {
  name: string;
  help: string;
  required?: boolean;
  /** Whether further words belong to it. */
  many?: boolean;
  values?: Values;
  meaning?: Meaning;
  /** The value whose word was misspelled, if `meaning` knows more words than `values` has. */
  suggest?(typed: string): string | undefined;
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
  /** The settings as typed, for `serve`, which takes more than `config` holds. */
  settings: Flags;
  commands: readonly Command[];
  machine: Machine;
  version: string;
  /** How this program was started, for messages that say what to type: `vibe-mcp`, `npx vibe-mcp`, `node vibe-mcp.cjs`. */
  program: string;
  /** How this program was started, without the root. */
  launcher: string;
  /** The arguments, to repeat them. */
  typed: readonly string[];
  /** Its name; "" for the bare command. */
  command: string;
  /** What follows the command's name. */
  words: readonly string[];
  options: OptionValues;
  clock: Clock;
  log: Log;
  terminal: Terminal;
  wrap: Wrap;
  /** From this call on, signals abort this instead of ending the process, so that a server can shut down cleanly. */
  stop(): AbortSignal;
}

/** Breaks wide lines between words; it only has to on a terminal, for which it takes a while to load. */
export type Wrap = (text: string, columns: number, indent?: number) => string;

export type Terminal = Pick<NodeJS.Process, "stdin" | "stdout" | "stderr">;

/** A command; its code is loaded when it runs. */
export interface Command {
  name: string;
  summary: string;
  words: readonly CommandWord[];
  options: readonly CommandOption[];
  /** A working example, without the program's name. */
  example: string;
  /** Left out of help and documentation: only scripts call it. */
  hidden?: boolean;
  /** Whether it runs even if the root is not a folder, and says so itself. */
  anyRoot?: boolean;
  load(): Promise<{ run: Run }>;
}

/** Returns the exit code: 0, or 1 if nothing was found or something failed. Throws UsageError or UserError. */
export type Run = (context: CommandContext) => number | Promise<number>;
