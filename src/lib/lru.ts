/** Sets a value as the youngest of a map that holds `most`; removes and returns the oldest if there are more. */
export function setYoungest<K, V>(
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
