/** How far each grant is: its code is step 0, and each refresh token the next. */
export interface Steps {
  /** Whether the step may be taken now. One that was taken before ends the grant: somebody has a copy. */
  take(grant: string, step: number): boolean;
  isEnded(grant: string): boolean;
}

const MAX_GRANTS = 10_000;
/** A client that lost the answer, or asks from two places at once, may repeat the last refresh for this long. */
const REPEAT_MS = 10_000;

/** Kept in memory alone; those that were quiet for longest are forgotten when there are very many. `now` in milliseconds. */
export function createSteps(now: () => number): Steps {
  const steps = new Map<string, { last: number; at: number }>();
  const keep = (grant: string, last: number, at: number) => {
    steps.delete(grant);
    steps.set(grant, { last, at });
    const [oldest = ""] = steps.keys();
    if (steps.size > MAX_GRANTS) steps.delete(oldest);
  };
  return {
    take: (grant, step) => {
      const { last, at } = steps.get(grant) ?? { last: -1, at: 0 };
      if (step === last && step > 0 && now() - at < REPEAT_MS) return true;
      const isNext = step > last;
      keep(grant, isNext ? step : Number.POSITIVE_INFINITY, now());
      return isNext;
    },
    isEnded: (grant) => steps.get(grant)?.last === Number.POSITIVE_INFINITY,
  };
}
