export const LOG_LEVELS = ["silent", "error", "warn", "info", "debug"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = Record<Exclude<LogLevel, "silent">, (message: string) => void>;

/** A log that writes one line without control characters per message through `write` (stderr: stdout belongs to the protocol). */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const at = (name: Exclude<LogLevel, "silent">) => (message: string) => {
    if (LOG_LEVELS.indexOf(name) > LOG_LEVELS.indexOf(level)) return;
    write(`vibe-mcp ${name}: ${message.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")}\n`);
  };
  return { error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") };
}
