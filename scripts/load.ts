import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeCorpus } from "./bench/corpus.ts";
import { attack, type LoadOptions, startServer, stop, WIDTH, wave } from "./load/run.ts";
import { inMb, withFolder } from "./shared.ts";

const PROGRAM = "dist/vibe-mcp.cjs";

const HELP = `Usage: npm run load -- [options]

Puts the built server (${PROGRAM}) under load over HTTP, twice, then attacks it while a well-behaved client keeps working.
Exits with 1 if one of the valid requests fails.

  --documents <n>  Documents to generate (default: 1000)
  --sessions <n>   Sessions at the same time (default: 200)
  --requests <n>   Requests in each wave (default: 20000)
  --scale <0..1>   Size of the attacks (default: 1)
`;

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "1000" },
    sessions: { type: "string", default: "200" },
    requests: { type: "string", default: "20000" },
    scale: { type: "string", default: "1" },
    help: { type: "boolean", default: false },
  },
});

async function measure(root: string): Promise<number> {
  writeCorpus(root, { documents: Number(values.documents), seed: 1 });
  mkdirSync(join(root, "load"));
  writeFileSync(join(root, "load", "status.md"), "# Load\n\nNothing yet.\n");
  const say = (line: string) => console.log(line);
  const options: LoadOptions = {
    root,
    say,
    sessions: Number(values.sessions),
    requests: Number(values.requests),
    scale: Number(values.scale),
  };
  const running = await startServer(PROGRAM, root);
  let failures = 0;
  for (const name of ["first", "second"]) {
    const { perSecond, idle, loaded, memory, ...found } = await wave(running, options);
    failures += found.failures;
    const share = loaded / idle / (WIDTH / availableParallelism());
    say(
      `${name} wave: ${found.failures} of ${options.requests} requests failed, ${Math.round(perSecond)} per second; search ${idle.toFixed(1)} ms idle, ` +
        `${loaded.toFixed(1)} ms with ${WIDTH} in flight (${share.toFixed(2)} times, per request in flight and core); ${memoryText(memory)} afterwards`,
    );
  }
  const attacks = await attack(running, options);
  failures += attacks.reduce((sum, result) => sum + result.failures, 0);
  say(`memory after each attack: ${attacks.map(({ memory }) => memoryText(memory)).join(", ")}`);
  const code = await stop(running);
  say(`exit code ${code}`);
  return failures === 0 && code === 0 ? 0 : 1;
}

const memoryText = (bytes: number | undefined) => (bytes === undefined ? "memory unknown" : inMb(bytes));

if (values.help) console.log(HELP);
else process.exitCode = await withFolder("load", measure);
