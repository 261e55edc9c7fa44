import { renameSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";

/** Puts a link that leads out in the place of a folder, and takes it away again, for so many milliseconds. */
const [base = "", duration = "0"] = process.argv.slice(2);
const folder = join(base, "root", "p", "swap");
const aside = join(base, "root", "p", "aside");
const end = Date.now() + Number(duration);

/** A call may have made the folder again while it was missing: then that one is moved out of the way. */
function insist(round: number, act: () => void): void {
  for (let attempt = 0; ; attempt++) {
    try {
      act();
      return;
    } catch (error) {
      if (attempt > 20) throw error;
      renameSync(folder, `${folder}-${round}-${attempt}`);
    }
  }
}

process.stdout.write("started\n");
for (let round = 0; Date.now() < end; round++) {
  renameSync(folder, aside);
  insist(round, () => symlinkSync(join(base, "outside"), folder));
  for (let wait = 0; wait < (round % 7) * 2_000; wait++);
  unlinkSync(folder);
  insist(round, () => renameSync(aside, folder));
}
