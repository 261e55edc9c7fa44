import type { Task } from "../../model.ts";

type Placed = Pick<Task, "path" | "order">;

/** The room for others between two that are put in order. */
const STEP = 1000;

/**
 * What `order` becomes, by path, if tasks go to a place among the others of a column: theirs alone, unless the tasks above have none yet, or there is no
 * number left in between.
 */
export function newOrders(
  others: readonly Placed[],
  moved: readonly Placed[],
  at: number,
): ReadonlyMap<string, number> {
  const [above, below] = [others.slice(0, at), others.slice(at)];
  const last = above.findLastIndex(hasOrder);
  const without = above.slice(last + 1);
  const bounds = { low: above[last]?.order, high: without.length === 0 ? below[0]?.order : undefined };
  const placed = [...without, ...moved];
  const numbers = numbersBetween(bounds, placed.length);
  const all = numbers === undefined ? [...above, ...moved, ...below.filter(hasOrder)] : placed;
  const orders = numbers ?? numbersBetween({}, all.length) ?? [];
  return new Map(
    all.flatMap(({ path, order }, index) => {
      const next = orders[index];
      return next === undefined || next === order ? [] : [[path, next]];
    }),
  );
}

function hasOrder({ order }: Placed): boolean {
  return order !== undefined;
}

interface Bounds {
  low?: number | undefined;
  high?: number | undefined;
}

/** Whole ones as long as there are some; undefined if there are too few. */
function numbersBetween({ low, high }: Bounds, count: number): number[] | undefined {
  const step = low === undefined || high === undefined ? STEP : (high - low) / (count + 1);
  const start = low ?? (high === undefined ? 0 : high - STEP * (count + 1));
  const numbers = Array.from({ length: count }, (_, at) => start + step * (at + 1));
  const whole = step < 1 ? numbers : numbers.map(Math.floor);
  const isRising = [...whole, high ?? Infinity].every((one, at) => one > (whole[at - 1] ?? low ?? -Infinity));
  return isRising ? whole : undefined;
}
