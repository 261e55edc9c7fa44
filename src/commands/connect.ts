import type { Plan } from "../clients/plan.ts";
import type { Request } from "../clients/request.ts";
import { UsageError } from "../config.ts";
import { agrees } from "./ask.ts";
import type { Command, CommandContext } from "./command.ts";
import { JSON_OPTION } from "./options.ts";
import { asJson, oneLine, painter, printable } from "./paint.ts";

const NAMES = ["claude-code", "claude-desktop", "cursor", "vscode", "codex", "gemini", "windsurf", "zed"];

const HIDDEN = "Values that this program does not set are shown as …";

export const connectCommand: Command = {
  name: "connect",
  summary: "Have an agent's client start this server: show the change of its settings, ask, and write it.",
  words: [{ name: "client", help: `a client: ${NAMES.join(", ")}`, required: true, values: NAMES }],
  options: [
    { flag: "yes", help: "Write without asking." },
    { flag: "print", help: "Only print what belongs into the settings." },
    { flag: "remove", help: "Take it out again." },
    { flag: "here", help: "Write the settings of this folder in the place of this person's." },
    { flag: "name", value: "name", help: "What the client calls the server (vibe)." },
    {
      flag: "url",
      value: "address",
      help: "Reach a server over HTTP instead, e.g. https://notes.example.com/mcp.",
    },
    {
      flag: "token-env",
      value: "variable",
      help: "With --url: the variable that holds the token (VIBE_AUTH_TOKEN), or none.",
    },
    { flag: "hook", help: "For claude-code: print the briefing into each new session, by a hook." },
    { flag: "project", value: "name", help: "With --hook: always this project.", values: "project" },
    JSON_OPTION,
  ],
  example: "connect cursor",
  anyRoot: true,
  run: async (context) => {
    checkOptions(context);
    const { requestOf } = await import("../clients/request.ts");
    const request = requestOf(given(context), context.machine());
    const { options, terminal } = context;
    if (options.has("print")) {
      terminal.stdout.write(request.printed);
      return 0;
    }
    const { changes } = await import("../clients/plan.ts");
    const plan = await (options.has("remove") ? request.planRemove() : request.planWrite());
    if (!changes(plan)) return unchanged(context, plan);
    return change(context, plan, request);
  },
};

function checkOptions({ options, words }: CommandContext): void {
  const isHook = options.has("hook");
  if (isHook && words[0] !== "claude-code") throw new UsageError("--hook is for claude-code alone");
  if (isHook && (options.has("url") || options.has("name")))
    throw new UsageError("--hook takes neither --url nor --name: it runs this program's brief");
  if (!isHook && options.has("project"))
    throw new UsageError(
      "--project goes with --hook: the server finds the project of a folder (vibe-mcp init <name> --link names it)",
    );
  if (options.has("token-env") && !options.has("url")) throw new UsageError("--token-env goes with --url");
  if (options.has("print") && (options.has("yes") || options.has("remove") || options.has("json")))
    throw new UsageError("--print writes nothing, and goes with neither --yes, --remove nor --json");
}

function given({ config, options, words }: CommandContext) {
  return {
    config,
    client: words[0] ?? "",
    name: options.text("name") ?? "vibe",
    url: options.text("url"),
    token: options.text("token-env"),
    hook: options.has("hook"),
    project: options.text("project"),
    here: options.has("here"),
  };
}

function unchanged({ options, terminal }: CommandContext, { before, shown }: Plan): number {
  const isThere = !options.has("remove");
  const text = `Nothing to do: ${oneLine(shown)} ${isThere ? "says so already" : "does not name this server"}.\n`;
  const json = { file: before.file, changed: false, written: false, backup: null, diff: [] };
  terminal.stdout.write(options.has("json") ? asJson(json) : text);
  return 0;
}

async function change(context: CommandContext, plan: Plan, request: Request): Promise<number> {
  const { options, terminal, program, words } = context;
  const { carryOut } = await import("../clients/plan.ts");
  const { before, after } = plan;
  const shown = oneLine(plan.shown);
  const diff = request.diff(plan);
  const say = (text: string) => void (options.has("json") || terminal.stdout.write(text));
  const note = diff.some((row) => row.includes("…")) ? [HIDDEN] : [];
  say(`${[`${shown}${state(plan)}`, ...painted(context, [...diff, ...note])].join("\n")}\n`);
  const isWanted = options.has("yes") || (await agrees(context, `Write ${shown}? [y/N] `));
  const backup = isWanted ? await carryOut(plan) : undefined;
  if (options.has("json"))
    terminal.stdout.write(
      asJson({ file: before.file, changed: true, written: isWanted, backup: backup ?? null, diff }),
    );
  else if (!isWanted) say(`Nothing was written. To write it: ${program} connect ${words[0]} … --yes\n`);
  else {
    const kept = backup === undefined ? "" : ` The file as it was: ${oneLine(backup)}`;
    const afterwards = options.has("remove") ? "" : `${request.afterwards}\n`;
    say(`${after === undefined ? "Removed" : "Wrote"} ${shown}.${kept}\n${afterwards}`);
  }
  return isWanted ? 0 : 1;
}

function state({ before, after }: Plan): string {
  if (before.bytes === undefined) return " (new)";
  return after === undefined ? " (goes: nothing else is in it)" : "";
}

function painted({ terminal }: CommandContext, diff: readonly string[]): string[] {
  const paint = painter(terminal);
  return diff.map((row) => {
    const text = printable(row);
    if (row.startsWith("+")) return paint("green", text);
    if (row.startsWith("-")) return paint("red", text);
    return paint("dim", text);
  });
}
