import { isTask } from "../notes/document.ts";
import { findBoxes } from "../notes/task.ts";
import { inWorkOrder } from "../notes/task-order.ts";
import { projectNames } from "../storage/list.ts";
import { readProjectFiles } from "../workspace/project-files.ts";
import { readDocument } from "../workspace/read.ts";
import { findTask, projectTasks, type WorkspaceTask } from "../workspace/tasks.ts";
import { missingWord } from "./args.ts";
import type { Command, CommandContext, CommandWord } from "./command.ts";
import { type Choice, pick } from "./picker.ts";
import { currentProject, projectHere } from "./resolve-project.ts";
import { ask, notify } from "./terminal.ts";

/**
 * The context with what the person left out, asked on the terminal: the project, and all words if they typed none. Undefined if they
 * cancel.
 */
export async function askMissing(
  context: CommandContext,
  command: Command,
): Promise<CommandContext | undefined> {
  const complete = await withWords(await withProject(context), command);
  if (complete === undefined)
    notify(context, `Nothing was done. For example: ${context.program} ${command.example}\n`);
  return complete;
}

async function withProject(context: CommandContext): Promise<CommandContext> {
  const { config } = context;
  const [word = ""] = context.words;
  const names = projectNames(config.root);
  const isNamed = config.project !== undefined || word.includes("/") || names.includes(word);
  if (isNamed || names.length === 0 || currentProject(context).project !== undefined) return context;
  const name = await pick(context, "Project", names.map(asChoice));
  // Cancelled: the error says how to name or create one.
  const project = { name: name ?? projectHere(context, undefined), source: "your choice" };
  return { ...context, config: { ...config, project } };
}

async function withWords(context: CommandContext, command: Command): Promise<CommandContext | undefined> {
  const words = [...context.words];
  if (words.length > 0) return context;
  for (const word of command.words.filter(({ required }) => required)) {
    const choices = choicesOf(context, word, words[0] ?? "");
    if (choices?.length === 0) throw missingWord(command, words);
    const answer =
      choices === undefined
        ? (await ask(context, `${capital(word.help)}: `)).trim()
        : await pick(context, capital(word.name), choices);
    if (answer === undefined || answer === "") return undefined;
    words.push(answer);
  }
  return { ...context, words };
}

/** Undefined if any text can be the word; `task` is the first word. */
function choicesOf(
  context: CommandContext,
  { name, values }: CommandWord,
  task: string,
): Choice[] | undefined {
  if (values === "task") return documentsOf(context, name === "task");
  if (values === "step") return stepsOf(context, task);
  return Array.isArray(values) ? values.map(asChoice) : undefined;
}

/** The tasks of the project in work order; the other documents follow unless they are left out. */
function documentsOf(context: CommandContext, onlyTasks: boolean): Choice[] {
  const { config, clock, options } = context;
  const project = projectHere(context, options.text("project"));
  const files = readProjectFiles(config.root, project);
  const tasks = inWorkOrder(projectTasks(files, clock.now().getTime()).filter(({ archived }) => !archived));
  const others = files.filter((file) => !onlyTasks && !isTask(file));
  return [
    ...tasks.map((task) => ({ value: task.path, text: taskLine(task) })),
    ...others.map(({ path }) => asChoice(path)),
  ].map(({ value, text }) => ({
    value: options.has("project") ? value.slice(project.length + 1) : value,
    text,
  }));
}

function taskLine({ number, filename, status, title }: WorkspaceTask): string {
  return `${number ?? filename} ${title} (${status ?? "no status"})`;
}

/** The steps or criteria that are open or, with `--open`, done. */
function stepsOf(context: CommandContext, task: string): Choice[] {
  const { config, options } = context;
  const project = projectHere(context, options.text("project"));
  const { text, facts } = readDocument(config.root, findTask(config.root, project, task));
  const section = options.has("criteria") ? "criteria" : "steps";
  return findBoxes(text, facts.bodyOffset, section).flatMap((step, at) =>
    step.isDone === options.has("open") ? [{ value: `${at + 1}`, text: `${at + 1}. ${step.text}` }] : [],
  );
}

function asChoice(value: string): Choice {
  return { value, text: value };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
