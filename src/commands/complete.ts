import type { Command, CommandContext, CommandOption, Values } from "./command.ts";
import { oneLine } from "./paint.ts";
import { settingsOf, tokenize } from "./parse.ts";

/** A value with what it means. */
type Candidate = readonly [value: string, help: string];

/** The command that the scripts of shells ask: it answers from the same table as `--help`. */
export function completeCommand(commands: () => readonly Command[]): Command {
  return {
    name: "complete",
    summary: "What the completion of a shell asks.",
    words: [{ name: "words", help: "The words before.", many: true }],
    options: [{ flag: "word", value: "text", help: "What is being typed." }],
    example: "complete --word=ta",
    hidden: true,
    run: async (context) => {
      const typed = context.options.text("word") ?? "";
      const found = await candidates(context, commands(), typed);
      const wanted = found.filter(([value]) => value.toLowerCase().startsWith(typed.toLowerCase()));
      context.terminal.stdout.write(wanted.map(([value, help]) => `${value}\t${oneLine(help)}\n`).join(""));
      return 0;
    },
  };
}

async function candidates(
  context: CommandContext,
  commands: readonly Command[],
  typed: string,
): Promise<Candidate[]> {
  const before = context.words.filter((word) => word !== "=");
  const shown = commands.filter(({ hidden }) => !hidden);
  const known = [...settingsOf(), ...shown.flatMap(({ options }) => options)];
  const { tokens, words } = tokenize(before, known);
  const command = shown.find(({ name }) => name === words[0]);
  const options = [...(command?.options ?? []), ...settingsOf(command?.name ?? "")];
  const project = tokens.findLast(({ flag }) => flag === "project")?.value;
  const look = { context, project: typeof project === "string" ? project : undefined };
  const last = before.at(-1) ?? "";
  const open = options.find((option) => option.value !== undefined && last === `--${option.flag}`);
  if (open !== undefined) return valuesOf(open.values, look);
  const [, flag, value] = /^--([^=]+)=(.*)$/su.exec(typed) ?? [];
  if (flag !== undefined && value !== undefined) {
    const values = await valuesOf(options.find((option) => option.flag === flag)?.values, look);
    return values.map(([text, help]) => [`--${flag}=${text}`, help]);
  }
  if (typed.startsWith("-"))
    return flags(
      options,
      tokens.map((token) => token.flag),
    );
  if (command === undefined) return words.length > 0 ? [] : shown.map(({ name, summary }) => [name, summary]);
  const expected = command.words[words.length - 1] ?? command.words.find(({ many }) => many);
  return valuesOf(expected?.values, look);
}

/** Those that were not given yet, or may be given again. */
function flags(options: readonly CommandOption[], given: readonly string[]): Candidate[] {
  const left = options.filter(({ flag, many }) => many || !given.includes(flag));
  const rows: Candidate[] = left.map(({ flag, help }) => [`--${flag}`, help]);
  return [...rows, ["--help", "What it does, with all options."]];
}

interface Look {
  context: CommandContext;
  project: string | undefined;
}

/** None for files, which the shell knows best. */
async function valuesOf(values: Values | undefined, look: Look): Promise<Candidate[]> {
  if (values === undefined || values === "file") return [];
  if (typeof values !== "string") return values.map((value) => [value, ""]);
  const { listFolder } = await import("../files/list.ts");
  const { root } = look.context.config;
  if (values === "project") return listFolder(root, "").folders.map((name) => [name, "project"]);
  return tasks(look, root);
}

async function tasks({ context, project }: Look, root: string): Promise<Candidate[]> {
  const { likelyProject } = await import("../workspace/current-project.ts");
  const { listTaskFiles } = await import("../workspace/tasks.ts");
  const { parseTaskNumber } = await import("../domain/names.ts");
  const own = project ?? likelyProject(root, context.folder);
  if (own === undefined) return [];
  return listTaskFiles(root, own).map((file) => [parseTaskNumber(file) ?? file, file]);
}
