/**
 * How many times as long `work` takes on a text four times as long: about 4 where time grows with the length, 16 where it
 * grows with its square. The best of three, since the machine has other things to do.
 */
export function growth(
  make: (length: number) => string,
  work: (text: string) => unknown,
  length: number,
): number {
  const best = (text: string) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const start = performance.now();
        work(text);
        return performance.now() - start;
      }),
    );
  const [small, large] = [make(length), make(length * 4)];
  return best(large) / Math.max(best(small), 1);
}

/** More than this is no growth in proportion, also on a busy machine. */
export const PROPORTIONATE = 10;
