import { styleText } from "node:util";
import { UsageError } from "../config/options.ts";
import { type NextStep, UserError } from "../lib/errors.ts";
import { escapeJson, escapeLine, escapeText, escapeUnseen, listNames, quoteForShell } from "../lib/escape.ts";
import type { CommandContext, Terminal } from "./command.ts";

type Format = Parameters<typeof styleText>[0];

/** Styles a text on a terminal that shows colours, and leaves it unchanged elsewhere. */
export type Paint = (format: Format, text: string) => string;

export function painter({ terminal: { stdout } }: CommandContext): Paint {
  return (format, text) => (text === "" ? text : styleText(format, text, { stream: stdout }));
}

/** Prints an answer: as JSON with `--json`, else as text for people. */
export function print({ options, terminal }: CommandContext, answer: unknown, text: string): void {
  terminal.stdout.write(options.has("json") ? asJson(answer) : text);
}

export function asJson(value: unknown): string {
  return escapeJson(`${JSON.stringify(value, null, 2)}\n`);
}

/** Text from a file, on one line: a document must not move the cursor or colour the terminal. */
export function oneLine(text: string): string {
  return escapeLine(text, Number.POSITIVE_INFINITY);
}

/** A word to type into a shell; invisible characters are written as bash and zsh read them: `$'a\u202eb'`. */
export function quoted(word: string): string {
  if (escapeUnseen(word) === word) return quoteForShell(word);
  const literal = word.replace(/['\\]/g, "\\$&");
  return `$'${escapeUnseen(literal, shellEscape)}'`;
}

function shellEscape(character: string): string {
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}

/** Asks a question on a terminal; elsewhere, and with `--json`, the answer is no. */
export async function confirm({ terminal, options }: CommandContext, question: string): Promise<boolean> {
  const { stdin, stdout, stderr } = terminal;
  if (!stdin.isTTY || !stdout.isTTY || options.has("json")) return false;
  const { createInterface } = await import("node:readline/promises");
  const prompt = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<string>((resolve) => prompt.once("close", () => resolve("")));
  const answer = await Promise.race([prompt.question(question), ended]);
  prompt.close();
  return /^(?:y|yes|s|sí|si|はい)$/i.test(answer.trim());
}

/** What to type next about the project that an error names. */
const NEXT_STEPS: Record<NextStep, (program: string, project: string) => string> = {
  "create-project": (program) => `Create one: ${program} init my-project. Or try an example: ${program} demo`,
  "list-projects": (program) =>
    `Use names as \`${program} projects\` shows them: no '..', no hidden or absolute names, no links that lead out.`,
  "list-documents": (program, project) =>
    `Run \`${program} projects ${project}\`, or search, to see what exists.`,
  "restore-anyway": () =>
    "That change stays. An agent can restore a version of this file alone (restore_doc).",
  "list-tasks": (program, project) => `Run \`${program} tasks ${project}\` to see its tasks.`,
};

/** Prints an error: one line on stderr, and with `--json` the error of the tools on stdout. Returns the exit code. */
export function fail(
  error: unknown,
  { stdout, stderr }: Terminal,
  { json, program }: { json: boolean; program: string },
): number {
  if (!(error instanceof UserError) && !(error instanceof UsageError)) {
    stderr.write(
      `vibe-mcp: unexpected error\n${escapeText(`${error instanceof Error ? error.stack : error}`)}\n`,
    );
    return 1;
  }
  const isUsage = error instanceof UsageError;
  const { code, message, details } = isUsage ? new UserError("INVALID_ARGUMENT", error.message) : error;
  if (json) stdout.write(asJson({ success: false, error: { code, message, details } }));
  stderr.write(`vibe-mcp: ${escapeText(isUsage ? asTyped(message, program) : explain(error, program))}\n`);
  return isUsage ? 2 : 1;
}

/** An error for a person: what to type next, and similar names. */
function explain({ problem, next, details }: UserError, program: string): string {
  const step = next && NEXT_STEPS[next](program, quoted(String(details["project"])));
  const names = Array.isArray(details["suggestions"]) ? details["suggestions"].map(String) : [];
  const near = names.length === 0 ? undefined : `Did you mean: ${listNames(names)}?`;
  return [problem, step, near].filter(Boolean).join(" ");
}

/** The message with the program as it was started. */
function asTyped(message: string, program: string): string {
  return message.replaceAll(/\bvibe-mcp (?=[a-z-])/g, () => `${program} `);
}
