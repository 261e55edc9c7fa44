import { anyOf, capitalized } from "../../lib/text.ts";
import { ROOT_PROJECT } from "../../notes/names.ts";
import { quoteInline, quotePath } from "../../notes/quote.ts";
import { claimOf, isAssigned } from "../../notes/task/claim.ts";
import { isClosed, isTaskStatus, TASK_STATUSES } from "../../notes/task/statuses.ts";
import { nextStep } from "../../notes/task/task.ts";
import { NO_FOLDERS } from "../change/documents.ts";
import type { WorkspaceTask } from "../tasks.ts";
import { BY_STATUS } from "./by-status.ts";
import { type Facts, recentIn, referencedTasks } from "./facts.ts";
import type { Section } from "./fit.ts";
import type { Focus } from "./focus.ts";
import { dependency, steps, withStatus } from "./task-sections.ts";
import { heldBy, taskLabel } from "./texts.ts";

const MAX_ACTIONS = 10;
const MAX_OF_A_KIND = 3;

/** What to do next: continue, unblock or start tasks, and add the missing parts. */
export function actionsSection(facts: Facts, focus: Focus): Section {
  const section = { title: "Suggested Actions", rank: 14, rest: "" };
  if (facts.project === ROOT_PROJECT) return { ...section, body: NO_FOLDERS };
  const named = new Set(focus.tasks);
  const others = (status: string) => withStatus(facts, status).filter((task) => !named.has(task));
  const started = ["in-progress", "blocked"].flatMap((status) => others(status).slice(0, MAX_OF_A_KIND));
  const actions = [
    ...focus.tasks.flatMap((task) => forTask(facts, task)),
    ...wordsFocus(focus),
    ...lastSession(facts),
    ...started.flatMap((task) => forTask(facts, task)),
    ...startNext(facts, others("pending")),
    ...missingParts(facts),
  ];
  const numbered = actions.slice(0, MAX_ACTIONS).map((action, at) => `${at + 1}. ${action}`);
  const closing = "At the end, log_session: what was done, what blocks, what comes next.";
  return { ...section, body: [...numbered, "", closing].join("\n") };
}

/** What to do with a task, by its status. */
function forTask(facts: Facts, task: WorkspaceTask): string[] {
  if (task.status === "in-progress") return [take(facts, task, "continue")];
  if (task.status === "blocked") return [unblock(facts, task)];
  const advice = isTaskStatus(task.status) ? BY_STATUS[task.status].advice : null;
  if (advice !== null) return [`${taskLabel(task)} ${advice}`];
  const reading = "Read the related files for context.";
  if (task.open_dependencies.length === 0) return [reading, take(facts, task, "start")];
  return [reading, `${taskLabel(task)} waits: finish ${openDependencies(facts, task)} first.`];
}

/** To whoever takes a free task, else to its owner alone. */
function take(facts: Facts, task: WorkspaceTask, verb: "start" | "continue"): string {
  const progress = verb === "start" || task.progress.total === 0 ? "" : ` (${steps(task)})`;
  const what = `${verb} ${taskLabel(task)}${progress}`;
  const { owner, number, filename } = task;
  const claim = claimOf(task, facts.now);
  if (claim !== null) {
    const named = number ?? quotePath(filename);
    return `${named} is held by ${heldBy(claim)}. If that is you: ${what}. ${firstStep(facts, task)}`.trimEnd();
  }
  const whom =
    owner !== null && isAssigned(task) ? `If you are ${quoteInline(owner)}: ${what}` : capitalized(what);
  const call = `claim_task with project ${quotePath(facts.project)}, task ${quotePath(number ?? filename)}`;
  return `${whom}: ${call}. ${firstStep(facts, task)}`.trimEnd();
}

/** Names the open dependencies first: finishing them unblocks the task. */
function unblock(facts: Facts, task: WorkspaceTask): string {
  const label = taskLabel(task);
  if (task.open_dependencies.length > 0) return `Unblock ${label}: finish ${openDependencies(facts, task)}.`;
  return `Unblock ${label}: no other task blocks it, so find the reason in its text and in the last session, and check whether it still holds.`;
}

function openDependencies(facts: Facts, task: WorkspaceTask): string {
  const names = task.open_dependencies.slice(0, MAX_OF_A_KIND).map((reference) => {
    const [first] = referencedTasks(facts, reference);
    return first?.ready
      ? `${dependency(facts, reference)}, which is ready to start`
      : dependency(facts, reference);
  });
  const more = task.open_dependencies.length - names.length;
  return `${names.join(" and ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function firstStep(facts: Facts, task: WorkspaceTask): string {
  const document = facts.read(task.path);
  if (document === null) return "";
  const step = nextStep(document.text, document.facts.bodyOffset);
  if (step !== null) return `Next step: ${quoteInline(step)}.`;
  const { done, total } = task.progress;
  return total > 0 && done === total
    ? "All its steps are checked off: verify its criteria, then mark it done."
    : "";
}

function wordsFocus({ label, tasks, hits }: Focus): string[] {
  if (label === null || tasks.length > 0) return [];
  if (hits.length === 0) return [`Ask what ${label} means: no note mentions it.`];
  return [`Read the documents under Focus that ${label} found.`];
}

function lastSession({ sessions, readSession }: Facts): string[] {
  const { next = "" } = (sessions[0] && readSession(sessions[0].path)) ?? {};
  return next === "" ? [] : ["Continue with the next steps of the last session (see Last Session)."];
}

/** The first ready task; if none is ready, what the first pending one waits for. */
function startNext(facts: Facts, pending: WorkspaceTask[]): string[] {
  const [first] = pending;
  if (first === undefined) return [];
  if (first.ready || first.open_dependencies.length === 0) return [take(facts, first, "start")];
  return [`No pending task is ready: ${taskLabel(first)} waits for ${openDependencies(facts, first)}.`];
}

function missingParts(facts: Facts): string[] {
  const { tasks, allTasks } = facts;
  const hasPlan = recentIn(facts, "plans").length > 0;
  const unclear = tasks.filter(({ status }) => !isTaskStatus(status)).length;
  return [
    ...(hasPlan ? [] : ["Write an execution plan with create_plan: there is none yet."]),
    ...(allTasks.length === 0 ? ["Create the first tasks with create_task: there are none yet."] : []),
    ...(allTasks.length > 0 && tasks.every(({ status }) => isClosed(status))
      ? ["All tasks are done or cancelled: agree on what comes next, and add it with create_task."]
      : []),
    ...(unclear > 0
      ? [`Give ${unclear} of the tasks a status with update_task_status: ${anyOf(TASK_STATUSES)}.`]
      : []),
  ];
}
