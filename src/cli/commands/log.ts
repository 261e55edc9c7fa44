import { text } from "node:stream/consumers";
import { UsageError } from "../../core/config/options.ts";
import { logSessionTool } from "../../core/mcp/tools/log-session.ts";
import { callTool } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { projectHere } from "../resolve-project.ts";
import { notifyHint, oneLine, print } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { options, terminal, words } = context;
  const typed = words.join(" ");
  const isPiped = typed === "" || typed === "-";
  const content = isPiped ? (terminal.stdin.isTTY ? "" : await text(terminal.stdin)) : typed;
  if (content.trim() === "")
    throw new UsageError(
      'log needs text, as words or from a pipe, for example: vibe-mcp log "Rotated the keys. Next: the audit log."',
    );
  const project = projectHere(context, options.text("project"));
  const args = { project, content, suffix: options.text("suffix") };
  const answer = await callTool(context, logSessionTool, { args });
  const { action, path } = answer.session;
  notifyHint(context, answer.hint);
  print(context, answer, `${action === "created" ? "Created" : "Added to"} ${oneLine(path)}\n`);
  return 0;
}
