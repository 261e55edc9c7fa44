import { UsageError } from "../src/core/config/options.ts";
import { measureExtras, renderExtras } from "./quality/extras.ts";
import { OWN_NOW, OWN_QUERIES, withOwnSet } from "./quality/own.ts";
import { readQueries } from "./quality/queries.ts";
import { renderMisses, renderReport, reportOf } from "./quality/report.ts";
import { type MeasureOptions, type QueryResult, runQueries, withWorkspace } from "./quality/run.ts";
import { measureSet } from "./quality/sets.ts";
import { HELP, readSettings, type Settings } from "./quality/settings.ts";
import { say, toJson } from "./shared.ts";

type Place = Omit<MeasureOptions, "boost">;

async function main(): Promise<number> {
  const settings = readSettings(process.argv.slice(2));
  if (settings.help) return say(HELP);
  if (settings.set !== undefined) return say(await measureSet(settings.set, settings.data));
  return measure(settings);
}

async function measure(settings: Settings): Promise<number> {
  const { root, queries } = settings;
  if (root === undefined || queries === undefined)
    return withOwnSet((own) => ask({ root: own, now: OWN_NOW }, OWN_QUERIES, settings));
  return ask({ root, now: new Date() }, queries, settings);
}

async function ask(place: Place, file: string, settings: Settings): Promise<number> {
  const { boost, explain, json } = settings;
  const queries = readQueries(file, place.root);
  return withWorkspace({ ...place, boost }, async (workspace) => {
    const answers = await runQueries(workspace, queries, explain);
    const extras = await measureExtras(workspace, answers, file === OWN_QUERIES);
    return say(
      json ? toJson({ ...reportOf(answers), extras }) : asText(answers, settings) + renderExtras(extras),
    );
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
