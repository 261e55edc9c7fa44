import type { Terminal } from "./command.ts";

const WIDTH = 30;

/** A bar on a terminal's stderr; nothing is written to a file or a pipe. */
export function progressBar({ stderr }: Terminal): { show(done: number, total: number): void; end(): void } {
  if (!stderr.isTTY) return { show: () => {}, end: () => {} };
  return {
    show: (done, total) => {
      const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH);
      const bar = "█".repeat(filled) + "░".repeat(WIDTH - filled);
      stderr.write(`\r${bar} ${done} of ${total} files`);
    },
    end: () => void stderr.write("\r\x1b[K"),
  };
}
