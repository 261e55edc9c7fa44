import { OPTIONS, type Option } from "../config.ts";
import type { Command, CommandOption } from "./command.ts";
import { shownWord } from "./parse.ts";

type Row = readonly [left: string, right: string];

/** What the program is, with all its commands and settings. */
export function overview(commands: readonly Command[], version: string): string {
  const shown = commands.filter(({ hidden }) => !hidden);
  const rows: Row[] = shown.map((command) => [usage(command), command.summary]);
  return `vibe-mcp ${version}: project context for AI agents, from Markdown files, over MCP.

Usage: vibe-mcp [command] [options]

${table([["(no command)", "Serve the workspace to an agent over MCP on stdio."], ...rows])}

Settings (default; environment variable):
${table(settingRows((option) => option.only === undefined))}

Settings of serve:
${table(settingRows((option) => option.only === "serve"))}

${table([
  ["--help", "This, or with a command its words and options."],
  ["--version", "The version of this program."],
])}
`;
}

/** One command with its words and options. */
export function commandHelp(command: Command): string {
  const words: Row[] = command.words.map((word) => [shownWord(word), sentence(word.help)]);
  const options: Row[] = command.options.map((option) => [usageOfOption(option), option.help]);
  const parts = [
    `Usage: vibe-mcp ${usage(command)}${options.length > 0 ? " [options]" : ""}`,
    command.summary,
  ];
  const settings = settingRows((option) => option.only === command.name);
  const rows = [...words, ...options, ...settings];
  if (rows.length > 0) parts.push(table(rows));
  parts.push(`Example: vibe-mcp ${command.example}`);
  parts.push("The settings of the server (--root, --db, --log-level …) work here too: vibe-mcp --help");
  return `${parts.join("\n\n")}\n`;
}

/** `tasks [project]` */
export function usage({ name, words }: Command): string {
  return [name, ...words.map(shownWord)].join(" ");
}

/** `--limit <number>`, with `…` when it may be repeated. */
export function usageOfOption({ flag, value, many }: CommandOption): string {
  return `--${flag}${value === undefined ? "" : ` <${value}>`}${many ? " …" : ""}`;
}

/** A word's help as it stands alone: `words to find` becomes `Words to find.` */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

function settingRows(wanted: (option: Option) => boolean): Row[] {
  return Object.values<Option>(OPTIONS).filter(wanted).map(settingRow);
}

function settingRow({ flag, variable, value, fallback, help }: Option): Row {
  if (flag === undefined) return [variable ?? "", `${help} (${fallback})`];
  const left = usageOfOption({ flag, help, ...(value !== undefined && { value }) });
  return [left, `${help} (${[fallback, variable].filter(Boolean).join("; ")})`];
}

function table(rows: readonly Row[]): string {
  const width = Math.max(24, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd()).join("\n");
}
