import { quoted } from "../core/lib/shell.ts";

/** What people type by habit, and the line that does it; what they typed after it takes the places of `<words>`. */
export const LINES: readonly (readonly [habit: string, line: string])[] = [
  ["done finish close complete resolve approve", "status <task> done"],
  ["start begin", "status <task> in-progress"],
  ["block", "status <task> blocked"],
  ["reopen", "status <task> pending"],
  ["ls list todo todos issues", "tasks"],
  ["add create task", "new <title>"],
  ["rm remove del", "delete <document>"],
  ["mv rename", "move <document> <place>"],
  ["cat view read open get", "show <document>"],
  ["find grep query ask", "search <words>"],
  ["take assign-me", "claim"],
  ["next ready", "tasks --ready"],
  ["check", "tick <task> <steps>"],
  ["note session", "log <text>"],
  ["revert", "undo"],
  ["changes versions", "history"],
  ["web ui gui kanban", "board"],
  ["push pull share", "sync"],
  ["setup install", "init"],
  ["briefing context", "brief"],
  ["modify update", "edit <document>"],
  ["health", "doctor"],
  ["server http", "serve"],
  ["example", "demo"],
  ["migrate", "import <program> <folder>"],
];

/** The line for a command by another name, with the words and options typed after it; undefined for a word of no meaning here. */
export function rightLine(name: string, typed: readonly string[]): string | undefined {
  const [, line] = LINES.find(([habits]) => habits.split(" ").includes(name.toLowerCase())) ?? [];
  if (line === undefined) return undefined;
  const given = [...typed];
  const next = () => {
    const at = given.findIndex((word) => !word.startsWith("-"));
    return at === -1 ? undefined : quoted(given.splice(at, 1)[0] ?? "");
  };
  const filled = line.replace(/<[^>]*>/g, (place) => next() ?? place);
  return ["vibe-mcp", filled, ...given.map(quoted)].join(" ");
}
