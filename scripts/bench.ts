import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { isOver, type Row, renderTable } from "./bench/report.ts";
import { type BenchOptions, runBench } from "./bench/run.ts";
import { PROGRAM, say, toJson, wholeNumber, withFolder } from "./shared.ts";

/** The server re-reads a file that was indexed within two seconds of its last change. */
const SETTLE_MS = 2100;

const HELP = `Usage: npm run bench -- [documents] [options]

Measures the built server (dist/vibe-mcp.cjs) and the sources on a generated workspace in the temporary
folder. Each figure is a ratio to a reference that is measured in alternation with it. ripgrep is measured too, if installed.

  documents       Documents to generate (default: 10000)
  --seed <n>      Seed of the documents (default: 1)
  --repeats <n>   Repeats of each measurement; the median is reported (default: 15)
  --builds <n>    Cold builds of the index (default: 1)
  --json <file>   Also write the figures as JSON
  --strict        Exit with 1 if a target is missed
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: "string", default: "1" },
      repeats: { type: "string", default: "15" },
      builds: { type: "string", default: "1" },
      json: { type: "string" },
      strict: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return say(HELP);
  const options: BenchOptions = {
    documents: wholeNumber("documents", positionals[0] ?? "10000"),
    seed: wholeNumber("--seed", values.seed),
    repeats: wholeNumber("--repeats", values.repeats),
    builds: wholeNumber("--builds", values.builds),
    settle: SETTLE_MS,
    say: (progress) => process.stderr.write(`${progress}\n`),
  };
  const rows = await withFolder("bench", (place) => runBench(PROGRAM, place, options));
  say(`\n${renderTable(rows)}`);
  if (values.json !== undefined) writeFileSync(values.json, reportOf(options, rows));
  return values.strict && rows.some(isOver) ? 1 : 0;
}

function reportOf({ documents, seed, repeats }: BenchOptions, rows: readonly Row[]): string {
  const machine = { node: process.version, platform: process.platform, arch: process.arch };
  return toJson({ documents, seed, repeats, machine, rows });
}

process.exitCode = await main();
