import { type Conflict, findConflicts } from "../../markdown/conflicts.ts";
import { quotePath } from "../../notes/quote.ts";
import type { Facts } from "./facts.ts";
import type { Section } from "./fit.ts";

/** The newest session notes; most work starts from fewer. */
const MAX_SESSIONS = 10;
const MAX_LINES = 20;

/** What a merge left in the tasks and in the documents that work starts from. */
export function afterMerge(facts: Facts): Section[] {
  const found = conflicts(facts);
  if (found.length === 0) return [];
  const rest = "read_doc names the `conflicts` of a document.";
  const more = found.length > MAX_LINES ? [`And ${found.length - MAX_LINES} more.`] : [];
  const body = [
    "Both sides of these parts stand between markers of git. Ask which one holds if it is not clear, then send the whole text, " +
      "with frontmatter and without the markers, to update_doc:",
    "",
    ...found
      .slice(0, MAX_LINES)
      .map(({ path, first, last }) => `- ${quotePath(path)}, lines ${first} to ${last}`),
    ...more,
  ];
  return [{ title: "To Resolve After a Merge", body: body.join("\n"), rank: 12, rest }];
}

function conflicts({ documents, sessions, allTasks, read }: Facts): (Conflict & { path: string })[] {
  const starting = [...documents.values()].filter(({ folder }) => folder === "" || folder === "plans");
  const others = [...starting, ...sessions.slice(0, MAX_SESSIONS)].map(({ path }) => {
    return { path, conflicts: findConflicts(read(path)?.text ?? "") };
  });
  return [...allTasks, ...others].flatMap(({ path, conflicts = [] }) =>
    conflicts.map((conflict) => ({ path, ...conflict })),
  );
}
