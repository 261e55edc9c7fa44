import { escapeText } from "../../lib/escape.ts";
import { sessionStart } from "../../workspace/briefing/briefing.ts";
import type { CommandContext } from "../command.ts";
import { projectHere, projectHereIfAny, withWorkspace } from "../resolve-project.ts";
import { print } from "../terminal.ts";

/** A token is about four characters. */
const CHARS_PER_TOKEN = 4;

/** Runs at the start of every session: it loads no schema and no protocol, and the index only for a focus in words. */
export async function run(context: CommandContext): Promise<number> {
  const { options, program, terminal, words } = context;
  if (options.has("quiet") && projectHereIfAny(context, words[0]) === undefined) return 0;
  const project = projectHere(context, words[0], `${program} brief`);
  const tokens = options.number("max-tokens");
  const maxChars = tokens === undefined ? undefined : tokens * CHARS_PER_TOKEN;
  const request = { project, focus: options.text("focus"), maxChars };
  const text = await withWorkspace(context, (workspace) => sessionStart(workspace, request));
  print(context, { project, text }, terminal.stdout.isTTY ? escapeText(text) : text);
  return 0;
}
