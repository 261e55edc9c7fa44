import { type Conflict, firstConflicts } from "../../markdown/conflicts.ts";
import { quotePath } from "../../notes/quote.ts";
import { sharedNumbers } from "../../notes/task/shared-numbers.ts";
import type { Facts } from "./facts.ts";
import type { Section } from "./fit.ts";

/** The newest session notes; most work starts from fewer. */
const MAX_SESSIONS = 10;
const MAX_LINES = 20;

/** What a merge left in the tasks and in the documents that work starts from. */
export function afterMerge(facts: Facts): Section[] {
  const marked = conflicts(facts).map(
    ({ path, first, last }) => `- ${quotePath(path)}, lines ${first} to ${last}`,
  );
  const shared = sharedNumbers(facts.allTasks).map((group) => {
    return `- ${group.map(({ path }) => quotePath(path)).join(", ")}`;
  });
  const twice = (facts.sharing?.kept ?? []).map(
    ({ path, change }) => `- ${quotePath(path)}${change === undefined ? "" : `, change ${change}`}`,
  );
  const parts = [listed(MARKED, marked), listed(SHARED, shared), listed(TWICE, twice)].filter(
    (part) => part !== "",
  );
  if (parts.length === 0) return [];
  const rest = "read_doc and list_tasks name the `conflicts` of a document.";
  return [{ title: "To Resolve After a Merge", body: parts.join("\n\n"), rank: 9, rest }];
}

const MARKED =
  "Both sides of these parts stand between markers of git. Ask which one holds if it is not clear, then send the whole text, " +
  "with frontmatter and without the markers, to update_doc:";
const SHARED =
  "These tasks have the same number: name them by file. `vibe-mcp renumber` gives each a number of its own, move_doc does so for one:";
const TWICE =
  "These notes were changed in two places and have the shared text. restore_doc with the change brings the other one back beside it, or change the note to what holds:";

function listed(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const more = lines.length > MAX_LINES ? [`And ${lines.length - MAX_LINES} more.`] : [];
  return [title, "", ...lines.slice(0, MAX_LINES), ...more].join("\n");
}

function conflicts({ documents, sessions, allTasks, read }: Facts): (Conflict & { path: string })[] {
  const starting = [...documents.values()].filter(({ folder }) => folder === "" || folder === "plans");
  const others = [...starting, ...sessions.slice(0, MAX_SESSIONS)].map(({ path }) => {
    return { path, conflicts: firstConflicts(read(path)?.text ?? "") };
  });
  return [...allTasks, ...others].flatMap(({ path, conflicts = [] }) =>
    conflicts.map((conflict) => ({ path, ...conflict })),
  );
}
