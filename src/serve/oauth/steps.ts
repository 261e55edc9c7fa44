import { UserError } from "../../core/lib/errors.ts";
import { parseFields } from "../../core/lib/fields.ts";
import type { Log } from "../../core/lib/log.ts";
import { errorCode, reasonOf } from "../../core/storage/fs-errors.ts";

/** Replaces the text that survives a restart; undefined and "" mean that there is none. Rejects if that fails. */
export type Update = (change: (text: string | undefined) => string) => Promise<void>;

export interface StepsOptions {
  /** Epoch milliseconds. */
  now: () => number;
  /** Undefined on a read-only server. */
  update: Update | undefined;
  /** Milliseconds after which an unused grant expires. */
  lifetime: number;
  log: Log;
}

export const GRANTS_FILE = "oauth-grants.json";
/** How long a client may repeat the last refresh: it lost the answer, or refreshes twice at once. */
const REPEAT_MS = 10_000;

/**
 * How far each grant has come: its code is step 0, each refresh token the next. Without saved steps, all codes and tokens from
 * before the start are refused, since some may be revoked.
 */
export async function openSteps(options: StepsOptions) {
  const { now } = options;
  const change = createChanges(options);
  let table: Table = { since: now(), grants: new Map() };
  await change((saved) => {
    table = saved ?? table;
    return table;
  });
  return {
    /** Whether the step may be taken now. A repeated step ends the grant: a copy is in use. */
    take: async (grant: string, step: number): Promise<boolean> => {
      let isTaken = false;
      await change((saved) => {
        table = saved === undefined ? table : merge(table, saved);
        isTaken = takeStep(table, { grant, step, now: now() });
        return table;
      });
      return isTaken;
    },
    isEnded: (grant: string) => table.grants.get(grant)?.last === ENDED,
    /** Codes and tokens from before are refused; epoch milliseconds. */
    since: () => table.since,
  };
}

/** Runs a change with the saved table, and saves its result. Without a usable file the change runs all the same. */
function createChanges({ now, update, lifetime, log }: StepsOptions) {
  const report = reporter(log);
  return async (change: (saved: Table | undefined) => Table): Promise<void> => {
    let isDone = false;
    const run = (saved: Table | undefined): Table => {
      isDone = true;
      const table = change(saved);
      prune(table, now() - lifetime);
      return table;
    };
    try {
      await update?.((text) => serialize(run(text ? parse(text, now()) : undefined)));
      report(undefined);
    } catch (error) {
      report(error);
    }
    if (!isDone) run(undefined);
  };
}

function takeStep({ grants }: Table, { grant, step, now }: { grant: string; step: number; now: number }) {
  const { last, at } = grants.get(grant) ?? { last: -1, at: 0 };
  if (step === last && step > 0 && now - at < REPEAT_MS) return true;
  const isNext = step > last;
  grants.delete(grant);
  grants.set(grant, { last: isNext ? step : ENDED, at: now });
  return isNext;
}

const ADVICE = "Remove it or fix that: until then, revoked logins are remembered only while this server runs";

/** Logs each new problem once. */
function reporter(log: Log): (error: unknown) => void {
  let shown = "";
  return (error) => {
    const reason = error === undefined ? "" : shownReason(error);
    if (reason !== shown && reason !== "")
      log.warn(`.vibe-mcp/${GRANTS_FILE} cannot be used: ${reason}. ${ADVICE}`);
    shown = reason;
  };
}

function shownReason(error: unknown): string {
  const isOurs = error instanceof UserError || (error instanceof Error && errorCode(error) === "");
  return isOurs ? (error.message.split(". ")[0] ?? "") : reasonOf(error);
}

interface Step {
  /** The last step taken; ENDED after one was taken twice. */
  last: number;
  /** Epoch milliseconds. */
  at: number;
}

/** The grants, least recently used first. */
interface Table {
  /** Codes and tokens from before are unknown; epoch milliseconds. */
  since: number;
  grants: Map<string, Step>;
}

const ENDED = Number.POSITIVE_INFINITY;
const MAX_GRANTS = 10_000;
const DAMAGED = "it is damaged";

function serialize({ since, grants }: Table): string {
  const rows = [...grants].map(([grant, { last, at }]) => [grant, last === ENDED ? null : last, at]);
  return `${JSON.stringify({ since, grants: rows })}\n`;
}

/** Throws for text that `serialize` did not write. Nothing in the table is later than `now`. */
function parse(text: string, now: number): Table {
  const { since, grants } = parseFields(text) ?? {};
  const rows = Array.isArray(grants) ? grants.map((row) => parseRow(row, now)) : [undefined];
  const steps = rows.filter((row) => row !== undefined);
  if (!isCount(since) || steps.length < rows.length) throw new Error(DAMAGED);
  return { since: Math.min(since, now), grants: new Map(steps) };
}

function parseRow(row: unknown, now: number): [string, Step] | undefined {
  const [grant, last, at] = Array.isArray(row) ? (row as unknown[]) : [];
  if (typeof grant !== "string" || !/^[\w-]{16}$/.test(grant) || !isCount(at)) return undefined;
  return last === null || isCount(last) ? [grant, { last: last ?? ENDED, at: Math.min(at, now) }] : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Keeps the steps that another process saved. */
function merge(one: Table, other: Table): Table {
  const grants = new Map(one.grants);
  for (const [grant, step] of other.grants) {
    const own = grants.get(grant);
    if (own === undefined || step.last > own.last) grants.set(grant, step);
  }
  const sorted = [...grants].sort(([, a], [, b]) => a.at - b.at);
  return { since: Math.max(one.since, other.since), grants: new Map(sorted) };
}

/** Drops grants last used before `expired`; of too many, also the least recently used, and then refuses all that is older. */
function prune(table: Table, expired: number): void {
  const { grants } = table;
  for (const [grant, { at }] of grants) {
    if (at > expired && grants.size <= MAX_GRANTS) return;
    grants.delete(grant);
    if (at > expired) table.since = Math.max(table.since, at + 1);
  }
}
