/** More take a browser seconds and gigabytes. */
const MAX_PIXELS = 40_000_000;

type Size = readonly [width: number, height: number];

/** By the first bytes, as browsers tell them, whatever the name says. Each throws RangeError for bytes that end early. */
const KINDS: readonly (readonly [
  start: RegExp,
  sizeOf: (view: DataView) => Size | undefined,
  extension?: string,
])[] = [
  [/^\x89PNG/, (view) => [view.getUint32(16), view.getUint32(20)], "png"],
  [/^GIF8/, sizeOfGif, "gif"],
  [/^\xff\xd8/, sizeOfJpeg, "jpg"],
  [/^RIFF....WEBP/s, sizeOfWebp, "webp"],
  [/^....ftypavi[fs]/s, sizeOfAvif, "avif"],
  [/^....ftyp/s, sizeOfAvif],
  [/^BM/, (view) => [Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true))]],
];

/** Why this picture could take a browser very long to show; undefined if it cannot. Looks at its size only, and not at an SVG. */
export function pixelProblem(bytes: Uint8Array): string | undefined {
  const [, sizeOf] = kindOf(bytes) ?? [];
  if (sizeOf === undefined) return undefined;
  try {
    const size = sizeOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    if (size === undefined) return "its size cannot be read";
    const [width, height] = size;
    return width * height > MAX_PIXELS ? `it has ${width} × ${height} pixels` : undefined;
  } catch {
    // Browsers cannot show it either.
    return undefined;
  }
}

function kindOf(bytes: Uint8Array) {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return KINDS.find(([start]) => start.test(head));
}

/** The extension for bytes that are a picture, an SVG too; undefined for others. */
export function pictureExtension(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder().decode(bytes.subarray(0, 1000));
  return /^\s*<(?:svg|!--|\?xml|!DOCTYPE svg)[\s>]/i.test(head) ? "svg" : kindOf(bytes)?.[2];
}

/** The first frame may be larger than the screen that the head names. */
function sizeOfGif(view: DataView): Size | undefined {
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);
  while (view.getUint8(at) === 0x21) {
    at += 2;
    while (view.getUint8(at) !== 0) at += view.getUint8(at) + 1;
    at++;
  }
  if (view.getUint8(at) !== 0x2c) return undefined;
  const sides = ([6, 8] as const).map((side, index) =>
    Math.max(view.getUint16(side, true), view.getUint16(at + 5 + 2 * index, true)),
  );
  return [sides[0] ?? 0, sides[1] ?? 0];
}

function sizeOfJpeg(view: DataView): Size | undefined {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    if (view.getUint8(at) !== 0xff) return undefined;
    while (view.getUint8(at + 1) === 0xff) at++;
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
  }
}

function sizeOfWebp(view: DataView): Size | undefined {
  const chunk = view.getUint32(12);
  if (chunk === 0x56_50_38_58)
    return [1 + (view.getUint32(24, true) & 0xff_ff_ff), 1 + (view.getUint32(26, true) >>> 8)];
  if (chunk === 0x56_50_38_20)
    return [view.getUint16(26, true) & 0x3f_ff, view.getUint16(28, true) & 0x3f_ff];
  if (chunk !== 0x56_50_38_4c) return undefined;
  const bits = view.getUint32(21, true);
  return [1 + (bits & 0x3f_ff), 1 + ((bits >>> 14) & 0x3f_ff)];
}

/** The largest of its parts. */
function sizeOfAvif(view: DataView): Size | undefined {
  let largest: Size | undefined;
  for (let at = 8; at + 16 <= view.byteLength; at++) {
    if (view.getUint32(at) !== 0x69_73_70_65) continue;
    const size: Size = [view.getUint32(at + 8), view.getUint32(at + 12)];
    if (largest === undefined || size[0] * size[1] > largest[0] * largest[1]) largest = size;
  }
  return largest;
}
