import { counted } from "../../lib/text.ts";
import { reasonOf } from "../../storage/fs-errors.ts";
import { listBlobs, readBlob } from "../../storage/history-blobs.ts";
import { readLog } from "../../storage/history-log.ts";
import { type DoctorContext, type Finding, note, ok } from "./finding.ts";

/** How large the history is, and what of it cannot be read. */
export function checkHistory({ config, program }: DoctorContext): Finding {
  try {
    const { operations, damaged } = readLog(config.root);
    const blobs = listBlobs(config.root);
    const broken = blobs.filter(({ hash }) => readBlob(config.root, hash) === "damaged").length;
    const size = (blobs.reduce((sum, blob) => sum + blob.size, 0) / 1024 / 1024).toFixed(1);
    const state = config.history.on ? "" : " Nothing is recorded: it is switched off.";
    const message = `${counted(operations.length, "change")} can be looked up, with ${size} MB of old texts.${state}`;
    if (damaged + broken === 0) return ok("history", message);
    const parts = `${counted(damaged, "line")} and ${counted(broken, "text")}`;
    const remedy = `No document is affected. To start a new history: ${program} history --purge`;
    return note("history", `${message} Damaged: ${parts}.`, remedy);
  } catch (error) {
    const remedy = "Until that is fixed, changes of existing files are refused; --history off does without.";
    return note("history", `The history cannot be read: ${reasonOf(error)}.`, remedy);
  }
}
