const QUOTE = 34;
const BACKSLASH = 92;
/** Of a text inside a line. */
const MAX_BYTES = 32 * 1024;
/** The longest escape of JSON, `\u1234`, and more than the bytes of a character. */
const ESCAPE_BYTES = 6;

/**
 * The line of JSON, or its beginning, with its longest texts cut, in the memory of the given one: pictures and outputs fill most of a
 * transcript, and parsing them whole would take twice their size. What follows a beginning goes on with it.
 */
export function withoutLongTexts(line: Buffer): Buffer {
  let [written, from] = [0, 0];
  const keep = (to: number) => {
    line.copyWithin(written, from, to);
    written += to - from;
  };
  for (let [start, next] = [line.indexOf(QUOTE), 0]; start !== -1; start = next) {
    next = line.indexOf(QUOTE, start + 1);
    const end = next === -1 ? line.length : next;
    if (end - start > 2 * MAX_BYTES) {
      const cut = cutIn(line, start + 1 + MAX_BYTES);
      if (cut !== undefined) {
        keep(cut);
        // What stands before the quote may escape it.
        from = tailIn(line, end - ESCAPE_BYTES);
      }
    }
  }
  keep(line.length);
  return line.subarray(0, written);
}

/** A place from `at` on that is in no escape and no character; undefined if there is none nearby. */
function cutIn(line: Uint8Array, at: number): number | undefined {
  for (let place = at; place < at + MAX_BYTES / 2; place++) {
    const before = line.subarray(place - ESCAPE_BYTES, place);
    if (!before.includes(BACKSLASH) && isStart(line[place])) return place;
  }
  return undefined;
}

/** The last place up to `at` that begins a character, and is in no escape. */
function tailIn(line: Uint8Array, at: number): number {
  let place = at;
  while (line.subarray(place - ESCAPE_BYTES, place).includes(BACKSLASH) || !isStart(line[place])) place--;
  return place;
}

/** Whether a byte is the first of a character in UTF-8. */
function isStart(byte: number | undefined): boolean {
  return byte === undefined || (byte & 0xc0) !== 0x80;
}
