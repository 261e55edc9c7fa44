import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { draw } from "./scale/draw.ts";
import { measurePoint, type Point } from "./scale/measure.ts";
import { merge, parseMarkdown, renderMarkdown, tableOf } from "./scale/table.ts";
import { madeTable, withFolder } from "./shared.ts";

const PROGRAM = "dist/vibe-mcp.cjs";
const SETTLE_MS = 2500;
const [PAGE, PICTURE] = ["docs/contributing/scale.md", "docs/contributing/scale.svg"];

const HELP = `Usage: npm run scale -- [documents …] [options]

Measures the built server (${PROGRAM}) on generated workspaces of these sizes (default: 1000 10000 50000), and updates the
table of ${PAGE} and its picture. The other sizes in the table stay.

  --repeats <n>  Repeats of the short measurements (default: 7)
  --draw         Measure nothing, only redraw the picture from the table
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repeats: { type: "string", default: "7" },
    draw: { type: "boolean", default: false },
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
  const earlier = parseMarkdown(made.text);
  const table = values.draw ? earlier : merge(earlier, tableOf(await withFolder("scale", measure)));
  made.write(renderMarkdown(table));
  writeFileSync(PICTURE, draw(table));
}

if (values.help) console.log(HELP);
else await main();
