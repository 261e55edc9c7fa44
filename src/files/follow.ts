import { readFileSync, statSync } from "node:fs";

/** Answers a small file's text when it is not the one answered last, else undefined. Throws what the system throws. */
export function followFile(file: string): () => string | undefined {
  let seen = "";
  return () => {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    const stamp = [ino, size, mtimeMs, ctimeMs].join(" ");
    if (stamp === seen) return undefined;
    const text = readFileSync(file, "utf8");
    seen = stamp;
    return text;
  };
}
