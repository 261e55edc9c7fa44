/** Runs one work at a time, in the order of the calls; one that fails does not stop the next. */
interface Queue {
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the last work ends; undefined if none runs or waits. */
  busy(): Promise<unknown> | undefined;
}

export function createQueue(): Queue {
  let last: Promise<unknown> | undefined;
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const result = last === undefined ? work() : last.then(work);
    const ended = result.catch(() => {});
    last = ended;
    try {
      return await result;
    } finally {
      if (last === ended) last = undefined;
    }
  };
  return { run, busy: () => last };
}
