import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measurePoint, type Point } from "./scale/measure.ts";
import { merge, parseMarkdown, renderMarkdown, tableOf } from "./scale/table.ts";
import { madeTable, withFolder } from "./shared.ts";

const PROGRAM = "dist/vibe-mcp.cjs";
const SETTLE_MS = 2500;
const PAGE = "docs/contributing/scale.md";

const HELP = `Usage: npm run scale -- [documents …] [options]

Measures the built server (${PROGRAM}) on generated workspaces of these sizes (default: 1000 10000 50000), and updates the
table of ${PAGE}. The other sizes in the table stay.

  --repeats <n>  Repeats of the short measurements (default: 7)
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repeats: { type: "string", default: "7" },
    help: { type: "boolean", default: false },
  },
});

async function measure(place: string): Promise<Point[]> {
  const program = join(place, "vibe-mcp.cjs");
  copyFileSync(PROGRAM, program);
  const points: Point[] = [];
  for (const documents of positionals.length === 0 ? [1000, 10_000, 50_000] : positionals.map(Number)) {
    const root = join(place, String(documents));
    mkdirSync(root);
    const options = { documents, repeats: Number(values.repeats), settle: SETTLE_MS };
    points.push(await measurePoint(program, root, options));
    console.log(JSON.stringify(points.at(-1)));
    rmSync(root, { recursive: true });
  }
  return points;
}

async function main(): Promise<void> {
  const made = madeTable(PAGE, "scale");
  const measured = tableOf(await withFolder("scale", measure));
  made.write(renderMarkdown(merge(parseMarkdown(made.text), measured)));
}

if (values.help) console.log(HELP);
else await main();
