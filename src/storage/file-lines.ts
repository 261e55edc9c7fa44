import { closeSync } from "node:fs";
import { fill, openRegular } from "./read.ts";

/** A line of a large file. */
export interface FileLine {
  /** Valid until the next line is read; undefined for a line that is too long. */
  bytes: Buffer | undefined;
  /** Whether a line break ends it. */
  isWhole: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 10;

/**
 * The lines of a file of any size, as it was when it was opened, within little memory; lines of more than `most` bytes are not
 * read, unless `shorten` leaves fewer of those so far. Throws system errors, like `readRegular`.
 */
export function* fileLines(
  file: string,
  most: number,
  shorten = (bytes: Buffer): Buffer => bytes,
): Generator<FileLine, void> {
  const { descriptor, stats } = openRegular(file);
  try {
    const line = lineBuffer(most, shorten);
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let position = 0; position < stats.size; ) {
      const read = fill(
        descriptor,
        chunk.subarray(0, Math.min(chunk.length, stats.size - position)),
        position,
      );
      if (read === 0) break;
      position += read;
      yield* linesIn(chunk.subarray(0, read), line);
    }
    if (!line.isEmpty()) yield { bytes: line.take(), isWhole: false };
  } finally {
    closeSync(descriptor);
  }
}

/** The same as texts; undefined for a line that is too long. */
export function* fileTexts(file: string, most: number): Generator<string | undefined, void> {
  for (const { bytes } of fileLines(file, most)) yield bytes?.toString("utf8");
}

function* linesIn(chunk: Buffer, line: LineBuffer): Generator<FileLine, void> {
  let from = 0;
  for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
    line.add(chunk.subarray(from, end));
    yield { bytes: line.take(), isWhole: true };
    from = end + 1;
  }
  // The next chunk takes the place of this one.
  line.add(Buffer.from(chunk.subarray(from)));
}

type LineBuffer = ReturnType<typeof lineBuffer>;

/** Gathers the parts of a line. */
function lineBuffer(most: number, shorten: (bytes: Buffer) => Buffer) {
  let parts: Buffer[] = [];
  let length = 0;
  return {
    isEmpty: () => length === 0,
    add: (part: Buffer) => {
      const isRead = length <= most;
      length += part.length;
      if (isRead && part.length > 0) parts.push(part);
      if (length <= most) return;
      const rest = isRead ? shorten(Buffer.concat(parts)) : undefined;
      length = rest?.length ?? length;
      parts = rest === undefined || length > most ? [] : [rest];
    },
    take: () => {
      const bytes = length > most ? undefined : parts.length === 1 ? parts[0] : Buffer.concat(parts);
      [parts, length] = [[], 0];
      return bytes;
    },
  };
}
