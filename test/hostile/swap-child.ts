import { existsSync, lstatSync, renameSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Replaces a folder, a file and a whole project by links that lead out, in turn, until it is killed. */
const [base = ""] = process.argv.slice(2);
const root = join(base, "root");

const SWAPS: [place: string, target: string][] = [
  ["p/notes", "outside/notes"],
  ["p/sessions", "outside/sessions"],
  ["p/notes/a.md", "outside/notes/a.md"],
  ["p", "outside"],
];

/** A call may have made the folder again while it was missing: then it is moved out of the way. */
function insist(place: string, act: () => void): void {
  for (let attempt = 0; attempt < 20; attempt++) {
    try {
      act();
      return;
    } catch {
      if (existsSync(place) && !lstatSync(place).isSymbolicLink())
        renameSync(place, join(base, `again-${process.hrtime.bigint()}`));
    }
  }
  throw new Error(`could not swap ${place}`);
}

const never = new Int32Array(new SharedArrayBuffer(4));

function pause(milliseconds: number): void {
  Atomics.wait(never, 0, 0, milliseconds);
}

process.stdout.write("started\n");
for (let round = 0; ; round++) {
  const [name, target] = SWAPS[round % SWAPS.length] ?? ["", ""];
  const place = join(root, name);
  const aside = join(root, ".aside");
  renameSync(place, aside);
  insist(place, () => symlinkSync(join(base, target), place));
  pause((round % 5) / 4);
  unlinkSync(place);
  insist(place, () => renameSync(aside, place));
  pause((round % 7) / 3);
}
