/** Several measurements of one thing, in its own unit. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

/** Two things timed in turns. Times are milliseconds. */
export interface Comparison {
  subject: Spread;
  reference: Spread;
  /** Subject over reference, per turn: a machine that slows down slows both. */
  ratio: Spread;
}

/** Does something once and returns the milliseconds that it took. */
export type Timed = () => number | Promise<number>;

/** Turns are taken A B A B …; `warmUp` turns before them are discarded. */
export interface Turns {
  repeats: number;
  warmUp: number;
}

export async function compare(subject: Timed, reference: Timed, turns: Turns): Promise<Comparison> {
  const times: { subject: number; reference: number }[] = [];
  for (let turn = -turns.warmUp; turn < turns.repeats; turn++) {
    const taken = { subject: await subject(), reference: await reference() };
    if (turn >= 0) times.push(taken);
  }
  return {
    subject: spreadOf(times.map((taken) => taken.subject)),
    reference: spreadOf(times.map((taken) => taken.reference)),
    ratio: spreadOf(times.map((taken) => taken.subject / taken.reference)),
  };
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) throw new Error("there are no values to take the median of");
  const middle = (sorted.length - 1) / 2;
  const [low = min, high = max] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return { median: (low + high) / 2, min, max };
}

/** Milliseconds of synchronous work. */
export function time(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Milliseconds of asynchronous work. */
export async function timeAsync(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
