import { listForeignJournals, setForeignJournalsAside } from "../../history/journal.ts";
import { verifyHistory } from "../../history/verify.ts";
import { counted } from "../../lib/text.ts";
import { attempt, reasonOf } from "../../storage/fs-errors.ts";
import { type DoctorContext, type Finding, note, ok, problem } from "./finding.ts";

/** How large the history is, what of it cannot be read, and what others left interrupted. */
export async function checkHistory(context: DoctorContext): Promise<Finding[]> {
  return [await checkLog(context), ...checkJournal(context)];
}

/** The newest texts and files, which doctor reads; `verify` reads all. */
const MOST = 1000;

async function checkLog({ config, program }: DoctorContext): Promise<Finding> {
  try {
    const found = await verifyHistory(config.root, config.history, { most: MOST });
    const { changes, bytes, lines, damaged, missing, outside, lost } = found;
    const size = (bytes / 2 ** 20).toFixed(1);
    const state = config.history.on ? "" : " Nothing is recorded: it is switched off.";
    const others =
      outside.length === 0
        ? ""
        : ` ${counted(outside.length, "change")} of other programs are missing from it.`;
    const message = `${counted(changes, "change")} can be looked up, with ${size} MB of old texts.${others}${state}`;
    const parts = [
      lines + damaged.length === 0
        ? []
        : `Damaged: ${counted(lines, "line")} and ${counted(damaged.length, "text")}.`,
      missing.length === 0 ? [] : `Missing: ${counted(missing.length, "old text")}.`,
      lost.length === 0 ? [] : `${counted(lost.length, "file")} lost what was written.`,
    ].flat();
    if (parts.length === 0) return ok("history", message);
    const remedy = `${lost.length === 0 ? "No document is affected. " : ""}All of it: ${program} verify`;
    return note("history", `${message} ${parts.join(" ")}`, remedy);
  } catch (error) {
    const remedy = "Until that is fixed, changes of existing files are refused; --history off does without.";
    return note("history", `The history cannot be read: ${reasonOf(error)}.`, remedy);
  }
}

function checkJournal({ config, clock, program }: DoctorContext): Finding[] {
  const { root, state } = config;
  // A folder that cannot be read is a finding of its own.
  const count = attempt(() => listForeignJournals(root, state))?.length ?? 0;
  if (count === 0) return [];
  const message = `${counted(count, "interrupted change")} of another machine, user or version: not undone here.`;
  const remedy = `A server there undoes it with its next write. To set aside what is older than an hour: ${program} doctor --fix`;
  const fix = () => setForeignJournalsAside(root, state, clock.now().getTime());
  return [problem("history", message, remedy, fix)];
}
