import { closeSync, futimesSync, openSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { temporaryFor } from "../storage/temp-files.ts";

/** A watched file of our own: when its event arrives, all events before it have arrived. */
export interface EventBarrier {
  /** Waits for the events up to the call; false when its own does not arrive. */
  pass(): Promise<boolean>;
  close(): void;
}

// One turn of the loop delivers; a call in the middle of a turn needs the next. Turns, not time: the loop may be busy.
const MOST_TURNS = 4;

/** Linux keeps one queue for each process, in order. Throws what the system says. */
export function openEventBarrier(): EventBarrier {
  const file = temporaryFor(join(tmpdir(), "event-barrier"));
  const descriptor = openSync(file, "wx", 0o600);
  let events = 0;
  try {
    const watcher = watch(file, { persistent: false }, () => events++);
    watcher.on("error", () => {}); // Then no event arrives, and `pass` answers false.
    return {
      pass: async () => {
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
    // An open file is watched without a name too, and leaves nothing behind if the process crashes.
    rmSync(file, { force: true });
  }
}
