import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder for what `use` measures; it is gone afterwards, also when that is interrupted. */
export async function withFolder<T>(name: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), `vibe-${name}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const interrupted = () => {
    remove();
    process.exit(130);
  };
  process.once("SIGINT", interrupted);
  try {
    return await use(folder);
  } finally {
    process.off("SIGINT", interrupted);
    remove();
  }
}

/** Prints; answers the exit code of what went well. */
export function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

export function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Whether a text is a whole number from 1 on. */
export function isCount(text: string): boolean {
  return Number.isInteger(Number(text)) && Number(text) >= 1;
}

export function inMs(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 100 ? 1 : 0)} ms`;
}
