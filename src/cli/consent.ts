import type { Config } from "../core/config/options.ts";
import { removeTree } from "../core/storage/folders.ts";
import { inspectPath } from "../core/storage/inspect.ts";
import { ownFile, writeOwnFile } from "../core/storage/own-file.ts";
import { clientStates } from "../setup/clients/client-state.ts";
import type { CommandContext } from "./command.ts";
import { confirm, notify, oneLine, say } from "./terminal.ts";

type Place = Pick<Config, "state" | "root">;

const FOLDER = "capture";

/** What hooks do after a yes. */
export const KEPT = [
  "When a session ends, and before it is compacted, a hook keeps what it was about in the project's session note: what you asked, the agent's last words,",
  "changed files, commits, failed commands, tasks and tokens. What looks like a secret is masked. Nothing leaves this machine, unless you share the notes.",
].join("\n");

/** Whether a person agreed that hooks keep sessions in the notes of this root. A clone or another machine brings no yes along. */
export function isCaptureOn(place: Place): boolean {
  return inspectPath(ownFile(place, FOLDER)).kind === "file";
}

/** Writes down the yes, or removes it; returns whether that changed anything. Throws FILESYSTEM_ERROR. */
export async function setCapture(place: Place, on: boolean): Promise<boolean> {
  if (isCaptureOn(place) === on) return false;
  if (on) await writeOwnFile(ownFile(place, FOLDER), `${place.root}\n`);
  else removeTree(ownFile(place, FOLDER));
  return true;
}

/** Asks once whether the hooks of an installed plugin shall keep sessions; only an answer counts, not `--yes`. */
export async function offerCapture(context: CommandContext): Promise<void> {
  const { config, machine } = context;
  const hasPlugin = clientStates(machine, config).some(({ plugin }) => plugin !== undefined);
  if (!hasPlugin || config.readOnly || isCaptureOn(config)) return;
  if (!(await confirm(context, `${KEPT}\nKeep your sessions in ${oneLine(config.root)}? [y/N] `)))
    return notify(
      context,
      `To have the plugin's hooks keep what your sessions were about: ${context.program} capture --on\n`,
    );
  await setCapture(config, true);
  say(context, onLine(context));
}

export function onLine({ config, program }: CommandContext): string {
  return `On: sessions are kept in ${oneLine(config.root)}. Off again: ${program} capture --off`;
}
