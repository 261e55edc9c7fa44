import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

interface Package {
  engines?: { node?: string };
  optional?: boolean;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  packages: Record<string, Package>;
};
const [, major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(packages[""]?.engines?.node ?? "") ?? []).map(Number);

/** Whether one of the alternatives of a range takes the oldest Node that this package promises. */
function accepts(range: string): boolean {
  return range.split("||").some((alternative) => {
    const [, sign = "", from = "0", then = "0"] =
      /^\s*([^\d*x\s]*)\s*v?(\d+)?(?:\.(\d+))?/.exec(alternative) ?? [];
    const isLater = Number(from) > major || (Number(from) === major && Number(then) > minor);
    return !isLater && (sign.startsWith(">") || from === "0" || Number(from) === major);
  });
}

test("ranges of versions are read", () => {
  for (const range of ["*", ">=18", ">= 20.19.0", "^20.19.0 || >=22", "18 || 20 || >=22", ">=20.0.0"])
    assert.ok(accepts(range), range);
  for (const range of [">=22", "^22.12.0 || >=23", "18", ">=20.20"]) assert.ok(!accepts(range), range);
});

test("no package wants a later Node.js than this one promises, so that npm ci warns of none", () => {
  const later = Object.entries(packages).filter(([, { engines }]) => !accepts(engines?.node ?? "*"));
  assert.deepEqual(
    later.map(([path, { engines }]) => `${path}: ${engines?.node}`),
    [],
  );
});
