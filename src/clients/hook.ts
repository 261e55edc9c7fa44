import { type Entry, isEntry, type Json, type Target } from "./entry.ts";
import { hideJson } from "./hide.ts";
import { appendJson, type JsonPath, parseJson, removeJson, setJson } from "./jsonc.ts";

/** Claude Code's hook for the start of a session: what the command prints is the agent's first input. */
const HOOKS = ["hooks", "SessionStart"] as const;
/** Not after `resume`: the text is already there. */
const MATCHER = "startup|clear|compact";
const OUR_COMMAND = /\bvibe-mcp\b.*\sbrief\b/;

/** Its value is the command line. */
export const hookTarget: Target<string> = {
  parse: (text) => parseJson(text, true),
  read: (text) => findHook(parseJson(text, true))?.command,
  write: (text, command) => {
    const settings = parseJson(text, true);
    const found = findHook(settings);
    if (found !== undefined) {
      const isSame = found.command === command;
      return isSame ? text : setJson(text, [...HOOKS, found.group, "hooks", found.at, "command"], command);
    }
    const group: Entry = { matcher: MATCHER, hooks: [{ type: "command", command }] };
    const isList = isEntry(settings["hooks"]) && settings["hooks"]["SessionStart"] !== undefined;
    return isList ? appendJson(text, HOOKS, group) : setJson(text, HOOKS, [group]);
  },
  remove: (text) => {
    const found = findHook(parseJson(text, true));
    return found === undefined ? text : removeJson(text, pathOf(found));
  },
  scalars: (command) => [command, "command", MATCHER],
  hide: hideJson,
};

interface Hook {
  command: string;
  /** Its index in the list of groups, and among the hooks of its group. */
  group: number;
  at: number;
  /** Whether it is the only hook of its group. */
  isOnly: boolean;
}

function pathOf({ group, at, isOnly }: Hook): JsonPath {
  return isOnly ? [...HOOKS, group] : [...HOOKS, group, "hooks", at];
}

function findHook(settings: Entry): Hook | undefined {
  const hooks = isEntry(settings["hooks"]) ? settings["hooks"]["SessionStart"] : undefined;
  const all = listOf(hooks).flatMap((entry, group) => {
    const list = isEntry(entry) ? listOf(entry["hooks"]) : [];
    return list.map((hook, at) => {
      const command = isEntry(hook) ? hook["command"] : undefined;
      return { command: String(command), group, at, isOnly: list.length === 1 };
    });
  });
  return all.find(({ command }) => OUR_COMMAND.test(command));
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
