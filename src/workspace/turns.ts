/**
 * Lets a large document be written in one transaction while other work runs. That may not use the index meanwhile: right
 * before it does, it waits while `busy` returns a promise.
 */
export interface Turns {
  busy(): Promise<unknown> | undefined;
  /** Runs `work` when nothing else is written, or saved. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/** `saving` is what has to end before a document may be written in turns. */
export function createTurns(saving: () => Promise<unknown> | undefined = () => undefined): Turns {
  let running: Promise<unknown> | undefined;
  const take = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let other = running ?? saving(); other !== undefined; other = running ?? saving()) await other;
    const taken = work();
    running = taken.catch(() => {});
    try {
      return await taken;
    } finally {
      running = undefined;
    }
  };
  return { busy: () => running, take };
}
