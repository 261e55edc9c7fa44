import { parseTaskNumber } from "../notes/names.ts";
import { listFolder } from "../storage/list.ts";
import { projectOf } from "../workspace/current-project.ts";
import { listTaskFiles } from "../workspace/tasks.ts";
import { settingsOf, tokenize } from "./args.ts";
import type { CommandContext, Values } from "./command.ts";
import { oneLine } from "./format.ts";

/** A value with what it means. */
type Candidate = readonly [value: string, help: string];

/** Answers the completion scripts of shells from the same table as `--help`. */
export function run(context: CommandContext): number {
  const typed = context.options.text("word") ?? "";
  const matching = candidates(context, typed).filter(([value]) =>
    value.toLowerCase().startsWith(typed.toLowerCase()),
  );
  context.terminal.stdout.write(matching.map(([value, help]) => `${value}\t${oneLine(help)}\n`).join(""));
  return 0;
}

function candidates(context: CommandContext, typed: string): Candidate[] {
  const before = context.words.filter((word) => word !== "=");
  const shown = context.commands.filter(({ hidden }) => !hidden);
  const { tokens, words } = tokenize(before, [...settingsOf(), ...shown.flatMap(({ options }) => options)]);
  const command = shown.find(({ name }) => name === words[0]);
  const options = [...(command?.options ?? []), ...settingsOf(command?.name ?? "")];
  const project = tokens.findLast(({ flag }) => flag === "project")?.value;
  const valuesOf = (row: { values?: Values } | undefined) => lookUp(context, row?.values, project);
  const [, open] = /^--(.+)/.exec(before.at(-1) ?? "") ?? [];
  const incomplete = options.find(({ flag, value }) => value !== undefined && flag === open);
  if (incomplete !== undefined) return valuesOf(incomplete);
  const [, flag] = /^--([^=]+)=/u.exec(typed) ?? [];
  if (flag !== undefined) {
    const values = valuesOf(options.find((option) => option.flag === flag));
    return values.map(([value, help]) => [`--${flag}=${value}`, help]);
  }
  if (typed.startsWith("-")) {
    const used = tokens.map((token) => token.flag);
    const left = options.filter((option) => option.many || !used.includes(option.flag));
    return [...left, { flag: "help", help: "Show all options." }].map(({ flag, help }) => [
      `--${flag}`,
      help,
    ]);
  }
  if (command === undefined) return words.length > 0 ? [] : shown.map(({ name, summary }) => [name, summary]);
  return valuesOf(command.words[words.length - 1] ?? command.words.find(({ many }) => many));
}

/** None for files, which the shell completes itself. */
function lookUp(
  { config: { root }, machine }: CommandContext,
  values: Values | undefined,
  named: string | boolean | undefined,
): Candidate[] {
  if (values === undefined || values === "file") return [];
  if (typeof values !== "string") return values.map((value) => [value, ""]);
  if (values === "project") return listFolder(root, "").folders.map((name) => [name, "project"]);
  const project = typeof named === "string" ? named : projectOf(root, machine.folder);
  if (project === undefined) return [];
  return listTaskFiles(root, project).map((file) => [parseTaskNumber(file) ?? file, file]);
}
