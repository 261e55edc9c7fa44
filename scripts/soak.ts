import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PROGRAM, withFolder } from "./shared.ts";
import { levelOf, soak, summary } from "./soak/run.ts";

const HELP = `Usage: npm run soak -- [options]

Runs two built servers (dist/vibe-mcp.cjs) on one workspace that an editor changes at the same time: one writes, the other answers, and
each answer is compared with the files. Exits with 1 if an answer is wrong, or if the memory or open files of a server grow.

  --minutes <n>  Duration (default: 60)
  --seed <n>     Seed of all changes and questions (default: 1)
`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

async function measure(place: string): Promise<number> {
  const [root, home, program] = [join(place, "root"), join(place, "home"), join(place, "vibe-mcp.cjs")];
  for (const folder of [root, home]) mkdirSync(folder);
  copyFileSync(PROGRAM, program);
  const [seed, minutes] = [Number(values.seed), Number(values.minutes)];
  const result = await soak({ program, root, home, seed, minutes, say: console.log });
  console.log(summary(result));
  for (const wrong of result.wrong) console.log(wrong);
  const levels = result.samples.map(levelOf);
  for (const { memory, descriptors } of levels) {
    const [from, to] = memory.map((bytes) => Math.round(bytes / 1024 / 1024));
    console.log(`server: ${from} MB, later ${to} MB; ${descriptors[0]} open files, later ${descriptors[1]}`);
  }
  const isShort = minutes < 1; // Too short for a trend.
  return result.wrong.length === 0 && (isShort || levels.every(({ isLevel }) => isLevel)) ? 0 : 1;
}

if (values.help) console.log(HELP);
else process.exitCode = await withFolder("soak", measure);
