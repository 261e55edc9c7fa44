import { userInfo } from "node:os";
import { UsageError } from "../core/config/options.ts";
import { git } from "../core/git/ask-git.ts";
import type { CommandContext } from "./command.ts";

/** The name under which a person holds tasks: `--agent`, else git's, else that of the account; undefined if there is none. */
export async function agentName({ options, machine }: CommandContext): Promise<string | undefined> {
  const { env, folder } = machine;
  const given = options.text("agent") ?? (await git(machine, folder, ["config", "--get", "user.name"]));
  return given?.trim() || accountName() || env["USER"] || env["USERNAME"] || undefined;
}

/** The name under which a person holds tasks. Throws UsageError if there is none. */
export async function requireAgentName(context: CommandContext): Promise<string> {
  const name = await agentName(context);
  if (name !== undefined) return name;
  throw new UsageError("this account has no name: add one, for example: --agent ana");
}

/** A container may run under a number that no account has. */
function accountName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
