import type { DocumentRow } from "../../index/catalog.ts";
import { localDate } from "../../lib/clock.ts";
import { counted, plural } from "../../lib/text.ts";
import { planDrift } from "../../notes/plan/drift.ts";
import { countsText, countTasks, openStatuses, withoutStatusLines } from "../../notes/plan/plan.ts";
import { quotePath } from "../../notes/quote.ts";
import { isTaskStatus } from "../../notes/task/statuses.ts";
import { documentIn, type Facts, recentIn } from "./facts.ts";
import { MAX_CHARS, type Section } from "./fit.ts";
import { quoteDocument, quoteText, readHint } from "./texts.ts";

const MAX_DRIFT = 3;

/** The project in numbers. */
export function overviewSection({ project, summary, sharing, tasks }: Facts): Section {
  const { stats, last_updated } = summary;
  const rest = `List all files with list_projects: project ${quotePath(project)}.`;
  if (stats.total_docs === 0)
    return { title: "Overview", body: "The project is new: there are no documents yet.", rank: 11, rest };
  const open = countsText(countTasks(tasks), openStatuses());
  const other = tasks.filter(({ status }) => !isTaskStatus(status)).length;
  const lines = [
    `- **Total documents:** ${stats.total_docs}${foldersNote(summary.folders)}`,
    `- **Open tasks:** ${stats.open_tasks} (${open})`,
    `- **Blocked tasks:** ${stats.blocked_tasks}`,
    `- **Done tasks:** ${stats.done_tasks}`,
    ...(other > 0 ? [`- **Tasks with another status, or none:** ${other}`] : []),
    `- **Last updated:** ${last_updated === null ? "never" : localDate(new Date(last_updated))}`,
    `- **Last session:** ${stats.last_session_date ?? "none yet"}`,
    ...(sharing === undefined ? [] : [`- **Other machines:** ${sharing.text}`]),
  ];
  return { title: "Overview", body: lines.join("\n"), rank: 11, rest };
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
  const title = "Current Status";
  if (row === undefined) return { title, body: "", rank: 9, rest: "" };
  return { title, body: wholeDocument(facts, row), rank: 9, rest: readHint(row) };
}

/** `plans/execution-plan.md`, else the plan updated last. */
export function planSection(facts: Facts): Section {
  const plans = recentIn(facts, "plans");
  const row = documentIn(facts, "plans", "execution-plan.md") ?? plans[0];
  const title = "Execution Plan";
  if (row === undefined) return { title, body: "", rank: 5, rest: "" };
  const others = plans.length - 1;
  const are = plural(others, "There is", "There are");
  const note = others > 0 ? `\n\n${are} ${counted(others, "other plan")} in \`plans\`.` : "";
  const body = stalePlan(facts, row) ?? wholeDocument(facts, row);
  return { title, body: `${body}${note}`, rank: 5, rest: readHint(row) };
}

/** A plan that differs from the tasks, with the differences in the place of its status lines; null for any other. */
function stalePlan({ read, tasks, allTasks }: Facts, { path }: DocumentRow): string | null {
  const document = read(path);
  if (document === null) return null;
  const { text, facts } = document;
  const drift = planDrift(text, facts.bodyOffset, allTasks);
  if (drift.length === 0) return null;
  const shown = drift.slice(0, MAX_DRIFT).join("; ");
  const more =
    drift.length > MAX_DRIFT ? `; and ${counted(drift.length - MAX_DRIFT, "more difference")}` : "";
  const lines = [
    `**Out of date**, so its status lines are left out: ${shown}${more}.`,
    `The tasks say: ${countsText(countTasks(tasks))}.`,
  ];
  const rest = withoutStatusLines(text, facts.bodyOffset).slice(facts.bodyOffset);
  return `${lines.join("\n")}\n\nFrom ${quotePath(path)}:\n${quoteText(rest, MAX_CHARS)}`;
}

function wholeDocument(facts: Facts, { path }: DocumentRow): string {
  return `From ${quotePath(path)}:\n${quoteDocument(facts, path)}`;
}
