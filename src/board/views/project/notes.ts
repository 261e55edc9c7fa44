import { compareText } from "../../../core/lib/text.ts";

interface Updated {
  name: string;
  last_updated: string | null;
}

/** The projects of the newest day first, by name within a day, so that they do not jump while agents write. */
export function byDay<T extends Updated>(projects: readonly T[]): T[] {
  const day = ({ last_updated: updated }: T) => updated?.slice(0, 10) ?? "";
  return [...projects].sort((a, b) => compareText(day(b), day(a)) || compareText(a.name, b.name));
}
