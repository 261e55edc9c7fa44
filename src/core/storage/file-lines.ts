import { closeSync } from "node:fs";
import { fill, openRegular } from "./read.ts";

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/**
 * The lines of a file of any size, as it was when it was opened, each valid until the next is read. Undefined stands for one of more
 * than `most` bytes, unless `shorten` leaves fewer of them, in the same memory: it may get the beginning of a line. Throws system
 * errors, like `readRegular`.
 */
export function* fileLines(
  file: string,
  most: number,
  shorten = (bytes: Buffer): Buffer => bytes,
): Generator<Buffer | undefined, void> {
  const { descriptor, stats } = openRegular(file);
  const fitting = (line: Buffer) => {
    const rest = line.length > most ? shorten(line) : line;
    return rest.length > most ? undefined : rest;
  };
  try {
    // One for the whole file: memory of a new one for each part is given back late.
    const buffer = Buffer.allocUnsafe(Math.min(stats.size, most + CHUNK_BYTES));
    let line: Buffer | undefined = buffer.subarray(0, 0);
    for (let position = 0; position < stats.size; ) {
      const kept = line?.length ?? 0;
      const read = fill(
        descriptor,
        buffer.subarray(kept, kept + Math.min(CHUNK_BYTES, stats.size - position)),
        position,
      );
      if (read === 0) break;
      position += read;
      const filled = buffer.subarray(0, kept + read);
      let from = 0;
      for (let end = filled.indexOf(LINE_FEED, kept); end !== -1; end = filled.indexOf(LINE_FEED, from)) {
        yield line && fitting(filled.subarray(from, end));
        line = buffer.subarray(0, 0);
        from = end + 1;
      }
      filled.copyWithin(0, from);
      line &&= fitting(filled.subarray(0, filled.length - from));
    }
    if (line?.length !== 0) yield line;
  } finally {
    closeSync(descriptor);
  }
}

/** The same as texts. */
export function* fileTexts(file: string, most: number): Generator<string | undefined, void> {
  for (const line of fileLines(file, most)) yield line?.toString("utf8");
}
