import { closeSync, openSync } from "node:fs";
import { createPageIndex, lineStart } from "../../src/files/pages.ts";

/** Prints how many bytes stay in memory after a file was paged to one of its lines. To be run with --expose-gc. */
const [file = "", line = "1"] = process.argv.slice(2);
const collect = globalThis.gc ?? (() => {});

function held(): number {
  for (let round = 0; round < 3; round++) collect();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

const descriptor = openSync(file, "r");
// What is compiled and made ready on the way does not count.
await lineStart({ descriptor, index: createPageIndex() }, Number(line));
const index = createPageIndex();
const before = held();
await lineStart({ descriptor, index }, Number(line));
process.stdout.write(JSON.stringify({ grown: held() - before, marks: index.marks.length }));
closeSync(descriptor);
