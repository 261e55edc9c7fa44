import { setTimeout as sleep } from "node:timers/promises";
import { openCodeCache } from "../../scripts/chunks/code-cache.ts";

// Runs a source with the code that is kept, and lives until it has kept what it made.
const [, , program = "", state = "", source = ""] = process.argv;
const cache = openCodeCache(program, state, [20]);
const value = cache.run("0.js", source);
const bytes = cache.bytes("data", () => Buffer.from(source));
console.log(value, bytes.toString());
await sleep(300);
