import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pauses } from "../lib/pauses.ts";
import { projectOf } from "../notes/names.ts";
import { openFile, type PlainPath } from "../storage/open-entry.ts";
import { fill } from "../storage/read.ts";
import { MAX_RECORD_BYTES, type Operation, parseRecord } from "./record.ts";
import { daysIn, findLog } from "./record-log.ts";
import { isSeen } from "./sight.ts";

const CHUNK_BYTES = 256 * 1024;

interface LogOptions {
  /** Also the operations that did not happen. */
  voided?: boolean;
  /** Called for each line that is no record. */
  onDamage?: () => void;
}

/** The recorded operations, newest first, read only as far as they are taken; other work runs meanwhile. */
export async function* readBackwards(
  root: string,
  { voided = false, onDamage = () => {} }: LogOptions = {},
): AsyncGenerator<Operation> {
  const voids = new Set<string>();
  const pause = pauses();
  for await (const { line, date } of eachLine(root)) {
    const parsed = parseRecord(line);
    // A record goes into the log of its day; elsewhere it would be newer, or older, than it says.
    const record = parsed?.time.startsWith(date) === true ? parsed : undefined;
    if (record === undefined) onDamage();
    else if ("void" in record) voids.add(record.void);
    else if (voided || !voids.has(record.id)) yield record;
    await pause();
  }
}

async function* eachLine(root: string): AsyncGenerator<{ line: string; date: string }> {
  const log = findLog(root);
  if (log === undefined) return;
  for (const { name, date } of daysIn(log).reverse())
    for await (const lines of linesBackwards(log, name))
      for (const line of lines) if (line !== "") yield { line, date };
}

/** The lines of a day, last first, some at a time. A line longer than any record comes as one that is none. */
async function* linesBackwards(log: PlainPath, name: string): AsyncGenerator<string[]> {
  using day = openFile(join(log.file, name));
  if (day === undefined) return;
  let rest: Buffer[] = [];
  let kept = 0;
  for (let end = day.stats.size; end > 0; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, end));
    end -= chunk.length;
    const bytes = chunk.subarray(0, fill(day.descriptor, chunk, end));
    const first = end === 0 ? 0 : bytes.indexOf("\n") + 1;
    if (first === 0 && end > 0) {
      // No line starts here.
      kept += bytes.length;
      rest = kept > MAX_RECORD_BYTES ? [Buffer.from("too long")] : [bytes, ...rest];
    } else {
      yield Buffer.concat([bytes.subarray(first), ...rest])
        .toString("utf8")
        .split("\n")
        .reverse();
      rest = [bytes.subarray(0, Math.max(first - 1, 0))];
      kept = 0;
    }
    await setImmediate();
  }
}

/** As `readBackwards`: an operation that changed more than the caller sees is no change to it. */
export async function* seenOperations(root: string): AsyncGenerator<Operation> {
  for await (const operation of readBackwards(root))
    if (operation.changes.every(({ path }) => isSeen(projectOf(path)))) yield operation;
}
