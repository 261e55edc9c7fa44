import { styleText } from "node:util";
import { UsageError } from "../core/config/options.ts";
import { elapsed } from "../core/lib/clock.ts";
import { type NextStep, UserError } from "../core/lib/errors.ts";
import { escapeJson, escapeLine, escapeText, listNames } from "../core/lib/escape.ts";
import { quoted } from "../core/lib/shell.ts";
import { progressText } from "../core/lib/text.ts";
import { eachMarkdownLine } from "../core/markdown/blocks.ts";
import { projectOf } from "../core/notes/names.ts";
import { inAnyLanguage } from "../core/notes/words/languages.ts";
import { unnamedFileError } from "../core/storage/fs-errors.ts";
import type { CommandContext, Terminal, Wrap } from "./command.ts";

export { quoted };

/** The width of a terminal that does not say how wide it is. */
const COLUMNS = 80;
const NO_BREAK = "\u00a0";

type Format = Parameters<typeof styleText>[0];

/** Styles a text on a terminal that shows colours, and leaves it unchanged elsewhere. */
export type Paint = (format: Format, text: string) => string;

export function painter({ terminal: { stdout } }: CommandContext): Paint {
  return (format, text) => (text === "" ? text : styleText(format, text, { stream: stdout }));
}

/** Prints an answer: as JSON with `--json`, else as text for people. */
export function print(context: CommandContext, answer: unknown, text: string): void {
  const { options, terminal } = context;
  terminal.stdout.write(options.has("json") ? asJson(answer) : fitted(text, terminal.stdout, context));
}

/** Says what is no answer, on stderr: that nothing was found, that there is more, what to type next. */
export function notify(context: CommandContext, text: string): void {
  const { options, terminal } = context;
  if (!options.has("json")) terminal.stderr.write(fitted(text, terminal.stderr, context));
}

/** Says what a tool hints at, if anything. */
export function notifyHint(context: CommandContext, hint: string | undefined): void {
  if (hint !== undefined) notify(context, `${oneLine(hint)}\n`);
}

/** On a terminal, no line breaks inside a word, and commands stay on one line, to be copied. */
function fitted(
  text: string,
  { isTTY, columns }: NodeJS.WriteStream,
  { program, wrap }: Pick<CommandContext, "program" | "wrap">,
): string {
  if (!isTTY) return text;
  const name = program.replaceAll(/[^\w\s]/g, "\\$&");
  const command = new RegExp(`${name} (?:\\S*[^\\s.,;\`] )*\\S+`, "g");
  const glued = text.replaceAll(command, (words) => words.replaceAll(" ", NO_BREAK));
  return wrap(glued, columns || COLUMNS).replaceAll(NO_BREAK, " ");
}

export function asJson(value: unknown): string {
  return escapeJson(`${JSON.stringify(value, null, 2)}\n`);
}

/** Prints a line of a command that reports on its way; with `--json` only the answer is printed. */
export function say(context: CommandContext, text: string): void {
  const { options, terminal } = context;
  if (!options.has("json")) terminal.stdout.write(fitted(`${text}\n`, terminal.stdout, context));
}

/** People wait this long without a word. */
const SILENT_MS = 2000;

/** One line on a terminal for work that takes long, gone when it is done; none with `--json`. */
export function progressLine(
  { options, terminal: { stderr } }: Pick<CommandContext, "options" | "terminal">,
  silent = SILENT_MS,
): (done: number, total: number, doing?: string) => void {
  const start = elapsed();
  const isWatched = stderr.isTTY && !options.has("json");
  let isShown = false;
  return (done, total, doing) => {
    const isLong = isWatched && done < total && elapsed() - start >= silent;
    if (isLong || isShown) stderr.write(`\r\x1b[K${isLong ? progressText(done, total, doing) : ""}`);
    isShown = isLong;
  };
}

/** A document: prose without words broken at the edge, code unchanged, headings in bold. */
export function markdownForTerminal(context: CommandContext, content: string): string {
  const paint = painter(context);
  const columns = context.terminal.stdout.columns || COLUMNS;
  const lines = [...eachMarkdownLine(content)].map(({ text, region }) => {
    const shown = escapeText(text);
    if (region !== "text") return shown;
    const wrapped = context.wrap(shown, columns, 0);
    return /^#{1,6} /.test(shown) ? paint("bold", wrapped) : wrapped;
  });
  return `${lines.join("\n")}\n`;
}

/** Text from a file, on one line: a document must not move the cursor or colour the terminal. */
export function oneLine(text: string): string {
  return escapeLine(text, Number.POSITIVE_INFINITY);
}

/** The lines of a difference: what is new in green, what is gone in red. */
export function paintedDiff(context: CommandContext, rows: readonly string[]): string[] {
  const paint = painter(context);
  return rows.map((row) => {
    const format = row.startsWith("+") ? "green" : row.startsWith("-") ? "red" : "dim";
    return paint(format, escapeText(row));
  });
}

/** The first rows, and how many more there are. */
export function firstRows(rows: readonly string[], most: number): string[] {
  const more = rows.length - most;
  return more > 0 ? [...rows.slice(0, most), `… and ${more} more`] : [...rows];
}

/** Whether a person can answer. */
export function isInteractive({ terminal: { stdin, stdout }, options }: CommandContext): boolean {
  return stdin.isTTY && stdout.isTTY && !options.has("json");
}

/**
 * Asks a question on a terminal; elsewhere, and with `--json`, the answer is no. Enter means yes if the question ends in `[Y/n]`,
 * else no.
 */
export async function confirm(context: CommandContext, question: string): Promise<boolean> {
  if (!isInteractive(context)) return false;
  const answer = await typedLine(context, question);
  if (answer?.trim() === "") return question.trimEnd().endsWith("[Y/n]");
  return inAnyLanguage(({ yes }) => yes).includes(answer?.trim().toLowerCase() ?? "");
}

/** Asks whether to do it; with `--yes` the answer is yes. */
export async function agreed(context: CommandContext, question: string): Promise<boolean> {
  return context.options.has("yes") || confirm(context, question);
}

/** Undefined if they end the input. */
async function typedLine(
  { terminal: { stdin, stderr } }: CommandContext,
  question: string,
): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  const prompt = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<undefined>((resolve) => prompt.once("close", () => resolve(undefined)));
  const answer = await Promise.race([prompt.question(question), ended]);
  prompt.close();
  return answer;
}

/** What to type next; `details` are those of the error. */
const NEXT_STEPS: Record<NextStep, (program: string, details: Details) => string> = {
  "create-project": (program) => `Create one: ${program} init my-project. Or try an example: ${program} demo`,
  "choose-project": () => "",
  "list-projects": (program) =>
    `Use names as \`${program} projects\` shows them: no '..', no hidden or absolute names, no links that lead out.`,
  "list-documents": (program, { project }) =>
    `Run \`${program} projects ${project}\`, or search, to see what exists.`,
  "read-file": () => "Open it with another program.",
  "restore-anyway": (program) =>
    `That change stays. To take back another one, type its id from \`${program} history\`: \`${program} undo <id>\`.`,
  "list-tasks": (program, { project }) => `Run \`${program} tasks ${project}\` to see its tasks.`,
  "edit-text": (program) => `To change the text: \`${program} edit <task>\`.`,
  "resolve-conflict": (program, { path }) =>
    `Choose what stays, and remove the markers: \`${program} edit ${path}\`.`,
  "correct-frontmatter": (program) => `Correct the block with \`${program} edit\`, then repeat the change.`,
  "change-existing": (program, { path }) => `Choose another name, or change it: \`${program} edit ${path}\`.`,
  "read-again": () => "Run this again.",
  "read-plan-again": () => "Run this again.",
  "restore-task": (program, { project, task }) =>
    `To work on it, restore it first: \`${program} archive --restore ${task} --project ${project}\`.`,
  "claim-another": (program, { project }) => `Take another one: \`${program} claim --project ${project}\`.`,
  "claim-or-reopen": (program, { project, path }) =>
    `Take another one with \`${program} claim --project ${project}\`, or reopen it: \`${program} status ${path} pending\`.`,
};

/** Quoted, to be typed. */
interface Details {
  project: string;
  path: string;
  task: string;
}

/** Prints an error: one line on stderr, and with `--json` also as JSON on stdout. Returns the exit code. */
export function fail(
  thrown: unknown,
  { stdout, stderr }: Terminal,
  { json, program, wrap }: { json: boolean; program: string; wrap: Wrap },
): number {
  const error =
    thrown instanceof UserError || thrown instanceof UsageError ? thrown : unnamedFileError(thrown);
  if (error === undefined) {
    stderr.write(
      `vibe-mcp: unexpected error\n${escapeText(`${thrown instanceof Error ? thrown.stack : thrown}`)}\n`,
    );
    return 1;
  }
  const isUsage = error instanceof UsageError;
  const { code, details } = isUsage ? new UserError("INVALID_ARGUMENT", error.message) : error;
  const message = isUsage ? withProgram(error.message, program) : explain(error, program);
  if (json) stdout.write(asJson({ success: false, error: { code, message, details } }));
  stderr.write(fitted(`vibe-mcp: ${escapeText(message)}\n`, stderr, { program, wrap }));
  return isUsage ? 2 : 1;
}

/** An error for a person: what to type next, and similar names. */
function explain({ problem, next, details }: UserError, program: string): string {
  const step = next && NEXT_STEPS[next](program, typedDetails(details));
  const names = Array.isArray(details["suggestions"]) ? details["suggestions"].map(String) : [];
  const near = names.length === 0 ? undefined : `Did you mean: ${listNames(names)}?`;
  return [problem, step, near].filter(Boolean).join(" ");
}

/** A path that starts with its project names that, too. */
function typedDetails({
  path = "",
  task = "",
  project = projectOf(String(path)),
}: UserError["details"]): Details {
  const typed = (value: unknown) => quoted(String(value));
  return { project: typed(project), path: typed(path), task: typed(task) };
}

/** The message with the program as it was started. */
function withProgram(message: string, program: string): string {
  return message.replaceAll(/\bvibe-mcp (?=[a-z-])/g, () => `${program} `);
}
