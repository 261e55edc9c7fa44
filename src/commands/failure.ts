import type { NextStep, UserError } from "../lib/errors.ts";
import { listNames } from "../lib/escape.ts";
import { quoted } from "./paint.ts";

/** What a person types next, about the project that an error names. */
const NEXT_STEPS: Record<NextStep, (program: string, project: string) => string> = {
  "create-project": (program) => `Create one: ${program} init my-project. Or try an example: ${program} demo`,
  "list-projects": (program) =>
    `Use names as \`${program} projects\` shows them: no '..', no hidden or absolute names, no links that lead out.`,
  "list-documents": (program, project) =>
    `Call \`${program} projects ${project}\`, or search, to see what exists.`,
  "list-tasks": (program, project) => `Call \`${program} tasks ${project}\` to see its tasks.`,
};

/** An error as a person reads it: what to type next, and names that are near. */
export function explain({ problem, next, details }: UserError, program: string): string {
  const step = next && NEXT_STEPS[next](program, quoted(String(details["project"])));
  const names = Array.isArray(details["suggestions"]) ? details["suggestions"].map(String) : [];
  const near = names.length === 0 ? undefined : `Did you mean: ${listNames(names)}?`;
  return [problem, step, near].filter(Boolean).join(" ");
}

/** A message with what the person types in the place of the program's name. */
export function asTyped(message: string, program: string): string {
  return message.replaceAll(/\bvibe-mcp (?=[a-z-])/g, () => `${program} `);
}
