import type { DocumentRow } from "../../index/catalog.ts";
import { localDate } from "../../lib/clock.ts";
import { counted, plural } from "../../lib/text.ts";
import { outlineText } from "../../markdown/headings.ts";
import { driftByLine } from "../../notes/plan/drift.ts";
import { countsText, countTasks, openStatuses } from "../../notes/plan/plan.ts";
import { withoutDecisions } from "../../notes/project/decisions.ts";
import { saidInStatus } from "../../notes/project/status-page.ts";
import { quoteBlock, quotePath } from "../../notes/quote.ts";
import { isTaskStatus } from "../../notes/task/statuses.ts";
import { documentIn, type Facts, recentIn } from "./facts.ts";
import type { Section } from "./fit.ts";
import { readHint, unreadable } from "./texts.ts";

const MAX_DRIFT = 3;
export const OVERVIEW = "Overview";
const UNMERGED =
  "- **Git:** this clone merges the notes line by line, until the user runs `vibe-mcp merge --register` in it";

/** The project in numbers. */
export function overviewSection({ project, summary, sharing, lacksMergeDriver, tasks }: Facts): Section {
  const { stats, last_updated } = summary;
  const rest = `List all files with list_projects: project ${quotePath(project)}.`;
  if (stats.total_docs === 0)
    return { title: OVERVIEW, body: "The project is new: there are no documents yet.", rank: 6, rest };
  const open = countsText(countTasks(tasks), openStatuses());
  const other = tasks.filter(({ status }) => !isTaskStatus(status)).length;
  const lines = [
    `- **Total documents:** ${stats.total_docs}${foldersNote(summary.folders)}`,
    `- **Open tasks:** ${stats.open_tasks} (${open})`,
    `- **Blocked tasks:** ${stats.blocked_tasks}`,
    `- **Done tasks:** ${stats.done_tasks}`,
    ...(stats.cancelled_tasks > 0 ? [`- **Cancelled tasks:** ${stats.cancelled_tasks}`] : []),
    ...(other > 0 ? [`- **Tasks with another status, or none:** ${other}`] : []),
    `- **Last updated:** ${last_updated === null ? "never" : localDate(new Date(last_updated))}`,
    `- **Last session:** ${stats.last_session_date ?? "none yet"}`,
    ...(sharing === undefined ? [] : [`- **Other machines:** ${sharing.text}`]),
    ...(lacksMergeDriver ? [UNMERGED] : []),
  ];
  return { title: OVERVIEW, body: lines.join("\n"), rank: 6, rest };
}

function foldersNote(folders: Record<string, number>): string {
  const used = Object.entries(folders).filter(([, count]) => count > 0);
  if (used.length === 0) return "";
  const named = used
    .slice(0, 20)
    .map(([name, count]) => `${name === "" ? "root" : quotePath(name)} ${count}`);
  return ` (${named.join(", ")}${used.length > 20 ? ", …" : ""})`;
}

/** The project's own `status.md`. */
export function statusSection(facts: Facts): Section {
  const row = documentIn(facts, "", "status.md");
  const section = { title: "Current Status", body: "", rank: 7, rest: "" };
  if (row === undefined) return section;
  const text = ownText(facts, row);
  const said = text === null ? null : saidInStatus(text);
  if (said === "") return section;
  const lines = [`From ${quotePath(row.path)}:`, ...outOfDate(facts.outdated(row.path, said ?? ""))];
  const body = said === null ? unreadable(row.path) : [...lines, quoteBlock(said)].join("\n");
  return { ...section, body, rest: readHint(row) };
}

/** `plans/execution-plan.md`, else the plan updated last. */
export function shownPlan(facts: Facts): DocumentRow | undefined {
  return documentIn(facts, "plans", "execution-plan.md") ?? recentIn(facts, "plans")[0];
}

export function planSection(facts: Facts): Section {
  const row = shownPlan(facts);
  const title = "Execution Plan";
  if (row === undefined) return { title, body: "", rank: 4, rest: "" };
  const others = recentIn(facts, "plans").length - 1;
  const are = plural(others, "There is", "There are");
  const note = others > 0 ? `\n\n${are} ${counted(others, "other plan")} in \`plans\`.` : "";
  return { title, body: `${markedPlan(facts, row)}${note}`, rank: 4, rest: readHint(row) };
}

/** The whole plan; what no longer agrees with the tasks stands behind each line. */
function markedPlan(facts: Facts, row: DocumentRow): string {
  const { path } = row;
  const text = ownText(facts, row);
  if (text === null) return unreadable(path);
  const drift = driftByLine(text, 0, facts.allTasks);
  const pieces = [
    `From ${quotePath(path)}:`,
    ...outOfDate([...facts.outdated(path, text), ...drift.unlisted]),
  ];
  let from = 0;
  for (const { next, what } of drift.lines) {
    pieces.push(quoteBlock(text.slice(from, next)), ...outOfDate(what));
    from = next;
  }
  const rest = text.slice(from);
  if (from === 0 || rest.trim() !== "") pieces.push(quoteBlock(rest));
  return pieces.join("\n");
}

/** What no other section quotes of a document: all but its decisions. */
function ownText({ read }: Facts, { path }: DocumentRow): string | null {
  const document = read(path);
  return document && outlineText(withoutDecisions(document.text.slice(document.facts.bodyOffset)));
}

export function outOfDate(what: readonly string[]): string[] {
  if (what.length === 0) return [];
  const more = what.length > MAX_DRIFT ? `; and ${counted(what.length - MAX_DRIFT, "more difference")}` : "";
  return [`(**Out of date**: ${what.slice(0, MAX_DRIFT).join("; ")}${more}.)`];
}
