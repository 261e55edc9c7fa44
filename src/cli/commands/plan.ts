import { diffStart } from "../../lib/diff.ts";
import { escapeText } from "../../lib/escape.ts";
import { countTasks } from "../../notes/plan.ts";
import { planDrift } from "../../notes/plan-drift.ts";
import { fixPlan } from "../../notes/plan-fix.ts";
import { readTasks } from "../../workspace/tasks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkHash, replaceDocument } from "../../workspace/write.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { projectHere, withWorkspace } from "../resolve-project.ts";
import { confirm, oneLine, painter, print } from "../terminal.ts";

export function run(context: CommandContext): Promise<number> {
  const { config, options, words } = context;
  if (options.has("fix") && config.readOnly) throw readOnlyError();
  const project = projectHere(context, words[0]);
  const name = { project, folder: "plans", filename: options.text("file") ?? "execution-plan.md" };
  return withWorkspace(context, async (workspace) => {
    const plan = checkPlan(workspace, name);
    if (!options.has("fix") || plan.fixed === plan.text) return show(context, plan, false);
    if (!options.has("json")) context.terminal.stdout.write(diffOf(context, plan));
    const isAgreed =
      options.has("yes") || (await confirm(context, `Write this to ${oneLine(plan.path)}? [y/N] `));
    if (isAgreed) await fix(workspace, name, plan.hash);
    return show(context, plan, isAgreed);
  });
}

type Name = Parameters<Workspace["read"]>[0];

function checkPlan(workspace: Workspace, name: Name) {
  const document = workspace.read(name);
  const { path, text, hash, facts } = document;
  const tasks = readTasks(workspace, name.project);
  const drift = planDrift(text, facts.bodyOffset, tasks);
  return {
    document,
    path,
    text,
    hash,
    actual: countTasks(tasks),
    drift,
    fixed: fixPlan(text, facts.bodyOffset, tasks),
  };
}

type Plan = ReturnType<typeof checkPlan>;

/** Throws CONFLICT if the plan is no longer the one whose difference was shown. */
function fix(workspace: Workspace, name: Name, hash: string) {
  const actor = { tool: "plan", client: "vibe-mcp plan" };
  return workspace.history.acting(actor, () =>
    workspace.locked(name.project, async (lock) => {
      const { document, fixed } = checkPlan(workspace, name);
      checkHash(document, hash);
      return replaceDocument(workspace, document, { text: fixed, lock });
    }),
  );
}

function diffOf(context: CommandContext, { path, text, fixed }: Plan): string {
  const paint = painter(context);
  const rows = diffStart(text, fixed).split("\n");
  const lines = rows.map((row) => {
    const format = row.startsWith("+") ? "green" : row.startsWith("-") ? "red" : "dim";
    return paint(format, escapeText(row));
  });
  return [oneLine(path), ...lines, ""].join("\n");
}

function show(context: CommandContext, { path, actual, drift }: Plan, isFixed: boolean): number {
  const { options, program } = context;
  const { pending, in_progress, blocked, done } = actual;
  const counts = `Tasks: ${pending} pending, ${in_progress} in progress, ${blocked} blocked, ${done} done.`;
  const next = options.has("fix") ? "Nothing was written." : `To correct the lists: ${program} plan --fix`;
  const state = isFixed
    ? ["Corrected."]
    : drift.length === 0
      ? ["The plan agrees with the tasks."]
      : [...drift.map((one) => `- ${oneLine(one)}`), next];
  const lines = [oneLine(path), counts, ...state];
  print(context, { path, actual, drift, fixed: isFixed }, `${lines.join("\n")}\n`);
  return isFixed || drift.length === 0 ? 0 : 1;
}
