import { type Entry, isEntry, type Json, type Target } from "./entry.ts";
import { hideJson, scalarsOf } from "./hide.ts";
import { appendJson, type JsonPath, parseJson, removeJson, setJson } from "./jsonc.ts";

/** The command lines of Claude Code's hooks, by event. */
export type Hooks = { [event in HookEvent]?: string };

interface EventFacts {
  /** The sessions that it is for; all without it. */
  matcher?: string;
  /** What a command line of this program looks like there. */
  ours: RegExp;
  /** In seconds; Claude Code's own is short at the end of a session. */
  timeout?: number;
}

const CAPTURE = { ours: /\bvibe-mcp\b.*\scapture\b/, timeout: 10 };
const EVENTS = {
  /** What the command prints is the agent's first input. Not after `resume`: the text is already there. */
  SessionStart: { matcher: "startup|clear|compact", ours: /\bvibe-mcp\b.*\sbrief\b/ },
  PreCompact: CAPTURE,
  SessionEnd: CAPTURE,
} satisfies Record<string, EventFacts>;

type HookEvent = keyof typeof EVENTS;

const EVENT_NAMES = Object.keys(EVENTS) as HookEvent[];

/** Hooks that a value lacks are removed by writing it. */
export const hookTarget: Target<Hooks & Entry> = {
  parse: (text) => parseJson(text, true),
  read: (text) => {
    const settings = parseJson(text, true);
    const found = EVENT_NAMES.flatMap((event) => {
      const hook = findHook(settings, event);
      return hook === undefined ? [] : [[event, hook.command] as const];
    });
    return found.length === 0 ? undefined : Object.fromEntries(found);
  },
  write: (text, hooks) =>
    EVENT_NAMES.reduce((result, event) => {
      const command = hooks[event];
      return command === undefined ? removeHook(result, event) : writeHook(result, event, command);
    }, text),
  remove: (text) => EVENT_NAMES.reduce(removeHook, text),
  scalars: (hooks) =>
    EVENT_NAMES.flatMap((event) => {
      const command = hooks[event];
      return command === undefined ? [] : scalarsOf(groupOf(event, command));
    }),
  hide: hideJson,
};

function writeHook(text: string, event: HookEvent, command: string): string {
  const settings = parseJson(text, true);
  const found = findHook(settings, event);
  const place = ["hooks", event];
  if (found !== undefined) {
    const isSame = found.command === command;
    return isSame ? text : setJson(text, [...place, found.group, "hooks", found.at, "command"], command);
  }
  const group = groupOf(event, command);
  const isList = groupsOf(settings, event) !== undefined;
  return isList ? appendJson(text, place, group) : setJson(text, place, [group]);
}

function groupOf(event: HookEvent, command: string): Entry {
  const { matcher, timeout }: EventFacts = EVENTS[event];
  const hook: Entry = { type: "command", command, ...(timeout !== undefined && { timeout }) };
  return { ...(matcher !== undefined && { matcher }), hooks: [hook] };
}

function removeHook(text: string, event: HookEvent): string {
  const found = findHook(parseJson(text, true), event);
  return found === undefined ? text : removeJson(text, pathOf(found, event));
}

interface Hook {
  command: string;
  /** Its index in the list of groups, and among the hooks of its group. */
  group: number;
  at: number;
  /** Whether it is the only hook of its group, and that the only group. */
  isOnly: boolean;
  isOnlyGroup: boolean;
}

function pathOf({ group, at, isOnly, isOnlyGroup }: Hook, event: HookEvent): JsonPath {
  // The list of the first event may have been empty before.
  if (isOnly && isOnlyGroup && event !== "SessionStart") return ["hooks", event];
  return isOnly ? ["hooks", event, group] : ["hooks", event, group, "hooks", at];
}

function findHook(settings: Entry, event: HookEvent): Hook | undefined {
  const groups = listOf(groupsOf(settings, event));
  const all = groups.flatMap((entry, group) => {
    const list = isEntry(entry) ? listOf(entry["hooks"]) : [];
    return list.map((hook, at) => {
      const command = String(isEntry(hook) ? hook["command"] : undefined);
      return { command, group, at, isOnly: list.length === 1, isOnlyGroup: groups.length === 1 };
    });
  });
  return all.find(({ command }) => EVENTS[event].ours.test(command));
}

function groupsOf(settings: Entry, event: HookEvent): Json | undefined {
  return isEntry(settings["hooks"]) ? settings["hooks"][event] : undefined;
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
