import assert from "node:assert/strict";
import { test } from "node:test";
import { pixelProblem } from "../../../src/core/notes/picture/size.ts";

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );
const big = (size: number, length: number) =>
  Array.from({ length }, (_, at) => (size >>> (8 * (length - 1 - at))) & 255);
const little = (size: number, length: number) => big(size, length).reverse();
const vp8l = (width: number, height: number) => little(((width - 1) | ((height - 1) << 14)) >>> 0, 4);

/** The beginnings of pictures, which name their size. */
const KINDS: Readonly<Record<string, (width: number, height: number) => Buffer>> = {
  PNG: (width, height) => bytes("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", big(width, 4), big(height, 4)),
  GIF: (width, height) =>
    bytes("GIF89a", little(width, 2), little(height, 2), [0, 0, 0], ",\0\0\0\0", [1, 0, 1, 0]),
  "GIF with a large frame": (width, height) =>
    bytes(
      "GIF89a",
      [1, 0, 1, 0, 0x80, 0, 0],
      "abcdef!\xf9\x04....\0,\0\0\0\0",
      little(width, 2),
      little(height, 2),
    ),
  JPEG: (width, height) =>
    bytes("\xff\xd8\xff\xe0\0\x04ab\xff\xff\xc2\0\x0b\x08", big(height, 2), big(width, 2)),
  WebP: (width, height) => bytes("RIFF....WEBPVP8 ....abc\x9d\x01\x2a", little(width, 2), little(height, 2)),
  "WebP without loss": (width, height) => bytes("RIFF....WEBPVP8L....\x2f", vp8l(width, height), "...."),
  "WebP with more": (width, height) =>
    bytes("RIFF....WEBPVP8X....\0\0\0\0", little(width - 1, 3), little(height - 1, 3)),
  BMP: (width, height) => bytes("BM................", little(width, 4), little(height, 4)),
  AVIF: (width, height) =>
    bytes("\0\0\0\x1cftypavif....\0\0\0\x14ispe\0\0\0\0", big(width, 4), big(height, 4)),
};

for (const [kind, write] of Object.entries(KINDS))
  test(`${kind}: the size is read, and 40 million pixels are the most`, () => {
    assert.equal(pixelProblem(write(8000, 5000)), undefined);
    assert.match(String(pixelProblem(write(16_000, 9000))), /^it has 16000 × 9000 pixels$/);
  });

test("a picture whose size cannot be read is refused; what is none, or only begins, is left to the browser", () => {
  for (const text of [
    "GIF89a.......;.........",
    "\xff\xd8\xff\xe0\0\x04ab\0\0\xff\xc0",
    "RIFF....WEBPVP9 ",
    "....ftypavif",
  ])
    assert.match(String(pixelProblem(bytes(text))), /^its size cannot be read$/);
  for (const text of ["", "no picture", "<svg/>", "\x89PNG", "GIF89a", "\xff\xd8\xff\xe0\0\x04ab"])
    assert.equal(pixelProblem(bytes(text)), undefined);
});
