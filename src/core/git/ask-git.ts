import { type Environment, runGit } from "./run-git.ts";

const MAX_MS = 3_000;
/** A call of a tool waits for it. */
const MAX_MS_IN_A_CALL = 1_000;
/** An answer that is larger is none to these questions. */
const MAX_BYTES = 16 * 2 ** 20;

/** Asks git about a folder of the user's, with a text on its stdin. */
export type Git = (folder: string, args: readonly string[], input?: string) => Promise<string | undefined>;

/** What git printed, without the last line break; undefined if there is no git, it failed, or it took too long. */
export async function git(
  { env, ms = MAX_MS, signal }: { env: Environment; ms?: number; signal?: AbortSignal },
  folder: string,
  args: readonly string[],
  input?: string,
): Promise<string | undefined> {
  try {
    const { status, stdout } = await runGit({ env, folder }, args, {
      input,
      ms,
      signal,
      maxBytes: MAX_BYTES,
    });
    return status === 0 ? stdout.toString("utf8").replace(/\r?\n$/, "") : undefined;
  } catch {
    // Without an answer, the caller goes on as without git.
    return undefined;
  }
}

export function gitInCalls({ env }: { env: Environment }): Git {
  return (folder, args, input) => git({ env, ms: MAX_MS_IN_A_CALL }, folder, args, input);
}
