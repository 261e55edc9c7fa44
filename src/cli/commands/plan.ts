import { diffStart } from "../../lib/diff.ts";
import { UserError } from "../../lib/errors.ts";
import { escapeName, escapeText, listNames, quoteName } from "../../lib/escape.ts";
import { describePlan } from "../../mcp/tools/get-plan.ts";
import { fixPlan } from "../../notes/plan-fix.ts";
import { listFolder } from "../../storage/list.ts";
import { readIfThere } from "../../workspace/read.ts";
import { readTasks } from "../../workspace/tasks.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkHash, replaceDocument } from "../../workspace/write.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { typedPath } from "../locate.ts";
import { projectHere, withWorkspace } from "../resolve-project.ts";
import { confirm, oneLine, painter, print, quoted } from "../terminal.ts";

export function run(context: CommandContext): Promise<number> {
  const { config, options, words } = context;
  if (options.has("fix") && config.readOnly) throw readOnlyError();
  const project = projectHere(context, words[0]);
  const path = typedPath(context, options.text("file") ?? "execution-plan.md");
  const filename = path
    .replace(path.startsWith(`${project}/`) ? `${project}/` : "", "")
    .replace(/^plans\//, "");
  const name = { project, folder: "plans", filename };
  return withWorkspace(context, async (workspace) => {
    const plan = checkPlan(workspace, name);
    if (!options.has("fix") || plan.fixed === plan.text) return show(context, plan, false);
    if (!options.has("json")) context.terminal.stdout.write(diffOf(context, plan));
    const isAgreed =
      options.has("yes") || (await confirm(context, `Write this to ${oneLine(plan.path)}? [y/N] `));
    if (!isAgreed) return show(context, plan, false);
    await fix(workspace, name, plan.hash);
    return show(context, checkPlan(workspace, name), true);
  });
}

type Name = Parameters<Workspace["read"]>[0];

function checkPlan(workspace: Workspace, name: Name) {
  const document = readIfThere(workspace.root, name);
  if (document === undefined) throw noPlan(workspace.root, name);
  const { path, text, hash, facts } = document;
  const tasks = readTasks(workspace, name.project);
  const present = tasks.filter(({ archived }) => !archived);
  const answer = describePlan(document, tasks);
  return { document, path, text, hash, answer, fixed: fixPlan(text, facts.bodyOffset, present) };
}

type CheckedPlan = ReturnType<typeof checkPlan>;

function noPlan(root: string, { project, filename }: Name): UserError {
  const { files } = listFolder(root, `${project}/plans`);
  const others = files.length === 0 ? "no plans yet" : `${listNames(files)}: name one with --file`;
  const message = `There is no plan ${quoteName(filename)}. Project ${quoteName(project)} has ${others}.`;
  return new UserError("FILE_NOT_FOUND", message, {
    details: { project, filename: escapeName(filename), suggestions: files },
  });
}

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

function diffOf(context: CommandContext, { path, text, fixed }: CheckedPlan): string {
  const paint = painter(context);
  const rows = diffStart(text, fixed).split("\n");
  const lines = rows.map((row) => {
    const format = row.startsWith("+") ? "green" : row.startsWith("-") ? "red" : "dim";
    return paint(format, escapeText(row));
  });
  return [oneLine(path), ...lines, ""].join("\n");
}

function show(context: CommandContext, plan: CheckedPlan, isFixed: boolean): number {
  const { path, answer } = plan;
  const { actual, drift } = answer;
  const { pending, in_progress, blocked, done } = actual;
  const counts = `Tasks: ${pending} pending, ${in_progress} in progress, ${blocked} blocked, ${done} done.`;
  const agrees = answer.hint ?? "The plan agrees with the tasks.";
  const state = drift.length === 0 ? [agrees] : drift.map((one) => `- ${oneLine(one)}`);
  const lines = [
    oneLine(path),
    counts,
    ...(isFixed ? ["Corrected."] : []),
    ...state,
    ...nextStep(context, plan, isFixed),
  ];
  print(context, { ...answer, fixed: isFixed }, `${lines.join("\n")}\n`);
  return drift.length === 0 ? 0 : 1;
}

function nextStep({ options, program }: CommandContext, plan: CheckedPlan, isFixed: boolean): string[] {
  const { text, fixed, document } = plan;
  const { drift } = plan.answer;
  if (drift.length === 0) return [];
  const file = options.has("file") ? ` --file ${quoted(document.filename)}` : "";
  const command = `${program} plan ${quoted(document.project)}${file} --fix`;
  if (isFixed || fixed === text) return [`Correct the rest yourself: ${program} edit ${quoted(plan.path)}`];
  return options.has("fix")
    ? [`Nothing was written. To write it: ${command} --yes`]
    : [`To correct the lists: ${command}`];
}
