import { UsageError } from "../config/options.ts";
import { type NextStep, UserError } from "../lib/errors.ts";
import { listNames } from "../lib/escape.ts";
import type { Terminal } from "./command.ts";
import { asJson, printable, quoted } from "./format.ts";

/** What a person types next, about the project that an error names. */
const NEXT_STEPS: Record<NextStep, (program: string, project: string) => string> = {
  "create-project": (program) => `Create one: ${program} init my-project. Or try an example: ${program} demo`,
  "list-projects": (program) =>
    `Use names as \`${program} projects\` shows them: no '..', no hidden or absolute names, no links that lead out.`,
  "list-documents": (program, project) =>
    `Run \`${program} projects ${project}\`, or search, to see what exists.`,
  "list-tasks": (program, project) => `Run \`${program} tasks ${project}\` to see its tasks.`,
};

/** Prints an error: one line on stderr, and with `--json` the error of the tools on stdout. Returns the exit code. */
export function fail(
  error: unknown,
  { stdout, stderr }: Terminal,
  how: { json: boolean; program: string },
): number {
  const { json, program } = how;
  if (!(error instanceof UserError) && !(error instanceof UsageError)) {
    stderr.write(
      `vibe-mcp: unexpected error\n${printable(`${error instanceof Error ? error.stack : error}`)}\n`,
    );
    return 1;
  }
  const isUsage = error instanceof UsageError;
  const { code, message, details } = isUsage ? new UserError("INVALID_ARGUMENT", error.message) : error;
  if (json) stdout.write(asJson({ success: false, error: { code, message, details } }));
  stderr.write(`vibe-mcp: ${printable(isUsage ? asTyped(message, program) : explain(error, program))}\n`);
  return isUsage ? 2 : 1;
}

/** An error for a person: what to type next, and similar names. */
function explain({ problem, next, details }: UserError, program: string): string {
  const step = next && NEXT_STEPS[next](program, quoted(String(details["project"])));
  const names = Array.isArray(details["suggestions"]) ? details["suggestions"].map(String) : [];
  const near = names.length === 0 ? undefined : `Did you mean: ${listNames(names)}?`;
  return [problem, step, near].filter(Boolean).join(" ");
}

/** A message with the program's name as the person typed it. */
function asTyped(message: string, program: string): string {
  return message.replaceAll(/\bvibe-mcp (?=[a-z-])/g, () => `${program} `);
}
