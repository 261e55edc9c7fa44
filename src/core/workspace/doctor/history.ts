import { listBlobs, readBlob } from "../../history/blobs.ts";
import { listForeignJournals, setForeignJournalsAside } from "../../history/journal.ts";
import { readBackwards } from "../../history/read-log.ts";
import { counted } from "../../lib/text.ts";
import { attempt, reasonOf } from "../../storage/fs-errors.ts";
import { type DoctorContext, type Finding, note, ok, problem } from "./finding.ts";

/** How large the history is, what of it cannot be read, and what others left interrupted. */
export async function checkHistory(context: DoctorContext): Promise<Finding[]> {
  return [await checkLog(context), ...checkJournal(context)];
}

async function checkLog({ config, program }: DoctorContext): Promise<Finding> {
  try {
    const { changes, damaged } = await countChanges(config.root);
    const blobs = await listBlobs(config.root);
    const broken = blobs.filter(({ hash }) => readBlob(config.root, hash) === "damaged").length;
    const size = (blobs.reduce((sum, blob) => sum + blob.size, 0) / 1024 / 1024).toFixed(1);
    const state = config.history.on ? "" : " Nothing is recorded: it is switched off.";
    const message = `${counted(changes, "change")} can be looked up, with ${size} MB of old texts.${state}`;
    if (damaged + broken === 0) return ok("history", message);
    const parts = `${counted(damaged, "line")} and ${counted(broken, "text")}`;
    const remedy = `No document is affected. To start a new history: ${program} history --purge`;
    return note("history", `${message} Damaged: ${parts}.`, remedy);
  } catch (error) {
    const remedy = "Until that is fixed, changes of existing files are refused; --history off does without.";
    return note("history", `The history cannot be read: ${reasonOf(error)}.`, remedy);
  }
}

async function countChanges(root: string): Promise<{ changes: number; damaged: number }> {
  let [changes, damaged] = [0, 0];
  const onDamage = () => void damaged++;
  for await (const _ of readBackwards(root, { onDamage })) changes++;
  return { changes, damaged };
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
