import { escapeJson, escapeUnseen } from "./escape.ts";

export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** What belongs to a message, by name; what is undefined is left out. */
export type LogFields = Record<string, string | number | undefined>;
/** What goes wrong, for those who listen: a line of text. */
export type Problem = (level: "error" | "warn", text: string) => void;

export interface Log
  extends Record<Exclude<LogLevel, "silent">, (message: string, fields?: LogFields) => void> {
  /** Tells every error and warning, whatever is written, until what it gives is called. */
  hear(listener: Problem): () => void;
}

/**
 * A log that writes one line per message through `write` (stderr: stdout belongs to the protocol): a text with what cannot
 * be seen written out, or a JSON object with the time.
 */
export function createLog(level: LogLevel, write: (line: string) => void, format: LogFormat = "text"): Log {
  const render = format === "json" ? jsonLine : textLine;
  const at = (name: Exclude<LogLevel, "silent">) => (message: string, fields?: LogFields) => {
    if (LOG_LEVELS.indexOf(name) > LOG_LEVELS.indexOf(level)) return;
    write(`${render(name, message, fields)}\n`);
  };
  const listeners = new Set<Problem>();
  const problem = (name: "error" | "warn") => (message: string, fields?: LogFields) => {
    at(name)(message, fields);
    for (const listener of listeners) listener(name, oneLine(message, fields));
  };
  return {
    ...{ error: problem("error"), warn: problem("warn"), info: at("info"), debug: at("debug") },
    hear: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function textLine(level: string, message: string, fields?: LogFields): string {
  return `vibe-mcp ${level}: ${oneLine(message, fields)}`;
}

function oneLine(message: string, fields: LogFields = {}): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const text = [message, ...given.map(([name, value]) => `${name}=${value}`)].join(" ");
  return escapeUnseen(text.replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " "));
}

function jsonLine(level: string, message: string, fields: LogFields = {}): string {
  return escapeJson(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }));
}
