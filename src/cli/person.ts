import { userInfo } from "node:os";
import { UsageError } from "../config/options.ts";
import type { CommandContext } from "./command.ts";

/** The name under which a person holds tasks: `--agent`, else that of the account. Throws UsageError if there is none. */
export function agentName({ options, machine: { env } }: CommandContext): string {
  const name = options.text("agent") ?? (accountName() || env["USER"] || env["USERNAME"]);
  if (name) return name;
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
