import { UsageError } from "../../core/config/options.ts";
import { purgeHistory } from "../../core/history/interrupted.ts";
import {
  listVersions,
  otherPaths,
  recordedPath,
  recordedPaths,
  type Version,
} from "../../core/history/versions.ts";
import { localDateTime } from "../../core/lib/clock.ts";
import { UserError } from "../../core/lib/errors.ts";
import { quoteName } from "../../core/lib/escape.ts";
import { counted, nearest } from "../../core/lib/text.ts";
import { listedVersion } from "../../core/mcp/tools/history.ts";
import type { Writer } from "../../core/notes/writer.ts";
import { presentContent } from "../../core/storage/change-file.ts";
import { historyPath } from "../../core/workspace/find/history-path.ts";
import { syncedOf } from "../../together/sync/settings.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { undoCommand, yesCommand } from "../next-commands.ts";
import { projectHereIfAny, withWorkspace } from "../resolve-project.ts";
import { agreed, notify, oneLine, painter, print, quoted } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { config, options, words } = context;
  const [word] = words;
  if (options.has("purge")) return runPurge(context, word);
  const project = projectHereIfAny(context, options.text("project"));
  const filter = word === undefined ? { project } : { path: await findPath(context, word) };
  const limit = options.number("limit") ?? 10;
  const { versions, total, hasMore } = await listVersions(config, filter, { limit });
  const answer = {
    ...(total !== undefined && { total }),
    versions: versions.map((one) => listedVersion(config.root, one)),
  };
  print(context, answer, report(context, versions));
  if (versions.length === 0)
    notify(context, `There is no history ${word === undefined ? "" : `of ${oneLine(word)} `}yet.\n`);
  else if (hasMore)
    notify(
      context,
      total === undefined ? "Many more: --limit 10000\n" : `${total - limit} more: --limit ${total}\n`,
    );
  const from = word === undefined || hasMore ? undefined : versions.at(-1)?.moved_from;
  if (from !== undefined) notify(context, `Before the move: ${context.program} history ${quoted(from)}\n`);
  const [newest] = versions;
  if (newest !== undefined)
    notify(context, `Undo the newest of these: ${undoCommand(context, [newest.change])}\n`);
  return 0;
}

/** A path in the history or on disk, by any name of the document. */
async function findPath(context: CommandContext, word: string): Promise<string> {
  const { root } = context.config;
  const project = projectHereIfAny(context, context.options.text("project"));
  const path = await historyPath(root, { path: word, project });
  if (presentContent(root, path) !== null || (await recordedPath(root, path)) !== undefined) return path;
  const message = `${quoteName(word)} has no history. Run \`${context.program} history\` to see what has one.`;
  const suggestions = nearest(word, await recordedPaths(root));
  throw new UserError("FILE_NOT_FOUND", message, { details: { suggestions } });
}

function report(context: CommandContext, versions: readonly Version[]): string {
  const paint = painter(context);
  const width = Math.max(...versions.map(({ path }) => oneLine(path).length));
  const lines = versions.map((one) => {
    const { time, kind, path, change } = one;
    return `${dateOf(time)}  ${kind.padEnd(8)}  ${oneLine(path).padEnd(width)}  ${authorOf(one)}  ${paint("dim", change)}\n`;
  });
  return lines.join("");
}

/** The command that a person typed, or the tool that an agent called. */
export function authorOf({ tool, client, agent, person }: Writer & { tool: string }): string {
  if (person === true) return oneLine(client);
  const who = agent === undefined || agent === client ? client : `${agent}, ${client}`;
  return `${oneLine(tool)} (${oneLine(who)})`;
}

/** In local time, to the second. */
export function dateOf(time: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "(no date)" : localDateTime(date).replace("T", " ");
}

/** The index is made anew, since an old one has words that are gone. */
async function purge(context: CommandContext, path: string | undefined): Promise<void> {
  const config = { ...context.config, reindex: true };
  await withWorkspace({ ...context, config }, async ({ history, index }) => {
    await purgeHistory(history, path);
    await index.query(() => {});
  });
  for (const { folder } of syncedOf(config.state, config.root)) {
    const copies = `in ${oneLine(folder)}/notes.git and at the remote`;
    const text = `Git keeps older versions of synced notes, ${copies}: rewrite the branch there, then remove that folder and run sync --setup again.\n`;
    notify(context, text);
  }
}

async function runPurge(context: CommandContext, word: string | undefined): Promise<number> {
  const { config, options } = context;
  if (config.readOnly) throw readOnlyError();
  if (word === undefined && options.text("project") !== undefined)
    throw new UsageError("--purge takes a document, or removes all history: leave out --project");
  const path = word === undefined ? undefined : await findPath(context, word);
  const { versions } = await listVersions(config, {});
  const count = versions.filter((one) => path === undefined || one.path === path).length;
  const others = path === undefined ? [] : otherPaths(path, versions);
  const what = `${counted(count, "change")}${path === undefined ? "" : ` of ${oneLine(path)}`}`;
  const question = `Remove the history of ${what}? It cannot be undone afterwards. [y/N] `;
  const isAgreed = await agreed(context, question);
  if (isAgreed) await purge(context, path);
  const text = isAgreed
    ? `Removed the history of ${what}.`
    : `Nothing removed. To remove it: ${yesCommand(context)}`;
  print(context, { path: path ?? null, changes: count, removed: isAgreed }, `${text}\n`);
  for (const other of others)
    notify(context, `It was also ${oneLine(other)}: ${context.program} history --purge ${quoted(other)}\n`);
  return isAgreed ? 0 : 1;
}
