import { parseArgs } from "node:util";
import { type Flags, OPTIONS, type Option, UsageError } from "../core/config/options.ts";
import { quoteName } from "../core/lib/escape.ts";
import { quoted } from "../core/lib/shell.ts";
import { isTypo, nearest } from "../core/lib/text.ts";
import type { Command, CommandOption, CommandWord, OptionValues } from "./command.ts";
import { rightLine } from "./other-words.ts";

export interface CommandLine {
  /** Undefined for the bare command. */
  command: Command | undefined;
  /** The settings that every command takes. */
  settings: Flags;
  options: OptionValues;
  words: string[];
  /** `settings` for the help of the settings, `all` for that of all commands. */
  help: boolean | "settings" | "all";
  version: boolean;
}

interface Token {
  /** The argument itself, for messages. */
  typed: string;
  flag: string;
  value: string | boolean;
}

/** What was typed. */
interface ArgumentTokens {
  tokens: readonly Token[];
  known: readonly CommandOption[];
  commands: readonly Command[];
  argv: readonly string[];
}

const GENERAL: readonly CommandOption[] = [
  { flag: "help", help: "" },
  { flag: "version", help: "" },
];
const SHORT = new Map([
  ["-h", "--help"],
  ["-v", "--version"],
  ["-V", "--version"],
]);

/** Parses the arguments and checks them against the command table. Throws UsageError. */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[]): CommandLine {
  const { tokens, words: found, known, command } = tokensFor(argv, commands);
  const isHelp = found[0] === "help";
  const [name, ...typed] = isHelp ? found.slice(1) : found;
  const has = (flag: string) => tokens.some((token) => token.flag === flag);
  const [asked, version] = [isHelp || has("help"), has("version")];
  const help = helpFor({ asked, name, all: command === undefined && has("all") });
  if (command === undefined) checkName(name, { help, tokens, known, commands, argv });
  for (const token of tokens) if (help !== "all" || token.flag !== help) checkToken(token, command, commands);
  const words = typed.map((word, at) => meant(command?.words[at], word));
  if (command !== undefined && !help && !version) checkWords(command, words);
  return {
    command,
    settings: flagsOf(tokens),
    options: valuesOf(tokens, optionsOf(command)),
    words,
    help,
    version,
  };
}

/** The settings that have a flag: all of them, or only those that a command takes (`""` is the bare command). */
export function settingsOf(command?: string): CommandOption[] {
  return Object.values<Option>(OPTIONS).filter(
    (option): option is Option & CommandOption =>
      option.flag !== undefined &&
      [undefined, option.only ?? command].includes(command) &&
      !option.except?.includes(command ?? ""),
  );
}

/** All options of a command: its own, which may say more about a setting, then the settings. */
export function optionsOf(command: Command | undefined): CommandOption[] {
  const own = command?.options ?? [];
  const settings = settingsOf(command?.name ?? "");
  return [...own, ...settings.filter(({ flag }) => own.every((option) => option.flag !== flag))];
}

/** The options and words typed, and the command, whose own options count: what takes a value in one command is a switch of another. */
export function tokensFor(argv: readonly string[], commands: readonly Command[]) {
  const all = [...settingsOf(), ...GENERAL, ...commands.flatMap(({ options }) => options)];
  const takesValue = ({ value }: CommandOption) => value !== undefined;
  const known = [...all.filter((option) => !takesValue(option)), ...all.filter(takesValue)];
  const { words } = tokenize(argv, known);
  const name = words[0] === "help" ? words[1] : words[0];
  const command = commands.find((candidate) => candidate.name === name);
  return { ...tokenize(argv, [...known, ...(command?.options ?? [])]), known, command };
}

/** Separates options from words; a word may start with a hyphen and a space, like a list item. */
function tokenize(argv: readonly string[], known: readonly CommandOption[]) {
  // The last one counts.
  const types = known.map(
    ({ flag, value }) => [flag, { type: value === undefined ? "boolean" : "string" }] as const,
  );
  const [args, options] = [argv.map(unambiguous), Object.fromEntries(types)];
  const parsed = parseArgs({ args, options, strict: false, tokens: true }).tokens;
  const words = parsed.filter(({ kind }) => kind === "positional").map(({ index }) => argv[index] ?? "");
  const tokens = parsed.flatMap((token): Token[] => {
    if (token.kind !== "option") return [];
    const { index, name, value = true, inlineValue } = token;
    const typed = argv[index] ?? "";
    if (name.startsWith("no-") && !(name in options)) return [{ typed, flag: name.slice(3), value: false }];
    return [{ typed, flag: name, value: inlineValue === false ? (argv[index + 1] ?? true) : value }];
  });
  return { tokens, words };
}

/** Rewrites a single hyphen, after which `parseArgs` would read several one-letter options. */
function unambiguous(typed: string): string {
  if (/^-\p{L}/u.test(typed)) return SHORT.get(typed) ?? `---${typed}`;
  return typed.replace(/^-(?=[^-])/, "");
}

function checkToken(token: Token, command: Command | undefined, commands: readonly Command[]): void {
  const { typed, flag, value } = token;
  const options = [...optionsOf(command), ...GENERAL];
  const option = options.find((candidate) => candidate.flag === flag);
  const help = `See: vibe-mcp ${command === undefined ? "" : `${command.name} `}--help`;
  const shown = typed.split("=")[0] ?? typed;
  const isOneOf = (settings: readonly CommandOption[]) => settings.some((setting) => setting.flag === flag);
  const isSetting = isOneOf(settingsOf());
  if (option === undefined && isSetting && !isOneOf(settingsOf("")))
    throw new UsageError(`${shown} works with serve only: vibe-mcp serve ${shown}. ${help}`);
  if (option === undefined || (value === false && !isSetting)) {
    const hint = value === false ? "" : hintFor(token, options, commands);
    throw new UsageError(`${command?.name ?? "the server"} has no option ${shown}.${hint} ${help}`);
  }
  if (option.value !== undefined) checkValue(option, token, help);
  else if (typeof value === "string" && !isSetting) throw new UsageError(`${shown} takes no value. ${help}`);
}

/** Names the commands that have the option, or the nearest option of this one. */
function hintFor(
  { typed, flag }: Token,
  options: readonly CommandOption[],
  commands: readonly Command[],
): string {
  if (/^-[^-]./.test(typed)) return ` Put words that start with a hyphen last, after "--".`;
  const owners = commands.filter((command) => command.options.some((option) => option.flag === flag));
  const names = owners.slice(0, 3).map(({ name }) => name);
  if (names.length > 0) return ` It belongs to ${names.join(", ")}${owners.length > 3 ? ", …" : ""}.`;
  const flags = options.map((option) => option.flag);
  const [suggestion] = nearest(flag, flags, 1);
  return suggestion === undefined ? "" : ` Did you mean --${suggestion}?`;
}

function checkValue(option: CommandOption, { typed, value }: Token, help: string): void {
  const flag = `--${option.flag}`;
  // A following option is not a value, but `--flag=--value` has one.
  if (typeof value !== "string" || (!typed.includes("=") && /^--?[a-z]/.test(value)))
    throw new UsageError(`${flag} needs a value: ${flag} <${option.value}>. ${help}`);
  const { values, range, meaning } = option;
  if (Array.isArray(values) && !values.includes(meaning?.(value) ?? value))
    throw new UsageError(`${flag} must be one of ${values.join(", ")}, not ${quoteName(value)}`);
  if (range === undefined) return;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= range[0] && number <= range[1]) return;
  throw new UsageError(
    `${flag} must be a whole number from ${range[0]} to ${range[1]}, not ${quoteName(value)}`,
  );
}

function checkWords(command: Command, typed: readonly string[]): void {
  const { name, words, example } = command;
  const missing = words.filter(({ required }) => required)[typed.length];
  if (missing !== undefined)
    throw new UsageError(`${name} needs ${missing.help}, for example: vibe-mcp ${example}`);
  for (const [at, word] of typed.entries()) {
    const expected = words[at] ?? words.find(({ many }) => many);
    if (expected === undefined) {
      const usage = ["vibe-mcp", name, ...words.map(usageOfWord)].join(" ");
      const hint = words.length === 0 ? "" : ". Put several words in quotes";
      throw new UsageError(`unexpected argument ${quoteName(word)}: ${usage}${hint}`);
    }
    if (Array.isArray(expected.values) && !expected.values.includes(word)) {
      const near = suggested(word, expected);
      const hint = near === undefined ? "" : `. Did you mean ${quoteName(near)}?`;
      throw new UsageError(`${quoteName(word)} is not one of ${expected.values.join(", ")}${hint}`);
    }
  }
}

function suggested(typed: string, { values, suggest }: CommandWord): string | undefined {
  if (suggest !== undefined || !Array.isArray(values)) return suggest?.(typed);
  return nearest(typed.replace(/[\s_]+/g, "-"), values, 1)[0];
}

/** `<project>`, or `[project]` for an optional word. */
export function usageOfWord({ name, required, many }: CommandWord): string {
  const text = `${name}${many ? "…" : ""}`;
  return required ? `<${text}>` : `[${text}]`;
}

/** What help is about; `all` may be an option or a word. */
function helpFor({ asked, name, all }: { asked: boolean; name: string | undefined; all: boolean }) {
  if (asked && name === "settings") return name;
  return asked && (all || name === "all") ? "all" : asked;
}

/** An unknown option is reported first: an unknown command may be its value. */
function checkName(
  name: string | undefined,
  { help, tokens, known, commands, argv }: Pick<CommandLine, "help"> & ArgumentTokens,
): void {
  if (name === undefined || typeof help !== "boolean") return;
  const at = argv.indexOf(name);
  const line = rightLine(name, argv.slice(at + 1));
  const unknown = tokens.filter(({ flag }) => !known.some((option) => option.flag === flag));
  for (const token of line === undefined ? unknown : []) checkToken(token, undefined, commands);
  const names = commands.filter(({ hidden }) => !hidden).map((candidate) => candidate.name);
  const [near] = nearest(name, names, 1).filter((one) => isTypo(name, one));
  const right = line ?? (near && ["vibe-mcp", ...argv.with(at, near).map(quoted)].join(" "));
  const hint = right === undefined ? "See: vibe-mcp help --all" : `Type: ${right}`;
  throw new UsageError(`there is no command ${quoteName(name)}. ${hint}`);
}

function meant(expected: CommandWord | undefined, typed: string): string {
  if (expected?.values === "project") return withoutSlash(typed);
  return expected?.meaning?.(typed) ?? typed;
}

/** A project or folder as shells complete it and lists print it: `tasks/`. */
function withoutSlash(name: string): string {
  return name.replace(/(?<=[^/])\/+$/, "");
}

function flagsOf(tokens: readonly Token[]): Flags {
  const entries = Object.entries<Option>(OPTIONS).flatMap(([name, { flag }]) => {
    const last = tokens.findLast((token) => token.flag === flag);
    return last === undefined ? [] : [[name, last.value] as const];
  });
  return Object.fromEntries(entries);
}

function valuesOf(tokens: readonly Token[], known: readonly CommandOption[]): OptionValues {
  const texts = (flag: string) => {
    const isFolder = ["project", "folder"].includes(flag);
    const meaning = isFolder ? withoutSlash : known.find((option) => option.flag === flag)?.meaning;
    return tokens
      .flatMap((token) => (token.flag === flag && typeof token.value === "string" ? [token.value] : []))
      .map((value) => meaning?.(value) ?? value);
  };
  return {
    has: (flag) => tokens.some((token) => token.flag === flag),
    text: (flag) => texts(flag).at(-1),
    texts,
    number: (flag) => (texts(flag).length === 0 ? undefined : Number(texts(flag).at(-1))),
  };
}
