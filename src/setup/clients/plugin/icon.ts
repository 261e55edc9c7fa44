import { crc32, deflateSync } from "node:zlib";

const SIZE = 512;
const PAPER = [250, 250, 247, 255];
const INK = [38, 70, 120, 255];
/** Half the width of a stroke. */
const STROKE = 34;
/** The letter V, as the corners of its stroke. */
const CORNERS = [
  [136, 140],
  [256, 372],
  [376, 140],
] as const;

/** The square picture of plugins: a letter on paper, as PNG. */
export function icon(): Uint8Array {
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const pixels = Array.from({ length: SIZE }, (_, x) => colorAt(x, y));
    return Buffer.from([0, ...pixels.flat()]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // Eight bits for each of red, green, blue and opacity.
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function colorAt(x: number, y: number): number[] {
  const [a, b, c] = CORNERS;
  const away = Math.min(distance([x, y], a, b), distance([x, y], b, c));
  const ink = Math.min(1, Math.max(0, STROKE - away + 0.5));
  return PAPER.map((paper, at) => Math.round(paper + ((INK[at] ?? 0) - paper) * ink));
}

type Point = readonly [x: number, y: number];

/** From a point to the line between two others. */
function distance([x, y]: Point, [x1, y1]: Point, [x2, y2]: Point): number {
  const [width, height] = [x2 - x1, y2 - y1];
  const along = ((x - x1) * width + (y - y1) * height) / (width ** 2 + height ** 2);
  const at = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x1 - at * width, y - y1 - at * height);
}

function chunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}
