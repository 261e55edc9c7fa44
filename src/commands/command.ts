import type { Config } from "../config.ts";
import type { HttpConfig } from "../http-config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

/** What a command may use. */
export interface CommandContext {
  config: Config;
  /** What only `serve` needs. Throws UsageError. */
  http(): HttpConfig;
  version: string;
  /** How this program was started, for messages that say what to type: `vibe-mcp`, `npx vibe-mcp`, `node vibe-mcp.cjs`. */
  program: string;
  /** What follows the command's name. */
  words: string[];
  flags: { json: boolean; project: string | undefined; limit: number | undefined };
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

/** What people type. */
export interface Command {
  name: string;
  /** The words after the name, for example `[folder]`. */
  usage: string;
  summary: string;
  /** Answers the exit code. Throws UsageError or UserError. */
  run(context: CommandContext): Promise<number>;
}
