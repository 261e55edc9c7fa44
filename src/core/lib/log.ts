import { escapeInvisible, escapeJson } from "./escape.ts";

export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ["text", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Details of a message by name, without undefined ones. */
export type LogFields = Record<string, string | number | undefined>;
/** A listener to errors and warnings, each a line of text. */
export type Problem = (level: "error" | "warn", text: string) => void;

export interface Log
  extends Record<Exclude<LogLevel, "silent">, (message: string, fields?: LogFields) => void> {
  /** Reports every error and warning, even below the level, until the returned function is called. */
  hear(listener: Problem): () => void;
}

/**
 * A log that writes one line per message through `write` (stderr: stdout belongs to the protocol): a text with invisible
 * characters escaped, or a JSON object with the time.
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
    error: problem("error"),
    warn: problem("warn"),
    info: at("info"),
    debug: at("debug"),
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
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  const text = [message, ...present.map(([name, value]) => `${name}=${value}`)].join(" ");
  return escapeInvisible(text.replaceAll(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, " "));
}

function jsonLine(level: string, message: string, fields: LogFields = {}): string {
  return escapeJson(JSON.stringify({ time: new Date().toISOString(), level, message, ...fields }));
}
