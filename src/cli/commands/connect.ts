import { applyPlan, hasChanges, type Plan } from "../../clients/plan.ts";
import { type Connection, type Request, requestOf } from "../../clients/request.ts";
import { UsageError } from "../../config/options.ts";
import { escapeText } from "../../lib/escape.ts";
import type { CommandContext } from "../command.ts";
import { asJson, confirm, oneLine, painter, print } from "../terminal.ts";

const HIDDEN = "Values that this program does not set are shown as …";

export async function run(context: CommandContext): Promise<number> {
  checkOptions(context);
  const { options, terminal } = context;
  const request = requestOf(connection(context), context.machine);
  if (options.has("print")) {
    terminal.stdout.write(request.printed);
    return 0;
  }
  const plan = await (options.has("remove") ? request.planRemove() : request.planWrite());
  if (hasChanges(plan)) return writePlan(context, plan, request);
  const state = options.has("remove") ? "does not name this server" : "is already up to date";
  const json = { file: plan.before.file, changed: false, written: false, backup: null, diff: [] };
  print(context, json, `Nothing to do: ${oneLine(plan.shown)} ${state}.\n`);
  return 0;
}

function checkOptions({ options, words }: CommandContext): void {
  const isHook = options.has("hook");
  if (isHook && words[0] !== "claude-code") throw new UsageError("--hook works with claude-code only");
  if (isHook && (options.has("url") || options.has("name")))
    throw new UsageError("--hook takes neither --url nor --name: it runs this program's brief");
  if (options.has("url") && options.has("project"))
    throw new UsageError("--url takes no --project: set VIBE_PROJECT where that server runs");
  if (options.has("token-env") && !options.has("url")) throw new UsageError("--token-env needs --url");
  if (options.has("print") && (options.has("yes") || options.has("remove") || options.has("json")))
    throw new UsageError("--print writes nothing, so it takes none of --yes, --remove and --json");
}

function connection({ config, options, words }: CommandContext): Connection {
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

async function writePlan(context: CommandContext, plan: Plan, request: Request): Promise<number> {
  const { options, terminal, program, words } = context;
  const { before, after } = plan;
  const shown = oneLine(plan.shown);
  const diff = request.diff(plan);
  const say = (text: string) => void (options.has("json") || terminal.stdout.write(text));
  const note = diff.some((row) => row.includes("…")) ? [HIDDEN] : [];
  say(`${[`${shown}${fileNote(plan)}`, ...painted(context, [...diff, ...note])].join("\n")}\n`);
  const isAgreed = options.has("yes") || (await confirm(context, `Write ${shown}? [y/N] `));
  const backup = isAgreed ? await applyPlan(plan) : undefined;
  const json = { file: before.file, changed: true, written: isAgreed, backup: backup ?? null, diff };
  if (options.has("json")) terminal.stdout.write(asJson(json));
  if (!isAgreed) say(`Nothing written. To write it: ${program} connect ${words[0]} … --yes\n`);
  else {
    const copy = backup === undefined ? "" : ` Backup: ${oneLine(backup)}`;
    const afterwards = options.has("remove") ? "" : `${request.afterwards}\n`;
    say(`${after === undefined ? "Removed" : "Wrote"} ${shown}.${copy}\n${afterwards}`);
  }
  return isAgreed ? 0 : 1;
}

function fileNote({ before, after }: Plan): string {
  if (before.bytes === undefined) return " (new)";
  return after === undefined ? " (will be removed: it holds nothing else)" : "";
}

function painted(context: CommandContext, diff: readonly string[]): string[] {
  const paint = painter(context);
  return diff.map((row) => {
    const format = row.startsWith("+") ? "green" : row.startsWith("-") ? "red" : "dim";
    return paint(format, escapeText(row));
  });
}
