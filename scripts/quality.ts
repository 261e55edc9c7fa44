import { UsageError } from "../src/config/options.ts";
import { measureExtras, renderExtras } from "./quality/extras.ts";
import { measureBoosts, OWN_NOW, OWN_QUERIES, withOwnSet } from "./quality/own.ts";
import { readQueries } from "./quality/queries.ts";
import { renderMisses, renderReport, renderSideBySide, reportOf } from "./quality/report.ts";
import { type MeasureOptions, type QueryResult, runQueries, withWorkspace } from "./quality/run.ts";
import { measureSet } from "./quality/sets.ts";
import { HELP, readSettings, type Settings } from "./quality/settings.ts";
import { say, toJson } from "./shared.ts";

const STRENGTHS = [
  { name: "no boosts", boost: 0 },
  { name: "default", boost: undefined },
  { name: "full boosts", boost: 1 },
];

type Place = Omit<MeasureOptions, "boost">;

async function main(): Promise<number> {
  const settings = readSettings(process.argv.slice(2));
  if (settings.help) return say(HELP);
  if (settings.set !== undefined) return say(await measureSet(settings.set, settings.data));
  return measure(settings);
}

async function measure(settings: Settings): Promise<number> {
  const { root, queries } = settings;
  if (root === undefined && queries === undefined) return withOwnSet((own) => measureOwn(own, settings));
  if (root === undefined || queries === undefined) throw new UsageError("--root and --queries go together");
  const { answers, extras } = await ask({ root, now: new Date() }, queries, settings);
  if (settings.json) return say(toJson({ ...reportOf(answers), extras }));
  return say(asText(answers, settings) + renderExtras(extras));
}

async function measureOwn(root: string, settings: Settings): Promise<number> {
  const { answers, extras } = await ask({ root, now: OWN_NOW }, OWN_QUERIES, settings);
  const reports = await measureBoosts(
    root,
    STRENGTHS.map(({ boost }) => boost),
  );
  const boosts = reports.map((report, at) => ({ name: STRENGTHS[at]?.name ?? "", report }));
  if (settings.json) return say(toJson({ ...reportOf(answers), extras, boosts }));
  return say(
    `${asText(answers, settings)}${renderExtras(extras)}\nChoosing between near-identical documents:\n\n${renderSideBySide(boosts)}`,
  );
}

async function ask(place: Place, file: string, { boost, explain }: Settings) {
  const queries = readQueries(file, place.root);
  return withWorkspace({ ...place, boost }, async (workspace) => {
    const answers = await runQueries(workspace, queries, explain);
    const isOwn = file === OWN_QUERIES;
    return { answers, extras: await measureExtras(workspace, answers, isOwn) };
  });
}

function asText(answers: readonly QueryResult[], { misses, explain }: Settings): string {
  return renderReport(reportOf(answers)) + (misses || explain ? renderMisses(answers) : "");
}

/** A usage error is one line and exit code 2; anything else is a bug and shows its stack. */
function fail(error: unknown): number {
  const isWrongFlag = error instanceof TypeError && "code" in error;
  if (!(error instanceof UsageError || isWrongFlag)) throw error;
  process.stderr.write(`quality: ${error.message.split("\n")[0]}\n`);
  return 2;
}

process.exitCode = await main().catch(fail);
