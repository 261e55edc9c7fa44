/** The items by their key, keys in order of first appearance. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The items in groups, in their order; those of one group weigh `most` together, or it has one item. */
export function groupsOf<T>(items: Iterable<T>, most: number, weightOf: (item: T) => number): T[][] {
  const groups: T[][] = [];
  let total = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const weight = weightOf(item);
    total += weight;
    if (total > most) {
      groups.push([]);
      total = weight;
    }
    groups.at(-1)?.push(item);
  }
  return groups;
}

/** Sets a value as the youngest of a map that holds `most`; removes and returns the oldest if there are more. */
export function setMostRecent<K, V>(
  values: Map<K, V>,
  most: number,
  [key, value]: readonly [K, V],
): V | undefined {
  values.delete(key);
  values.set(key, value);
  const [oldest] = values;
  if (oldest === undefined || values.size <= most) return undefined;
  values.delete(oldest[0]);
  return oldest[1];
}

/** The fields that have a value. */
export function definedOf<T extends object>(fields: T) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** The result of `make`, made on first use. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A function that runs once for each argument. */
export function remember<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined || made.has(key)) return known as V;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** Whether two values of plain data, such as that of YAML, are the same but for the order of keys. */
export function isSameData(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  const [entries, others] = [Object.entries(a), Object.entries(b)];
  if (Array.isArray(a) !== Array.isArray(b) || entries.length !== others.length) return false;
  return entries.every(
    ([key, value]) => Object.hasOwn(b, key) && isSameData(value, (b as typeof a)[key as never]),
  );
}
