import { fold } from "./text.ts";

/** The protocol allows no more. */
const MAX_VALUES = 100;

export interface Completion {
  values: string[];
  total: number;
  hasMore: boolean;
}

/** The values that start with what was typed, then those that contain it; case and accents do not count. */
export function complete(values: readonly string[], typed: string): Completion {
  const prefix = fold(typed.trim());
  const folded = values.map((value) => ({ value, key: fold(value) }));
  const starting = folded.filter(({ key }) => key.startsWith(prefix));
  const holding = folded.filter(({ key }) => !key.startsWith(prefix) && key.includes(prefix));
  const all = [...starting, ...holding].map(({ value }) => value);
  return { values: all.slice(0, MAX_VALUES), total: all.length, hasMore: all.length > MAX_VALUES };
}
