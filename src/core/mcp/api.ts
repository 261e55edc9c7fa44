import * as z from "zod";
import type { Config } from "../config/options.ts";
import { once } from "../lib/collections.ts";
import type { UserError } from "../lib/errors.ts";
import { isPlainName } from "../lib/escape.ts";
import { HABITS, type Habit } from "../notes/project/habits.ts";
import { describeChoice, type ProjectChoice } from "../workspace/place/choose-project.ts";
import { namesIn } from "./argument-schema.ts";
import { allPrompts, type Prompt } from "./prompts/prompts.ts";
import { JSON_FORMAT, type ResourceFormat } from "./resources/resource.ts";
import { selectTools, type Tool } from "./tool.ts";
import { allTools } from "./tools/all.ts";
import type { Say } from "./words.ts";

/** How the instructions present an API. */
export interface Guide {
  /** How to find things. */
  find: string | readonly Habit[];
  /** When to write. */
  write: string | readonly Habit[];
  /** The tools that create and list projects. */
  create: string;
  list: string;
  /** What to do if no current project is known. */
  unknown?: string;
}

/** What differs between the APIs that a server can offer. */
export interface Api {
  tools: readonly Tool[];
  /** The names of all tools that a text may speak of. */
  known: readonly string[];
  /** Those of all arguments, of tools that this client was not given, too. */
  ours: () => ReadonlySet<string>;
  prompts: readonly Prompt[];
  resources: ResourceFormat;
  guide: Guide;
  /** A result for clients that read only text. */
  text(result: Record<string, unknown>): string;
  /** An error in this API's words; null for the envelope. */
  failure(error: UserError): string | null;
}

const V2: Omit<Api, "known" | "ours"> = {
  tools: allTools,
  prompts: allPrompts,
  resources: JSON_FORMAT,
  guide: {
    find: [HABITS.start, HABITS.ask],
    write: [HABITS.work, HABITS.keep],
    create: "init_project",
    list: "list_projects",
    unknown: "Name one in each call, or give get_briefing `here`, the absolute path of your folder.",
  },
  text: JSON.stringify,
  failure: () => null,
};

/** Loads the configured API with the selected tools. Throws UsageError for an unknown tool. */
export async function loadApi({ api, vault, tools }: Pick<Config, "api" | "vault" | "tools">): Promise<Api> {
  // Compiling a schema costs more than it saves: most are used once. The SDK builds its own when it is loaded.
  z.config({ jitless: true });
  const base = api === "v2" ? V2 : (await import("./api-v1/api.ts")).apiV1;
  const { vaultTools } = await import("./vault/all.ts");
  const all = [...allTools, ...vaultTools];
  const known = all.map(({ name }) => name);
  const ours = once(() => new Set([...all, ...base.tools].flatMap(({ input }) => namesIn(input))));
  return {
    ...base,
    known,
    ours,
    tools: selectTools([...base.tools, ...(vault === undefined ? [] : vaultTools)], tools),
  };
}

const MAX_INSTRUCTIONS = 2000;

export interface Situation {
  /** Undefined if they cannot be listed now. */
  projects: string[] | undefined;
  current: Pick<ProjectChoice, "project" | "reason">;
  readOnly: boolean;
  /** Whether this client can search. */
  canSearch: boolean;
}

/** What a model reads before its first call, in words that fit it. */
export function instructions(
  { projects, current, readOnly, canSearch }: Situation,
  guide: Guide,
  say: Say,
): string {
  const lines = [
    "Project context in Markdown: projects with tasks, plans, session notes and references.",
    ...inWords(guide.find, { say, canSearch }),
    ...(canSearch ? [SEARCH] : []),
    ...(readOnly ? ["This connection is read-only."] : inWords(guide.write, { say, canSearch })),
  ];
  const unknown = guide.unknown ?? "Name one in each call.";
  const choice = withPlainNames(describeChoice(current));
  if (current.project !== undefined)
    lines.push(
      `${choice}. Calls without \`project\` mean it. search, list_tasks and list_projects look at all.`,
    );
  else if (projects !== undefined) lines.push(`${choice}.${projects.length > 0 ? ` ${unknown}` : ""}`);
  const text = lines.join("\n");
  return say(`${text}\n${namedProjects(projects, guide, MAX_INSTRUCTIONS - text.length - 1)}`).trimEnd();
}

/**
 * What stands in the instructions speaks to the model before anything was asked: a sentence as a name is for answers alone. Names
 * are in the quotes of quoteName.
 */
function withPlainNames(text: string): string {
  const quoted = /(?<=[\s(])'([^']*)'|(?<=[\s(])"([^"]*)"/g;
  return text.replace(quoted, (name, inner, other) => (isPlainName(inner ?? other) ? name : "'…'"));
}

const SEARCH =
  'search takes plain words or a question; FTS5 syntax works too: "exact phrase", AND, OR, NOT, prefix*, heading:word.';

/** What goes with a rule that cannot be followed goes, too, unless it names a tool of its own. */
function inWords(
  habits: string | readonly Habit[],
  { say, canSearch }: { say: Say; canSearch: boolean },
): string[] {
  if (typeof habits === "string") return [say(habits)];
  const lines = habits.map((habit) => {
    if (habit === HABITS.ask && !canSearch) return "";
    const [rule = "", more = ""] = [habit.rule, habit.more].map((text) => say(text.replaceAll("`", "")));
    return rule === "" && !/[a-z]_[a-z]/.test(habit.more) ? "" : `${rule} ${more}`.trim();
  });
  return lines.filter((line) => line !== "");
}

/** As many names as fit. */
function namedProjects(names: string[] | undefined, { create, list }: Guide, maxChars: number): string {
  if (names === undefined) return `Projects: see ${list}.`;
  if (names.length === 0) return `There are no projects yet: ${create} creates one.`;
  const more = (left: number) => (left === 0 ? "." : `, and ${left} more: ${list}.`);
  let text = "";
  const plain = names.filter(isPlainName);
  for (const [at, name] of plain.entries()) {
    const next = `${text === "" ? "Projects: " : `${text}, `}${name}`;
    if (next.length + more(names.length).length > maxChars)
      return `${text || "Projects"}${more(names.length - at)}`;
    text = next;
  }
  return `${text || "Projects"}${more(names.length - plain.length)}`;
}
