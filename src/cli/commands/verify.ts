import { join } from "node:path";
import { removeBlob } from "../../core/history/blobs.ts";
import { type Verified, verifyHistory } from "../../core/history/verify.ts";
import { counted } from "../../core/lib/text.ts";
import { inspectPath } from "../../core/storage/inspect.ts";
import { agreedFiles } from "../../together/sync/commits.ts";
import { syncedOf } from "../../together/sync/settings.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { oneLine, painter, print, progressLine } from "../terminal.ts";

const LOST = {
  gone: "is gone, and its text is in no other note",
  empty: "is empty, and was not",
  zeros: "has zero bytes only, as after a power cut",
} as const;

/** Proves that nothing is lost, or says what is. */
export async function run(context: CommandContext): Promise<number> {
  const { config, options } = context;
  if (config.readOnly && options.has("fix")) throw readOnlyError();
  const show = progressLine(context);
  const { removed, ...found } = await verifyHistory(config.root, config.history, {
    onFile: (done, total) => show(done, total, "Checking"),
  });
  const dropped = options.has("fix") ? found.damaged : [];
  for (const hash of dropped) removeBlob(config.root, hash);
  const unsynced = await missingFromSync(context, removed);
  const lost =
    found.lines + found.damaged.length + found.missing.length + found.lost.length + unsynced.length;
  const answer = { ...found, unsynced, dropped: dropped.length, whole: lost === 0 };
  print(context, answer, report(context, answer));
  return lost === 0 ? 0 : 1;
}

/** What this machine and the remote agreed on last, and is not here, although nobody removed it here. */
async function missingFromSync({ config, machine }: CommandContext, removed: ReadonlySet<string>) {
  const missing: string[] = [];
  for (const { folder } of syncedOf(config.state, config.root)) {
    for (const path of await agreedFiles({ folder, env: machine.env }))
      if (!removed.has(path) && inspectPath(join(config.root, path)).kind === "missing") missing.push(path);
  }
  return missing;
}

type Answer = Omit<Verified, "removed"> & { unsynced: string[]; dropped: number; whole: boolean };

function report(context: CommandContext, found: Answer): string {
  const paint = painter(context);
  const { changes, bytes, lines, damaged, missing, outside, lost, unsynced, dropped, whole } = found;
  const size = (bytes / 2 ** 20).toFixed(1);
  const fix = dropped > 0 ? "dropped" : `to drop it: ${context.program} verify --fix`;
  const rows: [string, string][] = [
    ...outside.map(({ path, day }): [string, string] => ["outside", `${path}, about ${day}`]),
    ...(lines === 0 ? [] : [["damaged", `${counted(lines, "line")} of the log`] as [string, string]]),
    ...damaged.map((hash): [string, string] => ["damaged", `the old text ${hash.slice(0, 12)} (${fix})`]),
    ...missing.map(({ path, day }): [string, string] => ["missing", `the text of ${path} before ${day}`]),
    ...lost.map(({ path, day, state }): [string, string] => ["lost", `${path} ${LOST[state]} (last ${day})`]),
    ...unsynced.map((path): [string, string] => ["lost", `${path} was synced, and is not here`]),
  ];
  const texts = rows.map(
    ([state, text]) => `${paint(state === "outside" ? "yellow" : "red", state.padEnd(8))} ${oneLine(text)}\n`,
  );
  const verdict = whole ? "Nothing is lost" : "Not all is there";
  return `${texts.join("")}${verdict}: ${counted(changes, "change")}, ${size} MB of old texts.\n`;
}
