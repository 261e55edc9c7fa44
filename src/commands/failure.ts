import type { UserError } from "../lib/errors.ts";
import { listNames } from "../lib/escape.ts";
import { quoted } from "./paint.ts";

/** What people type in the place of a tool. */
const COMMANDS: Record<string, string> = {
  list_projects: "projects",
  list_tasks: "tasks",
  init_project: "init",
  read_doc: "show",
  update_task_status: "status",
};

/** An error as a person reads it: commands in the place of tools, then what to type next. */
export function explain({ code, message, details }: UserError, program: string): string {
  const project = typeof details["project"] === "string" ? ` ${quoted(details["project"])}` : "";
  const text = message.replace(/\b([a-z]+_[a-z_]+)( with this project)?\b/g, (whole, name: string) => {
    const command = COMMANDS[name];
    if (command === undefined) return whole;
    return `\`${program} ${command}${code === "PROJECT_NOT_FOUND" ? "" : project}\``;
  });
  const names = Array.isArray(details["suggestions"]) ? details["suggestions"].map(String) : [];
  const near = names.length === 0 ? "" : ` Did you mean: ${listNames(names)}?`;
  const isEmpty = code === "PROJECT_NOT_FOUND" && message.endsWith("no project yet.");
  const hint = isEmpty ? ` Create one: ${program} init my-project. Or try an example: ${program} demo` : "";
  return `${text}${near}${hint}`;
}

/** A message with what the person types in the place of the program's name. */
export function asTyped(message: string, program: string): string {
  return message.replaceAll(/\bvibe-mcp (?=[a-z-])/g, () => `${program} `);
}
