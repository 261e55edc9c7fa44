/** How far a grant is. */
export interface Step {
  /** The last step that was taken; ENDED after one was taken twice. */
  last: number;
  /** Epoch milliseconds. */
  at: number;
}

/** What is known of grants, those that were quiet for longest first. */
export interface Table {
  /** Nothing is known of what was handed out before; epoch milliseconds. */
  since: number;
  grants: Map<string, Step>;
}

export const ENDED = Number.POSITIVE_INFINITY;
const MAX_GRANTS = 10_000;

export function serialize({ since, grants }: Table): string {
  const rows = [...grants].map(([grant, { last, at }]) => [grant, last === ENDED ? null : last, at]);
  return `${JSON.stringify({ since, grants: rows })}\n`;
}

/** Undefined for what `serialize` did not write; nothing in it is later than `now`. */
export function parse(text: string, now: number): Table | undefined {
  try {
    const { since, grants } = JSON.parse(text) as { since: unknown; grants: unknown };
    if (!isCount(since) || !Array.isArray(grants)) return undefined;
    const rows = grants.map((row) => parseRow(row, now));
    const whole = rows.filter((row) => row !== undefined);
    return whole.length < rows.length ? undefined : { since: Math.min(since, now), grants: new Map(whole) };
  } catch {
    return undefined; // No JSON, or no object.
  }
}

function parseRow(row: unknown, now: number): [string, Step] | undefined {
  const [grant, last, at] = Array.isArray(row) ? (row as unknown[]) : [];
  if (typeof grant !== "string" || !/^[\w-]{16}$/.test(grant) || !isCount(at)) return undefined;
  return last === null || isCount(last) ? [grant, { last: last ?? ENDED, at: Math.min(at, now) }] : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** What either of two knows; what another process knows is not forgotten. */
export function merge(one: Table, other: Table): Table {
  const grants = new Map(one.grants);
  for (const [grant, step] of other.grants) {
    const own = grants.get(grant);
    if (own === undefined || step.last > own.last) grants.set(grant, step);
  }
  const sorted = [...grants].sort(([, a], [, b]) => a.at - b.at);
  return { since: Math.max(one.since, other.since), grants: new Map(sorted) };
}

/** Forgets grants of before `expired`. Of very many it forgets the quietest, and with them all that is older. */
export function prune(table: Table, expired: number): void {
  const { grants } = table;
  for (const [grant, { at }] of grants) {
    if (at > expired && grants.size <= MAX_GRANTS) return;
    grants.delete(grant);
    if (at > expired) table.since = Math.max(table.since, at + 1);
  }
}
