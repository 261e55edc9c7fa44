import { UserError } from "../core/lib/errors.ts";
import { createAgain } from "../core/mcp/again.ts";
import { parseArguments } from "../core/mcp/arguments.ts";
import { createPartsRead } from "../core/mcp/parts-read.ts";
import type { Tool } from "../core/mcp/tool.ts";
import { withLines } from "../core/mcp/written-lines.ts";
import { createCurrentProject } from "../core/workspace/place/current-project.ts";
import { openVault } from "../core/workspace/vault.ts";
import { AutoSync } from "../together/sync/auto-sync.ts";
import type { CommandContext } from "./command.ts";
import { projectSources, withWorkspace } from "./resolve-project.ts";
import { notify } from "./terminal.ts";

type Answer<T extends Tool> = Awaited<ReturnType<T["handle"]>>;

/** Runs a tool as the server does: the same checks, the same answer, the same errors. */
export async function callTool<T extends Tool>(
  context: CommandContext,
  tool: T,
  { args }: { args: Record<string, unknown> },
): Promise<Answer<T>> {
  const { config } = context;
  if (config.readOnly && tool.access === "write") throw readOnlyError();
  const meant = withLines(tool.name, args);
  if (meant.said !== undefined) notify(context, `${meant.said}\n`);
  const checked = parseArguments(tool, meant.args);
  return withWorkspace(context, async (workspace): Promise<Answer<T>> => {
    if (config.sync === "auto" && tool.access === "write") {
      const { log, machine } = context;
      workspace.sharing = new AutoSync({ workspace, state: config.state, env: machine.env, log });
    }
    const vault = openVault({ config, workspace });
    // Ctrl+C ends the process itself.
    const { signal } = new AbortController();
    const current = createCurrentProject({ workspace, follow: () => {} }, projectSources(context));
    const parts = createPartsRead();
    const again = createAgain(() => workspace.clock.now());
    const run = () =>
      tool.handle(checked, {
        workspace,
        vault,
        signal,
        current,
        parts,
        again,
        say: (text) => text,
      });
    const agent = context.options.text("agent");
    const isPerson = agent === undefined;
    const client = `vibe-mcp ${context.command}`;
    const takesBack = (id: string) => `vibe-mcp undo ${id} takes that back`;
    const actor = { tool: tool.name, client, agent, isPerson, takesBack };
    const answer: unknown = await workspace.history.acting(actor, run);
    return answer as Answer<T>;
  });
}

/** The error of a command that writes to a read-only workspace. */
export function readOnlyError(): UserError {
  const message = "This workspace is read-only here: leave out --read-only, or unset VIBE_READ_ONLY.";
  return new UserError("READ_ONLY", message);
}
