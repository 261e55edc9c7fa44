import { call } from "../state.ts";
import type { Page, Version } from "./model.ts";

const PAGE = 100;

interface Filter {
  project?: string;
  path?: string;
}

/** The newest `count` changes or more; `total` is at least one more than these if there are too many to count. */
export async function readHistory(
  filter: Filter,
  count: number,
): Promise<{ versions: Version[]; total: number }> {
  const versions: Version[] = [];
  for (let offset: number | undefined = 0; offset !== undefined && offset < count; ) {
    const page: Page = await call<Page>("history", { ...filter, limit: Math.min(PAGE, count), offset });
    versions.push(...page.versions);
    if (page.next_offset === undefined) return { versions, total: page.total ?? versions.length };
    offset = page.next_offset;
  }
  return { versions, total: versions.length + 1 };
}
