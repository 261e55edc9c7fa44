import { UsageError } from "../config.ts";
import { callTool } from "./call.ts";
import type { Command, CommandContext } from "./command.ts";
import { projectHere } from "./here.ts";
import { JSON_OPTION, PROJECT_OPTION } from "./options.ts";
import { asJson, oneLine } from "./paint.ts";

export const logCommand: Command = {
  name: "log",
  summary: "Add to today's session note; without words it reads them from a pipe.",
  words: [{ name: "text", help: "What was done, what blocks, what comes next (Markdown).", many: true }],
  options: [
    PROJECT_OPTION,
    { flag: "suffix", value: "name", help: "A note of its own, e.g. debugging-auth." },
    JSON_OPTION,
  ],
  example: 'log "Rotated the keys. Next: the audit log." --project payments-api',
  run: async (context) => {
    const { options, terminal } = context;
    const content = await contentOf(context);
    const { logSessionTool } = await import("../tools/log-session.ts");
    const project = await projectHere(context, options.text("project"));
    const answer = await callTool(context, logSessionTool, {
      args: { project, content, suffix: options.text("suffix") },
    });
    const { action, path } = answer.session;
    const done = `${action === "created" ? "Created" : "Added to"} ${oneLine(path)}\n`;
    terminal.stdout.write(options.has("json") ? asJson(answer) : done);
    return 0;
  },
};

async function contentOf({ words, terminal }: CommandContext): Promise<string> {
  const typed = words.join(" ");
  const content = typed === "" || typed === "-" ? await piped(terminal) : typed;
  if (content.trim() !== "") return content;
  const example = `vibe-mcp ${logCommand.example}`;
  throw new UsageError(`log needs text, from its words or from a pipe, for example: ${example}`);
}

async function piped({ stdin }: CommandContext["terminal"]): Promise<string> {
  if (stdin.isTTY) return "";
  const { text } = await import("node:stream/consumers");
  return text(stdin);
}
