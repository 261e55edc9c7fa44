import { OPTIONS, type Option } from "../core/config/options.ts";
import { capitalized } from "../core/lib/text.ts";
import { usageOfWord } from "./args.ts";
import type { Command, CommandOption } from "./command.ts";

type Row = readonly [left: string, right: string];

/** What one needs daily, by what one wants; `help --all` has every command. */
export const DAILY: readonly (readonly [title: string, commands: readonly string[]])[] = [
  ["Ask", ["search", "show"]],
  ["Tasks", ["tasks", "new", "claim", "tick", "status"]],
  ["Notes", ["log", "undo"]],
  ["People and machines", ["board", "sync"]],
  ["Set up", ["init", "connect", "doctor"]],
];

/** What the program is, and its commands, a line each: the daily ones in groups, or all of them. */
export function overview(commands: readonly Command[], version: string, all: boolean): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  const bare: Row = ["(no command)", "Serve the workspace to an agent over MCP on stdio."];
  const groups = all ? [["Commands", shown.map(({ name }) => name)] as const] : DAILY;
  const rows = groups.map(([title, names]) => {
    const named = names.flatMap((name) => shown.filter((command) => command.name === name));
    return [title, named.map((command): Row => [usage(command), command.summary])] as const;
  });
  const width = widthOf([bare, ...rows.flatMap(([, list]) => list)]);
  return `vibe-mcp ${version}: project context for AI agents, from Markdown files, over MCP.
Usage: vibe-mcp [command] [options]

${[table([bare], width), ...rows.map(([title, list]) => `${title}\n${table(list, width)}`)].join("\n\n")}

${all ? "" : "All commands: vibe-mcp help --all\n"}More: vibe-mcp <command> --help, vibe-mcp help settings, vibe-mcp --version
`;
}

/** All settings, for `help settings`. */
export function settingsHelp(): string {
  return `Settings, as options or environment variables:
${table(settingRows(undefined))}

Settings of serve:
${table(settingRows("serve"))}
`;
}

/** One command with its words and options. */
export function commandHelp(command: Command): string {
  const { name, summary, words, options, example } = command;
  const rows: Row[] = [
    ...words.map((word): Row => [usageOfWord(word), sentence(word.help)]),
    ...options.map((option): Row => [usageOfOption(option), option.help]),
    ...settingRows(name),
  ];
  const parts = [
    `Usage: vibe-mcp ${usage(command)}${options.length > 0 ? " [options]" : ""}`,
    summary,
    ...(rows.length > 0 ? [table(rows)] : []),
    `Example: vibe-mcp ${example}`,
    "Settings (--root, --db, --log-level …) work here too: vibe-mcp help settings",
  ];
  return `${parts.join("\n\n")}\n`;
}

/** `tasks [project]` */
export function usage({ name, words }: Command): string {
  return [name, ...words.map(usageOfWord)].join(" ");
}

/** `--limit <number>`, with `…` if it may be repeated. */
export function usageOfOption({ flag, value, many }: CommandOption): string {
  return `--${flag}${value === undefined ? "" : ` <${value}>`}${many ? " …" : ""}`;
}

/** A word's help as a sentence: `words to find` becomes `Words to find.` */
export function sentence(text: string): string {
  return `${capitalized(text)}${text.endsWith(".") ? "" : "."}`;
}

/** The settings that only `command` takes; undefined selects those of every command. */
function settingRows(command: string | undefined): Row[] {
  return Object.values<Option>(OPTIONS)
    .filter(({ only }) => only === command)
    .map(({ flag, variable, value, fallback, help }) => {
      const left =
        flag === undefined ? (variable ?? "") : usageOfOption({ flag, help, ...(value && { value }) });
      const notes = [`default: ${fallback}`, ...(flag !== undefined && variable ? [variable] : [])];
      return [left, `${help} (${notes.join("; ")})`];
    });
}

function widthOf(rows: readonly Row[]): number {
  return Math.max(24, ...rows.map(([left]) => left.length));
}

function table(rows: readonly Row[], width = widthOf(rows)): string {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join("\n");
}
