import { setImmediate } from "node:timers/promises";
import { elapsed } from "./clock.ts";
import { createQueue } from "./queue.ts";

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

/** Called at the start of works that came together: each waits for the pauses of those before it. */
export function turns(): () => Promise<void> {
  const [pause, queue] = [pauses(), createQueue()];
  return () => queue.run(async () => pause());
}
