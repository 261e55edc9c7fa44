import { closeSync, futimesSync, openSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { temporaryFor } from "./temporary.ts";

/** A file of our own among the watched: when its event arrives, all events before it have arrived. */
export interface EventBarrier {
  /** Waits for what happened before the call; false when the event does not arrive. */
  pass(): Promise<boolean>;
  close(): void;
}

// One turn of the loop delivers; a call in the middle of a turn needs the next. No clock: a busy loop is no broken one.
const MOST_TURNS = 4;

/** Linux keeps one queue a process, in the order of what happened. Throws what the system says. */
export function openEventBarrier(): EventBarrier {
  const file = temporaryFor(join(tmpdir(), "event-barrier"));
  const descriptor = openSync(file, "wx", 0o600);
  let events = 0;
  try {
    const watcher = watch(file, { persistent: false }, () => events++);
    watcher.on("error", () => {}); // No event arrives then, which is how it shows.
    return {
      pass: async () => {
        // What an earlier call waited for in vain could come late and stand for this one's.
        const before = events;
        futimesSync(descriptor, 1, 1);
        for (let turns = 0; events === before && turns < MOST_TURNS; turns++) await turn();
        return events !== before;
      },
      close: () => {
        watcher.close();
        closeSync(descriptor);
      },
    };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  } finally {
    // An open file is watched without a name as well, and leaves nothing behind however the process ends.
    rmSync(file, { force: true });
  }
}
