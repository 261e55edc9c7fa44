import { createInterface } from "node:readline";
import { createFile } from "../../src/files/write.ts";

/** For each line of stdin, a path: tries five times at once to create it, and says how often that worked. */
const [label = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
for await (const file of createInterface({ input: process.stdin })) {
  const bytes = (number: number) => Buffer.from(`${label}${number};`.repeat(20_000));
  const won = await Promise.all([0, 1, 2, 3, 4].map((number) => createFile(file, bytes(number))));
  process.stdout.write(`${won.filter(Boolean).length}\n`);
}
