import { patchedFiles } from "./commands.ts";
import type { Call } from "./fact.ts";

/** What a line for the shell does: Codex may give a patch to a program of its own. */
export function shellCall(command: string): Call {
  const files = command.includes("*** Begin Patch") ? patchedFiles(command) : [];
  return files.length > 0 ? { files } : { command };
}
