import { spawn } from "node:child_process";
import { once } from "node:events";
import type { TestContext } from "node:test";

const SWAP = `
const { mkdirSync, rmSync, symlinkSync, writeFileSync } = require("node:fs");
const [place, outside, inner] = process.argv.slice(1);
const attempt = (run) => { try { run(); } catch {} };
const rest = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 12);
process.stdout.write("swapping\\n");
for (;;) {
  rest();
  attempt(() => rmSync(place, { recursive: true, force: true }));
  attempt(() => symlinkSync(outside, place));
  rest();
  attempt(() => rmSync(place, { recursive: true, force: true }));
  if (inner === "") attempt(() => writeFileSync(place, "{}"));
  else attempt(() => { mkdirSync(place); writeFileSync(place + "/" + inner, "{}"); });
}`;

/**
 * A process that keeps replacing a path by a link to `outside`, then by its original (a folder with an `inner` file, or a
 * file).
 */
export async function swapping(
  t: TestContext,
  place: string,
  { outside, inner }: { outside: string; inner: string },
): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ["-e", SWAP, place, outside, inner]);
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return async () => {
    child.kill("SIGKILL");
    await once(child, "close");
  };
}
