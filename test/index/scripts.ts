import fc from "fast-check";

/** First and last code point of letters, marks and signs that meet in notes. */
const RANGES: readonly [number, number][] = [
  ...([
    [0x20, 0x7e],
    [0xa0, 0x24f],
    [0x300, 0x36f],
    [0x370, 0x3ff],
    [0x400, 0x4ff],
    [0x590, 0x6ff],
  ] as const),
  ...([
    [0x900, 0x97f],
    [0xe00, 0xeff],
    [0x1000, 0x109f],
    [0x1100, 0x11ff],
    [0x1780, 0x17ff],
  ] as const),
  ...([
    [0x2000, 0x2bff],
    [0x3000, 0x30ff],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
    [0xe000, 0xe0ff],
    [0xff00, 0xffef],
  ] as const),
  ...([
    [0x1d400, 0x1d7ff],
    [0x1f300, 0x1faff],
    [0x20000, 0x2a6df],
  ] as const),
].map(([first, last]) => [first, last]);

const character = fc
  .constantFrom(...RANGES)
  .chain(([min, max]) => fc.integer({ min, max }))
  .map((code) => String.fromCodePoint(code));

const piece = fc.oneof(
  { weight: 3, arbitrary: character },
  {
    weight: 2,
    arbitrary: fc.constantFrom(" ", "\n", "a", "Word", "認証", "トークン", "한국어", "sesión", "🥳"),
  },
);

/** Text of many scripts, marks and emoji in any neighbourhood. */
export const anyScript: fc.Arbitrary<string> = fc
  .array(piece, { maxLength: 30 })
  .map((pieces) => pieces.join(""));
