import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

interface Package {
  integrity?: string;
  link?: boolean;
  resolved?: string;
}

const text = readFileSync("package-lock.json", "utf8");
const { packages } = JSON.parse(text) as { packages: Record<string, Package> };
const others = Object.entries(packages).filter(([path, { link }]) => path !== "" && link !== true);

test("each package of the lock file has its checksum, those of other systems too", () => {
  const unchecked = others.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""));
  assert.deepEqual(
    unchecked.map(([path]) => path),
    [],
  );
});

test("the lock file names no registry: each machine uses its own", () => {
  const named = others.filter(([, { resolved }]) => resolved !== undefined);
  assert.deepEqual(
    named.map(([path]) => path),
    [],
  );
  assert.match(readFileSync(".npmrc", "utf8"), /^omit-lockfile-registry-resolved=true$/m);
});

test("actions that check this repository are pinned by commit", () => {
  const folder = join(".github", "workflows");
  const used = readdirSync(folder).flatMap((name) =>
    [...readFileSync(join(folder, name), "utf8").matchAll(/\buses:\s*(\S+)/g)].map(([, action]) => action),
  );
  assert.ok(used.length > 0);
  assert.deepEqual(
    used.filter((action) => !/@[0-9a-f]{40}$/.test(action ?? "")),
    [],
  );
});
