import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { UsageError } from "../src/config.ts";
import { measureBoosts, OWN_NOW, OWN_QUERIES, withOwnSet } from "./quality/own.ts";
import { type Judged, readQueries } from "./quality/queries.ts";
import { renderMisses, renderReport, renderSideBySide, reportOf } from "./quality/report.ts";
import { type Answered, runQueries } from "./quality/run.ts";
import { type MeasureOptions, withWorkspace } from "./quality/workspace.ts";

const HELP = `Usage: npm run quality -- [options]

Asks judged questions of a workspace and reports how high the right documents come. The index is built anew in memory:
nothing is written. Without --root and --queries it takes the set of this repository (test/quality/).

  --root <folder>      The workspace
  --queries <file>     The questions, one JSON object per line: query, relevant (paths), and if wanted id, class, ignore
  --boost <0..1>       The power of the boosts (what users get)
  --limit-queries <n>  Only the first so many of each class
  --misses             Also list the questions whose right document was not first
  --json               Print the figures as JSON
  --help
`;

const POWERS = [
  { name: "no boosts", boost: 0 },
  { name: "what users get", boost: undefined },
  { name: "in full", boost: 1 },
];

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      root: { type: "string" },
      queries: { type: "string" },
      boost: { type: "string" },
      "limit-queries": { type: "string" },
      misses: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return say(HELP);
  const { root, queries, ...rest } = values;
  const settings = {
    boost: fraction("--boost", values.boost),
    limit: wholeNumber("--limit-queries", rest["limit-queries"]) ?? Number.POSITIVE_INFINITY,
    ...{ misses: rest.misses, json: rest.json },
  };
  if (root === undefined && queries === undefined)
    return withOwnSet((folder) => measureOwn(folder, settings));
  if (root === undefined || queries === undefined) throw new UsageError("--root and --queries go together");
  const answers = await ask({ root: resolve(root), now: new Date() }, resolve(queries), settings);
  return settings.json ? say(toJson(reportOf(answers))) : say(asText(answers, settings));
}

interface Settings {
  boost: number | undefined;
  /** Of each class. */
  limit: number;
  misses: boolean;
  json: boolean;
}

async function measureOwn(root: string, settings: Settings): Promise<number> {
  const answers = await ask({ root, now: OWN_NOW }, OWN_QUERIES, settings);
  const reports = await measureBoosts(
    root,
    POWERS.map(({ boost }) => boost),
  );
  const boosts = reports.map((report, at) => ({ name: POWERS[at]?.name ?? "", report }));
  if (settings.json) return say(toJson({ ...reportOf(answers), boosts }));
  return say(
    `${asText(answers, settings)}\nWhich of two that say nearly the same:\n\n${renderSideBySide(boosts)}`,
  );
}

async function ask(
  place: Omit<MeasureOptions, "boost">,
  file: string,
  { boost, limit }: Settings,
): Promise<Answered[]> {
  const queries = firstOfEach(readQueries(file, place.root), limit);
  return withWorkspace({ ...place, boost }, (workspace) => runQueries(workspace, queries));
}

function asText(answers: readonly Answered[], { misses }: Settings): string {
  return renderReport(reportOf(answers)) + (misses ? renderMisses(answers) : "");
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new UsageError(`${name} takes a whole number from 1 on, not ${JSON.stringify(text)}`);
}

function fraction(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= 0 && value <= 1) return value;
  throw new UsageError(`${name} takes a number from 0 to 1, not ${JSON.stringify(text)}`);
}

function firstOfEach(queries: readonly Judged[], limit: number): Judged[] {
  const taken = new Map<string, number>();
  return queries.filter(({ class: name }) => {
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count <= limit;
  });
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

/** What was typed wrong takes one line and exit code 2; anything else is a defect and shows where. */
function fail(error: unknown): number {
  const isWrongFlag = error instanceof TypeError && "code" in error;
  if (!(error instanceof UsageError || isWrongFlag)) throw error;
  process.stderr.write(`quality: ${error.message.split("\n")[0]}\n`);
  return 2;
}

process.exitCode = await main().catch(fail);
