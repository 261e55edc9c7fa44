import { parseArgs } from "node:util";
import { type Flags, OPTIONS, type Option, UsageError } from "../config.ts";
import { nearest } from "../lib/text.ts";
import type { Command, CommandOption, Given } from "./command.ts";

export interface CommandLine {
  /** Undefined for the bare program. */
  command: Command | undefined;
  /** What was given of the settings that every command takes. */
  settings: Flags;
  options: Given;
  words: string[];
  help: boolean;
  version: boolean;
}

interface Token {
  /** As it was typed, for messages. */
  typed: string;
  flag: string;
  value: string | boolean;
}

const OWN: readonly CommandOption[] = [
  { flag: "help", help: "" },
  { flag: "version", help: "" },
];
const SHORT = new Map([
  ["-h", "--help"],
  ["-v", "--version"],
  ["-V", "--version"],
]);

/** What was typed, checked against the table of commands. Throws UsageError. */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[]): CommandLine {
  const known = [...SETTINGS, ...OWN, ...commands.flatMap(({ options }) => options)];
  const { tokens, words } = tokenize(argv, known);
  const asksHelp = words[0] === "help";
  const [name, ...rest] = asksHelp ? words.slice(1) : words;
  const named = commands.find((candidate) => candidate.name === name);
  // An option that no command has explains the word after it, which looks like a command.
  const stray = tokens.find(({ flag }) => !known.some((option) => option.flag === flag));
  if (named === undefined && stray !== undefined)
    checkToken(stray, [...settingsOf(BARE), ...OWN], { commands });
  const command = name === undefined ? undefined : (named ?? noCommand(name, commands));
  const options = [...settingsOf(command?.name ?? BARE), ...OWN, ...(command?.options ?? [])];
  for (const token of tokens) checkToken(token, options, { command, commands });
  const help = asksHelp || tokens.some(({ flag }) => flag === "help");
  const version = tokens.some(({ flag }) => flag === "version");
  if (command !== undefined && !help && !version) checkWords(command, rest);
  return { command, settings: flagsOf(tokens), options: given(tokens), words: rest, help, version };
}

/** The settings that a command takes, by its name, besides its own options; all there are, without a name. */
export function settingsOf(command?: string): readonly CommandOption[] {
  return Object.values<Option>(OPTIONS).flatMap(({ flag, value, help, only }) =>
    flag === undefined || (command !== undefined && only !== undefined && only !== command)
      ? []
      : [{ flag, help, ...(value !== undefined && { value }) }],
  );
}

const SETTINGS = settingsOf();
const BARE = "";

/** Options and words apart; a word may begin with a hyphen and a space, as a line of a list does. */
export function tokenize(argv: readonly string[], known: readonly CommandOption[]) {
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
    if (name.startsWith("no-") && !known.some(({ flag }) => flag === name))
      return [{ typed, flag: name.slice(3), value: false }];
    return [{ typed, flag: name, value: inlineValue === false ? (argv[index + 1] ?? true) : value }];
  });
  return { tokens, words };
}

/** For `parseArgs`, which reads any other word behind a single hyphen as several options of one letter. */
function unambiguous(typed: string): string {
  if (/^-\p{L}/u.test(typed)) return SHORT.get(typed) ?? `---${typed}`;
  return typed.replace(/^-(?=[^-])/, "");
}

function checkToken(
  { typed, flag, value }: Token,
  options: readonly CommandOption[],
  { command, commands }: { command?: Command | undefined; commands: readonly Command[] },
): void {
  const option = options.find((candidate) => candidate.flag === flag);
  const help = `See: vibe-mcp ${command === undefined ? "" : `${command.name} `}--help`;
  const shown = typed.split("=")[0] ?? typed;
  const isSetting = SETTINGS.some((setting) => setting.flag === flag);
  if (option === undefined && isSetting)
    throw new UsageError(`${shown} is for serve: vibe-mcp serve ${shown}. ${help}`);
  if (option === undefined || (value === false && !isSetting)) {
    const hint = value === false ? "" : hintFor({ typed, flag }, options, commands);
    throw new UsageError(`${command?.name ?? "the server"} has no option ${shown}.${hint} ${help}`);
  }
  if (option.value === undefined) {
    if (typeof value === "string" && !isSetting)
      throw new UsageError(`${shown} is a switch and takes no value. ${help}`);
  } else checkValue(option, { typed, value }, help);
}

/** Where an option belongs that is not among `options`, or the one that was meant. */
function hintFor(
  { typed, flag }: Pick<Token, "typed" | "flag">,
  options: readonly CommandOption[],
  commands: readonly Command[],
): string {
  if (/^-[^-]./.test(typed)) return ` A word that begins with a hyphen goes last, behind "--".`;
  const owners = commands.filter((command) => command.options.some((option) => option.flag === flag));
  const names = owners.slice(0, 3).map(({ name }) => name);
  if (names.length > 0) return ` It belongs to ${names.join(", ")}${owners.length > 3 ? ", …" : ""}.`;
  const flags = options.map((option) => option.flag);
  const [suggestion] = nearest(flag, flags, 1);
  return suggestion === undefined ? "" : ` Did you mean --${suggestion}?`;
}

function checkValue(
  option: CommandOption,
  { typed, value }: Pick<Token, "typed" | "value">,
  help: string,
): void {
  const flag = `--${option.flag}`;
  // The next option is no value; whoever means it writes `--flag=--value`.
  if (typeof value !== "string" || (!typed.includes("=") && /^--?[a-z]/.test(value))) {
    throw new UsageError(`${flag} takes a value: ${flag} <${option.value}>. ${help}`);
  }
  const { values, range } = option;
  if (Array.isArray(values) && !values.includes(value))
    throw new UsageError(`${flag} takes one of ${values.join(", ")}, not "${value}"`);
  if (range === undefined) return;
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= range[0] && number <= range[1]) return;
  const wanted =
    range[1] === Number.MAX_SAFE_INTEGER ? `from ${range[0]} on` : `from ${range[0]} to ${range[1]}`;
  throw new UsageError(`${flag} takes a whole number ${wanted}, not "${value}"`);
}

function checkWords({ name, words, example }: Command, typed: readonly string[]): void {
  const missing = words.filter(({ required }) => required)[typed.length];
  if (missing !== undefined)
    throw new UsageError(`${name} needs ${missing.help}, for example: vibe-mcp ${example}`);
  for (const [at, word] of typed.entries()) {
    const expected = words[at] ?? words.find(({ many }) => many);
    if (expected === undefined) {
      const usage = ["vibe-mcp", name, ...words.map(shownWord)].join(" ");
      if (words.length === 0) throw new UsageError(`${name} takes no words, and not "${word}": ${usage}`);
      throw new UsageError(`"${word}" is a word too many: ${usage}. Put several words into quotes`);
    }
    if (Array.isArray(expected.values) && !expected.values.includes(word))
      throw new UsageError(`"${word}" is not one of ${expected.values.join(", ")}`);
  }
}

/** `<project>`, or `[project]` for a word that may be left out. */
export function shownWord({ name, required, many }: Command["words"][number]): string {
  const text = `${name}${many ? "…" : ""}`;
  return required ? `<${text}>` : `[${text}]`;
}

function noCommand(name: string, commands: readonly Command[]): never {
  const names = commands.filter(({ hidden }) => !hidden).map((candidate) => candidate.name);
  const [suggestion] = nearest(name, names, 1);
  const hint = suggestion === undefined ? `Commands: ${names.join(", ")}.` : `Did you mean "${suggestion}"?`;
  throw new UsageError(`there is no command "${name}". ${hint} See: vibe-mcp --help`);
}

function flagsOf(tokens: readonly Token[]): Flags {
  const entries = Object.entries<Option>(OPTIONS).flatMap(([name, { flag }]) => {
    const last = tokens.findLast((token) => token.flag === flag);
    return last === undefined ? [] : [[name, last.value] as const];
  });
  return Object.fromEntries(entries);
}

function given(tokens: readonly Token[]): Given {
  const texts = (flag: string) =>
    tokens.flatMap((token) => (token.flag === flag && typeof token.value === "string" ? [token.value] : []));
  return {
    has: (flag) => tokens.some((token) => token.flag === flag),
    text: (flag) => texts(flag).at(-1),
    texts,
    number: (flag) => (texts(flag).length === 0 ? undefined : Number(texts(flag).at(-1))),
  };
}
