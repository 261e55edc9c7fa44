import { errorCode, reasonOf } from "../../../files/errors.ts";
import { UserError } from "../../../lib/errors.ts";
import type { Log } from "../../../lib/log.ts";
import { ENDED, merge, parse, prune, serialize, type Table } from "./steps-table.ts";

/** How far each grant is: its code is step 0, and each refresh token the next. */
export interface Steps {
  /** Whether the step may be taken now. One that was taken before ends the grant: somebody has a copy. */
  take(grant: string, step: number): Promise<boolean>;
  isEnded(grant: string): boolean;
  /** Epoch milliseconds: what was handed out before is refused, since it is unknown whether it was revoked. */
  since(): number;
}

/** Replaces the text that is kept over a restart; undefined and "" stand for none. Rejects if that fails. */
export type Update = (change: (text: string | undefined) => string) => Promise<void>;

export interface StepsOptions {
  /** Epoch milliseconds. */
  now: () => number;
  /** Undefined if nothing may be written. */
  update: Update | undefined;
  /** Milliseconds after which nothing of a quiet grant is valid. */
  lifetime: number;
  log: Log;
}

export const GRANTS_FILE = "oauth-grants.json";
/** A client that lost the answer, or asks from two places at once, may repeat the last refresh for this long. */
const REPEAT_MS = 10_000;

/** Starts with what was saved. Without that, all that was handed out before is refused: some of it may be revoked. */
export async function openSteps({ now, update, lifetime, log }: StepsOptions): Promise<Steps> {
  let table: Table = { since: now(), grants: new Map() };
  const report = reporter(log);
  const change = async (work: (saved: Table | undefined) => void) => {
    let isDone = false;
    const apply = (saved?: Table) => {
      isDone = true;
      work(saved);
      prune(table, now() - lifetime);
    };
    try {
      await update?.((text) => {
        const saved = text ? parse(text, now()) : undefined;
        if (text && saved === undefined) throw new Error("it is damaged");
        apply(saved);
        return serialize(table);
      });
      report(undefined);
    } catch (error) {
      report(error);
    }
    if (!isDone) apply();
  };
  await change((saved) => {
    table = saved ?? table;
  });
  return {
    take: async (grant, step) => {
      let isTaken = false;
      await change((saved) => {
        if (saved !== undefined) table = merge(table, saved);
        isTaken = takeStep(table, { grant, step, now: now() });
      });
      return isTaken;
    },
    isEnded: (grant) => table.grants.get(grant)?.last === ENDED,
    since: () => table.since,
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

/** A line for each new problem. */
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
