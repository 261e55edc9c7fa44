import { escapeUnseen } from "../../core/lib/escape.ts";
import { sessionStart } from "../../core/workspace/briefing/briefing.ts";
import type { CommandContext } from "../command.ts";
import { projectHere, projectHereIfAny, withWorkspace } from "../resolve-project.ts";
import { markdownForTerminal, print } from "../terminal.ts";

/** Runs at the start of every session: it loads no schema and no protocol, and the index only for a focus in words. */
export async function run(context: CommandContext): Promise<number> {
  const { options, program, terminal, words } = context;
  const isHook = options.has("hook");
  if ((isHook || options.has("quiet")) && projectHereIfAny(context, words[0]) === undefined) return 0;
  const project = projectHere(context, words[0], `${program} brief`);
  const request = { project, focus: options.text("focus"), maxTokens: options.number("max-tokens") };
  const text = escapeUnseen(await withWorkspace(context, (workspace) => sessionStart(workspace, request)));
  if (isHook) terminal.stdout.write(`${hookAnswer(context, text)}\n`);
  else if (terminal.stdout.isTTY && !options.has("json"))
    terminal.stdout.write(markdownForTerminal(context, text));
  else print(context, { project, text }, text);
  return 0;
}

/** What clients take from a hook and put before the first words of a session; Copilot CLI reads no other form than its own. */
function hookAnswer({ machine }: CommandContext, text: string): string {
  if (machine.env["COPILOT_HOOK_DIR"]) return JSON.stringify({ additionalContext: text });
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: text } });
}
