import { setImmediate } from "node:timers/promises";
import { elapsed } from "./clock.ts";

const STEP_MS = 20;

/** Called between the steps of long work: lets other work run after some milliseconds. */
export function pauses(): () => Promise<void> | undefined {
  let start = elapsed();
  return () => {
    if (elapsed() - start < STEP_MS) return undefined;
    return setImmediate().then(() => {
      start = elapsed();
    });
  };
}
