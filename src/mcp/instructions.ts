import { listedName } from "../lib/escape.ts";

const MAX_INSTRUCTIONS = 2000;

/** How the instructions present an API. */
export interface Guide {
  /** How to find things. */
  find: string;
  /** When to write. */
  write: string;
  /** The tools that create and list projects. */
  create: string;
  list: string;
}

export interface Situation {
  /** Undefined when they cannot be listed now. */
  projects: string[] | undefined;
  /** The project of the client's folder, if that is known. */
  current: string | undefined;
  readOnly: boolean;
}

/** What a model reads before its first call. */
export function instructions({ projects, current, readOnly }: Situation, guide: Guide): string {
  const lines = [
    "Project context in Markdown: projects with tasks, plans, session notes and references.",
    guide.find,
    'search takes plain words or a question; FTS5 syntax works too: "exact phrase", AND, OR, NOT, prefix*, heading:word.',
    readOnly ? "This server is read-only." : guide.write,
  ];
  if (current !== undefined)
    lines.push(`Your working folder most likely belongs to project: ${listedName(current)}`);
  const text = lines.join("\n");
  return `${text}\n${namedProjects(projects, guide, MAX_INSTRUCTIONS - text.length - 1)}`;
}

/** As many whole names as fit. */
function namedProjects(names: string[] | undefined, { create, list }: Guide, maxChars: number): string {
  if (names === undefined) return `Projects: see ${list}.`;
  if (names.length === 0) return `There are no projects yet: ${create} creates one.`;
  const more = (left: number) => (left === 0 ? "." : `, and ${left} more: ${list}.`);
  let text = "";
  for (const [at, name] of names.entries()) {
    const next = `${text === "" ? "Projects: " : `${text}, `}${listedName(name)}`;
    if (next.length + more(names.length).length > maxChars)
      return `${text || "Projects"}${more(names.length - at)}`;
    text = next;
  }
  return `${text}.`;
}
