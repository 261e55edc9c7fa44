import { UserError } from "../lib/errors.ts";
import { listedName, quoteName } from "../lib/escape.ts";
import { nearest } from "../lib/text.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Prompt } from "./prompts.ts";

export interface PromptText {
  description: string;
  messages: { role: "user"; content: { type: "text"; text: string } }[];
}

/** The prompts that a server has, over its workspace. */
interface Offer {
  workspace: Workspace;
  prompts: readonly Prompt[];
}

/** Throws INVALID_ARGUMENT and PROJECT_NOT_FOUND, naming what exists. */
export async function getPrompt(
  { workspace, prompts }: Offer,
  name: string,
  given: Record<string, string> = {},
): Promise<PromptText> {
  const prompt = findPrompt(prompts, name);
  checkArguments(prompt, given);
  const project = workspace.findProject(given["project"] ?? "");
  const focus = given["focus"]?.trim() || undefined;
  const text = await prompt.render(workspace, { project, focus });
  const description = `${prompt.title}: ${listedName(project)}`;
  return { description, messages: [{ role: "user", content: { type: "text", text } }] };
}

/** All values that an argument of a prompt can take. */
export async function completePrompt(
  { workspace, prompts }: Offer,
  name: string,
  { argument, known }: { argument: string; known: Record<string, string> },
): Promise<string[]> {
  const prompt = findPrompt(prompts, name);
  const found = prompt.arguments.find((candidate) => candidate.name === argument);
  if (found === undefined) throw unknownArgument(prompt, argument);
  return found.values(workspace, known);
}

function findPrompt(prompts: readonly Prompt[], name: string): Prompt {
  const prompt = prompts.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  const names = prompts.map((candidate) => candidate.name);
  const message = `This server has no prompt ${quoteName(name, 100)}. It has: ${names.join(", ")}.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { suggestions: nearest(name, names) } });
}

function checkArguments(prompt: Prompt, given: Record<string, string>): void {
  const names = prompt.arguments.map(({ name }) => name);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownArgument(prompt, unknown);
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name]?.trim());
  if (missing === undefined) return;
  const message = `'${missing.name}' is missing. ${missing.description}.`;
  throw new UserError("INVALID_ARGUMENT", message, { details: { argument: missing.name } });
}

function unknownArgument(prompt: Prompt, name: string): UserError {
  const names = prompt.arguments.map((argument) => argument.name);
  const message = `${quoteName(name, 100)} is not an argument of ${prompt.name}. It takes: ${names.join(", ")}.`;
  return new UserError("INVALID_ARGUMENT", message, { details: { suggestions: nearest(name, names) } });
}
