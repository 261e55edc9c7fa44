import { userInfo } from "node:os";
import { UsageError } from "../config/options.ts";
import type { CommandContext } from "./command.ts";

/** The name under which a person holds tasks: `--agent`, else that of the account; undefined if it has none. */
export function agentName({ options, machine: { env } }: CommandContext): string | undefined {
  return options.text("agent") ?? (accountName() || env["USER"] || env["USERNAME"] || undefined);
}

/** The name under which a person holds tasks. Throws UsageError if there is none. */
export function requireAgentName(context: CommandContext): string {
  const name = agentName(context);
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
