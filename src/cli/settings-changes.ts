import { basename, dirname } from "node:path";
import { realPath } from "../core/storage/folders.ts";
import { applyPlan, hasChanges, type SettingsPlan } from "../setup/clients/plan.ts";
import type { Change } from "../setup/clients/request.ts";
import type { CommandContext } from "./command.ts";
import { agreed, oneLine, paintedDiff, say } from "./terminal.ts";

/** What became of a change, as `--json` prints it. */
export interface Outcome {
  file: string;
  changed: boolean;
  written: boolean;
  backup: string | null;
  diff: string[];
}

/** The answer to it is yes if a person only presses Enter. */
export function connectQuestion(title: string): string {
  return `Connect ${title}? [Y/n] `;
}

/** Shows the diffs, asks once (not with `--yes`), and writes them. */
export async function writeChanges(
  context: CommandContext,
  changes: readonly Change[],
  question?: string,
): Promise<Outcome[]> {
  const pending = changes.filter(({ plan }) => hasChanges(plan));
  for (const { plan, diff } of pending)
    say(context, [`${oneLine(plan.shown)}${fileNote(plan)}`, ...paintedDiff(context, diff)].join("\n"));
  const names = pending.map(({ plan }) => oneLine(plan.shown)).join(", ");
  const isAgreed = names !== "" && (await agreed(context, question ?? `Write ${names}? [y/N] `));
  const outcomes: Outcome[] = [];
  for (const { plan, diff } of changes) {
    const changed = hasChanges(plan);
    const written = changed && isAgreed;
    const backup = written ? await write(context, plan) : null;
    outcomes.push({ file: plan.before.file, changed, written, backup, diff });
  }
  return outcomes;
}

async function write(context: CommandContext, plan: SettingsPlan): Promise<string | null> {
  const backup = await applyPlan(plan);
  const copy = backup === undefined ? "" : ` Backup: ${oneLine(shownBackup(plan, backup))}`;
  say(context, `${plan.after === undefined ? "Removed" : "Wrote"} ${oneLine(plan.shown)}.${copy}`);
  return backup ?? null;
}

/** As the settings themselves are shown, unless links lead to another folder. */
function shownBackup({ before, shown }: SettingsPlan, backup: string): string {
  if (realPath(dirname(before.place.file)) !== dirname(backup)) return backup;
  return `${shown.slice(0, shown.length - basename(before.place.file).length)}${basename(backup)}`;
}

function fileNote({ before, after }: SettingsPlan): string {
  if (before.bytes === undefined) return " (new)";
  return after === undefined ? " (will be removed: it holds nothing else)" : "";
}
