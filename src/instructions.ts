import { listedName } from "./lib/escape.ts";

const MAX_INSTRUCTIONS = 2000;

/** How the instructions name the tools of an API. */
export interface Guide {
  /** A sentence each, for those that read and those that write. */
  find: string;
  write: string;
  /** What makes a project, and what lists them. */
  create: string;
  list: string;
}

export interface Situation {
  /** Undefined when they cannot be listed now. */
  projects: string[] | undefined;
  /** The project that the client's folder most likely belongs to. */
  likely: string | undefined;
  readOnly: boolean;
}

/** What a model reads before its first call: which projects there are, the way to go, how to search. */
export function instructions({ projects, likely, readOnly }: Situation, guide: Guide): string {
  const lines = [
    "Project context in Markdown: projects with tasks, plans, session notes and references.",
    guide.find,
    'search takes plain words or a question; FTS5 syntax works too: "exact phrase", AND, OR, NOT, prefix*, heading:word.',
    readOnly ? "This server is read-only." : guide.write,
  ];
  if (likely !== undefined)
    lines.push(`The folder at hand most likely belongs to project: ${listedName(likely)}`);
  const text = lines.join("\n");
  return `${text}\n${namedProjects(projects, guide, MAX_INSTRUCTIONS - text.length - 1)}`;
}

/** As many names as fit, whole. */
function namedProjects(names: string[] | undefined, { create, list }: Guide, room: number): string {
  if (names === undefined) return `The projects: ${list}.`;
  if (names.length === 0) return `There is no project yet: ${create} creates one.`;
  const more = (left: number) => (left === 0 ? "." : `, and ${left} more: ${list}.`);
  let text = "";
  for (const [at, name] of names.entries()) {
    const next = `${text === "" ? "Projects: " : `${text}, `}${listedName(name)}`;
    if (next.length + more(names.length).length > room)
      return `${text || "Projects"}${more(names.length - at)}`;
    text = next;
  }
  return `${text}.`;
}
