import { UsageError } from "../../core/config/options.ts";
import { isProven } from "../../core/history/proof.ts";
import { isId, type Operation } from "../../core/history/record.ts";
import { type Dated, planUndo, planUndoOf, type UndoPlan, type UndoStep } from "../../core/history/undo.ts";
import { diffStart } from "../../core/lib/diff.ts";
import type { UserError } from "../../core/lib/errors.ts";
import { listNames, quoteName } from "../../core/lib/escape.ts";
import { counted } from "../../core/lib/text.ts";
import { undoStep } from "../../core/workspace/undo.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { undoCommand } from "../next-commands.ts";
import { projectHereIfAny, withWorkspace } from "../resolve-project.ts";
import { agreed, asJson, notify, oneLine, paintedDiff, painter } from "../terminal.ts";
import { authorOf, dateOf } from "./history.ts";

export async function run(context: CommandContext): Promise<number> {
  const { config, options, terminal } = context;
  if (config.readOnly) throw readOnlyError();
  const plan = await planOf(context);
  const { steps, conflict } = plan;
  const say = (text: string) => void (options.has("json") || terminal.stdout.write(text));
  notify(context, passedOver(context, plan));
  say(describe(context, steps, conflict));
  if (steps.length === 0 && conflict !== undefined) throw conflict;
  const question = `Undo ${counted(steps.length, "change")}? [y/N] `;
  const isAgreed = steps.length > 0 && (await agreed(context, question));
  const undone = isAgreed ? await undoAll(context, steps) : [];
  if (options.has("json"))
    terminal.stdout.write(asJson({ undone: isAgreed, changes: steps.map(listed), undo: undone }));
  else say(outcome(context, steps, isAgreed ? undone : undefined));
  if (isAgreed && conflict !== undefined) throw conflict;
  return isAgreed || steps.length === 0 ? 0 : 1;
}

async function planOf(context: CommandContext): Promise<UndoPlan> {
  const { config, options, words } = context;
  const [word = "1"] = words;
  if (words.length > 0 && words.every(isId))
    return { steps: await planUndoOf(config.root, words), skipped: [], gone: [], ahead: [] };
  if (words.length > 1 || !/^[1-9]\d{0,3}$/.test(word))
    throw new UsageError(
      `undo takes a number from 1 to 9999, or ids as history lists them, not ${quoteName(words.join(" "))}`,
    );
  const project = projectHereIfAny(context, options.text("project"));
  return planUndo(config.root, { count: Number(word), project, now: context.clock.now() });
}

/** Returns the ids that take the undoing back, for those of which a history is kept. */
function undoAll(context: CommandContext, steps: readonly UndoStep[]): Promise<string[]> {
  return withWorkspace(context, (workspace) =>
    workspace.history.acting({ tool: "undo", client: "vibe-mcp undo", isPerson: true }, async () => {
      const undone: string[] = [];
      for (const step of steps) {
        const id = await undoStep(workspace, step);
        if (id !== undefined) undone.push(id);
      }
      return undone;
    }),
  );
}

function passedOver(context: CommandContext, { skipped, gone, ahead }: UndoPlan): string {
  const lines = [
    ...skipped.map((one) => `${named(one)} cannot be undone: its old text is no longer kept.\n`),
    ...gone.map((one) => `${named(one)} failed, or another program took it back.\n`),
  ];
  return (ahead.length === 0 ? lines : [...lines, aheadLine(context, ahead)]).join("");
}

function named({ id, time, changes }: Operation): string {
  const paths = listNames(
    changes.map(({ path }) => path),
    3,
  );
  return `The change ${id} (${dateOf(time)}, ${paths})`;
}

function aheadLine(context: CommandContext, ahead: readonly Dated[]): string {
  const [newest] = ahead;
  const count = `${counted(ahead.length, "change")} dated ahead of the clock`;
  return `Passed over ${count} (${dateOf(newest?.time ?? "")}). To undo one: ${undoCommand(context, [newest?.id ?? ""])}\n`;
}

/** The operations and what undoing them changes. */
function describe(context: CommandContext, steps: readonly UndoStep[], conflict?: UserError): string {
  const paint = painter(context);
  const diff = (text: string) => paintedDiff(context, text.split("\n"));
  const author = (one: Operation) => authorOf({ ...one, person: isProven(context.config, one) });
  const lines = steps.flatMap(({ operation, changes }) => [
    paint("bold", `${dateOf(operation.time)}  ${author(operation)}`) + paint("dim", `  ${operation.id}`),
    ...changes.flatMap(({ path, before, after }) => [
      `${oneLine(path)}${before === null ? " (comes back)" : after === null ? " (will be removed)" : ""}`,
      ...diff(diffStart(before?.text ?? "", after?.text ?? "")),
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

/** `undone` are the ids that take it back, once it is done. */
function outcome(context: CommandContext, steps: readonly UndoStep[], undone: string[] | undefined): string {
  if (steps.length === 0) return "There is nothing to undo.\n";
  if (undone === undefined) {
    const ids = steps.map(({ operation }) => operation.id);
    return `Nothing undone. To undo it: ${undoCommand(context, ids)} --yes\n`;
  }
  const back = undone.length === 0 ? "" : ` To take that back: ${undoCommand(context, undone)}`;
  return `Undid ${counted(steps.length, "change")}.${back}\n`;
}
