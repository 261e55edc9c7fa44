import { UsageError } from "../../config/options.ts";
import { localDateTime } from "../../lib/clock.ts";
import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import { counted, nearest } from "../../lib/text.ts";
import { listedVersion } from "../../mcp/tools/history.ts";
import { presentBytes } from "../../storage/change-file.ts";
import { purge } from "../../storage/history-prune.ts";
import { projectOf } from "../../workspace/history.ts";
import { listVersions, otherPaths, recordedPath, type Version } from "../../workspace/history-versions.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { projectHereIfAny, withWorkspace } from "../resolve-project.ts";
import { confirm, notify, oneLine, painter, print, quoted } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { config, options, words } = context;
  const [word] = words;
  if (options.has("purge")) return runPurge(context, word);
  const project = projectHereIfAny(context, options.text("project"));
  const filter = word === undefined ? { project } : { path: findPath(context, word) };
  const all = listVersions(config.root, filter);
  const shown = all.slice(0, options.number("limit") ?? 10);
  const answer = { total: all.length, versions: shown.map((one) => listedVersion(config.root, one)) };
  print(context, answer, report(context, shown));
  const rest = all.length - shown.length;
  if (all.length === 0)
    notify(context, `There is no history ${word === undefined ? "" : `of ${oneLine(word)} `}yet.\n`);
  else if (rest > 0) notify(context, `${rest} more: --limit ${all.length}\n`);
  const from = word === undefined ? undefined : all.at(-1)?.moved_from;
  if (from !== undefined) notify(context, `Before the move: ${context.program} history ${quoted(from)}\n`);
  if (all.length > 0) notify(context, `Undo the newest change: ${context.program} undo\n`);
  return 0;
}

/** A path in the history or on disk: as typed, or below the current project, with or without `.md`. */
function findPath(context: CommandContext, word: string): string {
  const typed = word.replace(/^\.?\//, "");
  const project = projectHereIfAny(context, context.options.text("project"));
  const versions = listVersions(context.config.root, {});
  const places = [typed, ...(project === undefined ? [] : [`${project}/${typed}`])];
  const recorded = places.flatMap((place) => recordedPath(place, versions) ?? []);
  const isThere = (path: string) => presentBytes(context.config.root, path) !== null;
  const found = recorded[0] ?? places.flatMap((place) => [place, `${place}.md`]).find(isThere);
  if (found !== undefined) return found;
  const paths = [...new Set(versions.map(({ path }) => path))];
  const message = `${quoteName(word)} has no history. Run \`${context.program} history\` to see what has one.`;
  throw new UserError("FILE_NOT_FOUND", message, { details: { suggestions: nearest(word, paths) } });
}

function report(context: CommandContext, versions: readonly Version[]): string {
  const paint = painter(context);
  const width = Math.max(...versions.map(({ path }) => oneLine(path).length));
  const lines = versions.map(({ time, change, path, tool, client, version }) => {
    const by = `${oneLine(tool)} (${oneLine(client)})`;
    return `${dateOf(time)}  ${change.padEnd(8)}  ${oneLine(path).padEnd(width)}  ${by}  ${paint("dim", version)}\n`;
  });
  return lines.join("");
}

/** In local time, to the second. */
export function dateOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "(no date)" : localDateTime(date).replace("T", " ");
}

async function runPurge(context: CommandContext, word: string | undefined): Promise<number> {
  const { config, options } = context;
  if (config.readOnly) throw readOnlyError();
  if (word === undefined && options.text("project") !== undefined)
    throw new UsageError("--purge takes a document, or removes all history: leave out --project");
  const path = word === undefined ? undefined : findPath(context, word);
  const count = listVersions(config.root, { path }).length;
  const others = path === undefined ? [] : otherPaths(path, listVersions(config.root, {}));
  const what = `${counted(count, "change")}${path === undefined ? "" : ` of ${oneLine(path)}`}`;
  const question = `Remove the history of ${what}? It cannot be undone afterwards. [y/N] `;
  const isAgreed = options.has("yes") || (await confirm(context, question));
  if (isAgreed)
    await withWorkspace(context, (workspace) =>
      workspace.lockedAll(path === undefined ? [] : [projectOf(path)], () => purge(workspace.root, path)),
    );
  const text = isAgreed ? `Removed the history of ${what}.` : "Nothing removed. To remove it, add --yes";
  print(context, { path: path ?? null, changes: count, removed: isAgreed }, `${text}\n`);
  for (const other of others)
    notify(context, `It was also ${oneLine(other)}: ${context.program} history --purge ${quoted(other)}\n`);
  return isAgreed ? 0 : 1;
}
