import { withWorkspace } from "./call.ts";
import type { Command } from "./command.ts";
import { projectHere, projectHereIfAny } from "./here.ts";
import { JSON_OPTION, PROJECT_WORD } from "./options.ts";
import { asJson, printable } from "./paint.ts";

/** A token is about four characters. */
const CHARS_PER_TOKEN = 4;

export const briefCommand: Command = {
  name: "brief",
  summary: "Print what an agent has to know to start a session on a project.",
  words: [PROJECT_WORD],
  options: [
    { flag: "focus", value: "text", help: "A task (004), or words: what the session is about." },
    {
      flag: "max-tokens",
      value: "number",
      help: "About how long it may be, in tokens of four characters (15,000).",
      range: [100, 15_000],
    },
    { flag: "quiet", help: "Print nothing, and do not fail, where the folder has no project: for hooks." },
    JSON_OPTION,
  ],
  example: "brief payments-api --max-tokens 2000",
  // No schema and no protocol is loaded, and the index only for a focus in words: it runs at the start of every session.
  run: async (context) => {
    const { options, program, terminal, words } = context;
    if (options.has("quiet") && (await projectHereIfAny(context, words[0])) === undefined) return 0;
    const project = await projectHere(context, words[0], (name) => `${program} brief ${name}`);
    const { sessionStart } = await import("../workspace/briefing/briefing.ts");
    const tokens = options.number("max-tokens");
    const maxChars = tokens === undefined ? undefined : tokens * CHARS_PER_TOKEN;
    const request = { project, focus: options.text("focus"), maxChars };
    const text = await withWorkspace(context, (workspace) => sessionStart(workspace, request));
    const shown = terminal.stdout.isTTY ? printable(text) : text;
    terminal.stdout.write(options.has("json") ? asJson({ project, text }) : shown);
    return 0;
  },
};
