import { spawnSync } from "node:child_process";
import { say } from "./shared.ts";

/** What the gate leaves out, or tries a part of. Each step runs, even after another failed. */
const STEPS = [
  "test -- --nightly",
  "run conformance -- --strict",
  "run clients",
  "run everywhere",
  "run bench -- 30000 --repeats 3",
  "run soak -- --minutes 10",
  "run reliability -- --runs 200",
];

const outcomes = STEPS.map((step) => {
  say(`\n# npm ${step}\n`);
  const options = { stdio: "inherit", shell: process.platform === "win32" } as const;
  return { step, status: spawnSync("npm", step.split(" "), options).status };
});
for (const { step, status } of outcomes) say(`${status === 0 ? "ok    " : "FAILED"} npm ${step}\n`);
process.exitCode = outcomes.every(({ status }) => status === 0) ? 0 : 1;
