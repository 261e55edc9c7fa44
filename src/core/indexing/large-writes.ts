/**
 * Large documents are written in one transaction while other work runs. That must not use the index meanwhile: `whenIdle`
 * runs what does.
 */
export interface LargeWrites {
  /** Runs `write` once no other large document is being written and no save is running. */
  run<T>(write: () => Promise<T>): Promise<T>;
  /** Runs `use` as soon as no large document is being written. */
  whenIdle<T>(use: () => T | Promise<T>): Promise<T>;
}

/** `saving` returns a promise while the index is being saved. */
export function createLargeWrites(saving: () => Promise<unknown> | undefined = () => undefined): LargeWrites {
  let running: Promise<unknown> | undefined;
  return {
    async run(write) {
      for (let other = running ?? saving(); other !== undefined; other = running ?? saving()) await other;
      const result = write();
      running = result.catch(() => {});
      try {
        return await result;
      } finally {
        running = undefined;
      }
    },
    async whenIdle(use) {
      while (running !== undefined) await running;
      return use();
    },
  };
}
