import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { UsageError } from "../../core/config/options.ts";
import { UserError } from "../../core/lib/errors.ts";
import { escapeText, listNames, quoteName } from "../../core/lib/escape.ts";
import { parseFields } from "../../core/lib/fields.ts";
import { createLog } from "../../core/lib/log.ts";
import { attempt } from "../../core/storage/fs-errors.ts";
import { readTranscriptHead } from "../../sessions/capture/transcript-file.ts";
import { hookTranscript, transcriptFiles } from "../../setup/clients/transcripts.ts";
import { readOnlyError } from "../call.ts";
import {
  type CapturedTranscript,
  captureTranscript,
  dayLine,
  sessionProject,
  skippedLine,
  unknownLine,
} from "../capture-transcript.ts";
import type { CommandContext } from "../command.ts";
import { isCaptureOn, KEPT, onLine, setCapture } from "../consent.ts";
import { projectHere, withWorkspace } from "../resolve-project.ts";
import { notify, oneLine, print, say } from "../terminal.ts";

export async function run(context: CommandContext): Promise<number> {
  const { config, options, words } = context;
  checkOptions(context);
  if (options.has("hook")) return isCaptureOn(config) ? runHook(context) : 0;
  if (config.readOnly && !options.has("dry-run")) throw readOnlyError();
  if (options.has("on") || options.has("off")) return runSwitch(context);
  if (options.has("all")) return captureAll(context);
  const file = words[0] === undefined ? newestHere(context) : resolve(words[0]);
  const captured = await withWorkspace(context, (workspace) => captureTranscript(context, workspace, file));
  print(context, captured, "");
  report(context, captured);
  if (captured.days.length > 0) return 0;
  notify(context, "Nothing to keep: no person asked anything in this session.\n");
  return 1;
}

/** Captures what is still on disk, oldest first, each session into its folder's project. */
async function captureAll(context: CommandContext): Promise<number> {
  const folders = new Set<string>();
  const sessions = await withWorkspace(context, async (workspace) => {
    const captured: CapturedTranscript[] = [];
    for (const file of transcriptFiles(context.machine).reverse()) {
      const folder = attempt(() => readTranscriptHead(file))?.folder ?? "";
      if (folder === "") continue;
      if (sessionProject(context, folder).project === undefined) folders.add(folder);
      else
        await captureTranscript(context, workspace, file).then(
          (one) => captured.push(one),
          (error: unknown) => {
            if (!(error instanceof UserError)) throw error;
            notify(context, `${oneLine(file)}: ${oneLine(error.message)}\n`);
          },
        );
    }
    return captured;
  });
  print(context, { sessions, unknown: [...folders] }, "");
  for (const one of sessions) report(context, one, `${oneLine(one.transcript)}: `);
  if (sessions.length + folders.size === 0) notify(context, "There are no sessions on this machine.\n");
  if (folders.size > 0)
    notify(
      context,
      `Left out, since their folders belong to no project here (init creates one): ${listNames([...folders])}\n`,
    );
  return 0;
}

function checkOptions({ options, words }: CommandContext): void {
  const switches = ["on", "off"].filter((flag) => options.has(flag));
  const others = ["all", "project", "dry-run", "hook"].some((flag) => options.has(flag));
  if (switches.length > 1 || (switches.length > 0 && (others || words.length > 0)))
    throw new UsageError("--on and --off stand alone: they say whether hooks keep sessions from now on");
  const isAll = options.has("all");
  if (isAll && (words.length > 0 || options.has("project")))
    throw new UsageError(
      "--all takes no transcript and no --project: each session goes to its folder's project",
    );
  if (options.has("hook") && (isAll || words.length > 0 || options.has("dry-run") || options.has("json")))
    throw new UsageError("--hook takes only --project: the client names the transcript");
}

/** Whether hooks keep sessions in the notes of this root. */
async function runSwitch(context: CommandContext): Promise<number> {
  const { config, options } = context;
  const on = options.has("on");
  if (on) notify(context, `${KEPT}\n`);
  const changed = await setCapture(config, on);
  print(context, { root: config.root, on, changed }, "");
  say(context, on ? onLine(context) : `Off: hooks keep no session in ${oneLine(config.root)}.`);
  return 0;
}

/** Runs whenever a session ends: it prints nothing, and nothing that fails may disturb the client. */
async function runHook(context: CommandContext): Promise<number> {
  try {
    const { stdin } = context.terminal;
    const input = stdin.isTTY || context.config.readOnly ? "" : await text(stdin);
    const file = hookTranscript(parseFields(input) ?? {}, context.machine);
    const quiet = { ...context, log: createLog("silent", () => {}) };
    if (file !== "")
      await withWorkspace(quiet, (workspace) => captureTranscript(quiet, workspace, resolve(file)), true);
  } catch {
    // The next capture of this session brings in what this one did not.
  }
  return 0;
}

/** The newest transcript of a session in this folder's project. */
function newestHere(context: CommandContext): string {
  const project = projectHere(context, context.options.text("project"));
  const found = transcriptFiles(context.machine).find((file) => {
    const folder = attempt(() => readTranscriptHead(file))?.folder ?? "";
    return folder !== "" && sessionProject(context, folder).project === project;
  });
  if (found !== undefined) return found;
  const message = `There is no transcript of a session in ${quoteName(project)} on this machine. Name a file: ${context.program} capture session.jsonl`;
  throw new UserError("FILE_NOT_FOUND", message);
}

function report(context: CommandContext, captured: CapturedTranscript, start = ""): void {
  const { options } = context;
  for (const day of captured.days)
    say(
      context,
      options.has("dry-run") ? `${oneLine(day.path)}:\n${escapeText(day.block)}` : dayLine(captured, day),
    );
  for (const line of [skippedLine(captured), unknownLine(captured)])
    if (line !== undefined) notify(context, `${start}${line}\n`);
}
