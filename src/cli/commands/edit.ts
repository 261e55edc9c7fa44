import { spawn } from "node:child_process";
import { once } from "node:events";
import { UsageError } from "../../core/config/options.ts";
import { UserError } from "../../core/lib/errors.ts";
import { listNames } from "../../core/lib/escape.ts";
import { isTaskStatus, STATUS_REMEDY } from "../../core/notes/task/statuses.ts";
import { type Document, readDocument, readNamed } from "../../core/workspace/read.ts";
import { missingTasks } from "../../core/workspace/tasks.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { nameHere } from "../locate.ts";
import { isInteractive, notify, oneLine, print } from "../terminal.ts";

/** Opens the person's editor on the file itself, then says what the text lacks now. */
export async function run(context: CommandContext): Promise<number> {
  const { config, words } = context;
  if (config.readOnly) throw readOnlyError();
  const editor = chosenEditor(context);
  const before = readNamed(config.root, nameHere(context, words[0] ?? ""));
  await open(context, editor, before.file);
  const after = readDocument(config.root, before.path);
  const changed = after.hash !== before.hash;
  const problems = problemsOf({ root: config.root, clock: context.clock }, after);
  const { path } = after;
  print(context, { path, changed, problems }, `${oneLine(path)}: ${changed ? "saved" : "unchanged"}\n`);
  for (const problem of problems) notify(context, `${oneLine(problem)}\n`);
  return problems.length === 0 ? 0 : 1;
}

function chosenEditor(context: CommandContext): string {
  const { VISUAL = "", EDITOR = "" } = context.machine.env;
  const editor = VISUAL.trim() || EDITOR.trim();
  if (!isInteractive(context))
    throw new UsageError("edit needs a terminal. In a script, write to the file itself");
  if (editor !== "") return editor;
  throw new UsageError(
    "no editor is set: set EDITOR to the command that starts yours, for example: export EDITOR=nano",
  );
}

/** Through the shell, since EDITOR may have options: `code --wait`. */
async function open({ machine, stop }: CommandContext, editor: string, file: string): Promise<void> {
  ignoreSignals(stop);
  const child =
    machine.platform === "win32"
      ? spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit" })
      : spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
  const [code] = await once(child, "close");
  if (code === 0) return;
  const message = `The editor (${editor}) failed. Check VISUAL or EDITOR. What it saved is in the file.`;
  throw new UserError("FILESYSTEM_ERROR", message);
}

/** Ctrl+C is for the editor. */
function ignoreSignals(stop: CommandContext["stop"]): void {
  stop().addEventListener("abort", () => ignoreSignals(stop));
}

/** What keeps the document from being read as it is meant. */
function problemsOf(workspace: Pick<Workspace, "root" | "clock">, { project, facts }: Document): string[] {
  const { problem, task, status } = facts;
  const missing = task === null ? [] : missingTasks(workspace, project, task.dependencies);
  const found = [
    problem !== null && `${problem} Correct it.`,
    task !== null && !isTaskStatus(status) && `It has no known status. ${STATUS_REMEDY}`,
    missing.length > 0 &&
      `There is no task ${listNames(missing)}. Until there is, this one cannot start: create it, or correct its dependencies.`,
  ];
  return found.filter((text) => text !== false);
}
