import { type Stats, statSync } from "node:fs";
import { readRegular } from "./read.ts";

const MAX_BYTES = 1024 * 1024;

/** Answers a small file's text when it is not the one answered last, else undefined. Throws what the system throws. */
export function followFile(file: string): () => string | undefined {
  let seen = "";
  return () => {
    if (stampOf(statSync(file)) === seen) return undefined;
    const { bytes, stats } = readRegular(file, MAX_BYTES);
    seen = stampOf(stats);
    return bytes.toString("utf8");
  };
}

function stampOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mtimeMs, ctimeMs].join(" ");
}
