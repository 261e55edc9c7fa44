import { UsageError } from "../../config/options.ts";
import { diffStart } from "../../lib/diff.ts";
import type { UserError } from "../../lib/errors.ts";
import { escapeText } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { planUndo, textOf, type UndoStep, undo } from "../../workspace/history-undo.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { projectHereIfAny, withWorkspace } from "../resolve-project.ts";
import { asJson, confirm, oneLine, painter } from "../terminal.ts";
import { dateOf } from "./history.ts";

export async function run(context: CommandContext): Promise<number> {
  const { config, options, terminal } = context;
  if (config.readOnly) throw readOnlyError();
  const count = countOf(context.words[0] ?? "1");
  const project = projectHereIfAny(context, options.text("project"));
  const { steps, conflict } = planUndo(config.root, { count, project });
  const say = (text: string) => void (options.has("json") || terminal.stdout.write(text));
  say(describe(context, steps, conflict));
  if (steps.length === 0 && conflict !== undefined) throw conflict;
  const question = `Undo ${counted(steps.length, "change")}? [y/N] `;
  const isAgreed = steps.length > 0 && (options.has("yes") || (await confirm(context, question)));
  if (isAgreed) await undoAll(context, steps);
  if (options.has("json")) terminal.stdout.write(asJson({ undone: isAgreed, changes: steps.map(listed) }));
  else say(outcome(context, steps, isAgreed));
  if (isAgreed && conflict !== undefined) throw conflict;
  return isAgreed || steps.length === 0 ? 0 : 1;
}

function countOf(word: string): number {
  if (/^[1-9]\d{0,3}$/.test(word)) return Number(word);
  throw new UsageError(`undo takes the number of changes, from 1 to 9999, not "${word}"`);
}

function undoAll(context: CommandContext, steps: readonly UndoStep[]): Promise<void> {
  return withWorkspace(context, (workspace) =>
    workspace.history.acting({ tool: "undo", client: "vibe-mcp undo" }, async () => {
      for (const step of steps) await undo(workspace, step);
    }),
  );
}

/** The operations and what undoing them changes. */
function describe(context: CommandContext, steps: readonly UndoStep[], conflict?: UserError): string {
  const paint = painter(context);
  const diff = (text: string) =>
    text.split("\n").map((row) => {
      const format = row.startsWith("+") ? "green" : row.startsWith("-") ? "red" : "dim";
      return paint(format, escapeText(row));
    });
  const lines = steps.flatMap(({ operation, changes }) => [
    paint("bold", `${dateOf(operation.time)}  ${oneLine(operation.tool)} (${oneLine(operation.client)})`),
    ...changes.flatMap(({ path, before, after }) => [
      `${oneLine(path)}${before === null ? " (comes back)" : after === null ? " (will be removed)" : ""}`,
      ...diff(diffStart(textOf(before), textOf(after))),
    ]),
    "",
  ]);
  const reason = conflict === undefined ? [] : diff(String(conflict.details["diff"] ?? ""));
  return [...lines, ...reason, ""].join("\n");
}

function listed({ operation, changes }: UndoStep) {
  const { id: version, time, tool, client } = operation;
  return { version, time, tool, client, paths: changes.map(({ path }) => path) };
}

function outcome({ program }: CommandContext, steps: readonly UndoStep[], isAgreed: boolean): string {
  if (steps.length === 0) return "There is nothing to undo.\n";
  if (isAgreed) return `Undid ${counted(steps.length, "change")}.\n`;
  return `Nothing undone. To undo it: ${program} undo ${steps.length} --yes\n`;
}
