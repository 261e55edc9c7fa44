import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Compares a text with `test/snapshots/<name>`. `UPDATE_SNAPSHOTS=1` writes it instead: review the difference.
 * In CI a missing snapshot fails.
 */
export function matchSnapshot(name: string, actual: string): void {
  const file = join("test", "snapshots", name);
  if (process.env["UPDATE_SNAPSHOTS"] === "1" || (!existsSync(file) && process.env["CI"] === undefined)) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
    return;
  }
  assert.equal(
    actual,
    readFileSync(file, "utf8"),
    `${file} differs; UPDATE_SNAPSHOTS=1 npm test writes it anew`,
  );
}
