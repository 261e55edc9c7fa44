import * as z from "zod";
import { UserError } from "../../lib/errors.ts";
import { listNames, quoteName } from "../../lib/escape.ts";
import { plural } from "../../lib/text.ts";
import { agentName, MAX_CLAIM_MINUTES } from "../../notes/task/claim.ts";
import { isClosed } from "../../notes/task/statuses.ts";
import { CLAIM_MINUTES } from "../../workspace/change/claim.ts";
import { cannotClaim, claimedElsewhere } from "../../workspace/claim-reasons.ts";
import { claimTask, finishTask, holdsTask, releaseTask } from "../../workspace/claims.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { checkNotBlank } from "../arguments.ts";
import { defineProjectTool } from "../tool.ts";
import { hint, hintOf, limit, params } from "./params.ts";

export const claimTaskTool = defineProjectTool({
  name: "claim_task",
  title: "Claim task",
  description:
    "Take a task, the next ready one if none is named, so that no other agent does it too. Your writes renew the claim. Next: read_doc.",
  access: "write",
  alwaysLoad: true,
  listsAnswer: true,
  input: () =>
    z.strictObject({
      project: params.project(),
      agent: params.agent().describe("Your name, unlike any other agent's"),
      task: params.task().optional(),
      minutes: limit(CLAIM_MINUTES, MAX_CLAIM_MINUTES),
      release: z.boolean().default(false).describe("Give it back"),
      finish: z.boolean().optional().describe("Hand it in for review"),
    }),
  output: () =>
    z.object({
      success: z.boolean(),
      task: z
        .object({
          number: z.string().nullable(),
          title: z.string(),
          filename: z.string(),
          path: z.string(),
          status: z.string().nullable(),
          owner: z.string().nullable(),
          claimed_until: z.string().optional(),
        })
        .nullable(),
      reason: z.string().optional().describe("Why there is no task"),
      shared: z.boolean().optional().describe("With sync: all machines know"),
      indexed: z.boolean().optional(),
      hint: hint(),
    }),
  handle: async ({ project, release, finish, ...args }, { workspace }) => {
    const agent = args.agent ?? workspace.history.actor().client.replaceAll(",", "");
    checkNotBlank("agent", agent, "Give a name of your own, e.g. claude-7f.");
    const request = { ...args, agent: agentName(agent) };
    if (release && finish) throw bothEnds();
    if (finish) return finished(workspace, project, request);
    return release ? released(workspace, project, request) : claimed(workspace, project, request);
  },
});

type Request = Parameters<typeof claimTask>[2];

/** The claims of other machines come first, and ours counts once it is there. */
async function claimed(workspace: Workspace, project: string, request: Request) {
  const { sharing } = workspace;
  if (!sharing?.covers(project)) return answerOf(request, await claimTask(workspace, project, request));
  await sharing.exchange(project);
  for (;;) {
    const claim = await claimTask(workspace, project, request);
    const problem = await sharing.exchange(project);
    const answer = answerOf(request, claim);
    if (answer.task === null) return answer;
    const { path, owner } = answer.task;
    const isHeld = holdsTask(workspace, path, owner);
    const isNew = claim.task !== null && claim.previous.owner !== owner;
    const isFirst = isHeld && (problem !== null || !isNew || (await sharing.isOwn(project, path)));
    if (!isFirst && isHeld && request.task !== undefined) throw claimedElsewhere(path, owner);
    if (!isFirst) continue;
    const note =
      problem === null
        ? null
        : `Other machines do not know of this claim yet: ${problem}. If somebody else claims it first there, an answer says so.`;
    return { ...answer, shared: problem === null, ...hintOf(answer.hint ?? null, note) };
  }
}

function answerOf(request: Request, claim: Awaited<ReturnType<typeof claimTask>>) {
  if (claim.task === null) return { success: true, task: null, reason: claim.reason } as const;
  const { task, previous, until, back, indexed, skipped } = claim;
  const { number, title, filename, path, open_dependencies: open } = task;
  const owner = request.agent;
  const taken =
    previous.owner === null || previous.owner === owner
      ? null
      : `Before, ${quoteName(previous.owner)} owned it.`;
  const are = plural(open.length, "is", "are");
  const waits = open.length === 0 ? null : `It waits for ${listNames(open)}, which ${are} not done.`;
  const reasons = [...skipped].map(([other, problem]) => `${cannotClaim(other, problem)}.`);
  return {
    success: true,
    task: { number, title, filename, path, status: "in-progress", owner, claimed_until: until },
    indexed,
    ...hintOf(back, taken, waits, ...reasons),
  };
}

function bothEnds(): UserError {
  const message = "'release' gives a task back, 'finish' hands it in: choose one.";
  return new UserError("INVALID_ARGUMENT", message, { details: { argument: "finish" } });
}

async function finished(workspace: Workspace, project: string, request: Request) {
  const left = leftTask(await finishTask(workspace, project, request));
  return { ...left, ...hintOf("It is in review: a person approves it, or returns it with a note.") };
}

async function released(workspace: Workspace, project: string, request: Request) {
  const { isOwn, ...task } = await releaseTask(workspace, project, request);
  const { status } = task.facts;
  return {
    ...leftTask(task),
    ...hintOf(
      isOwn ? null : "You did not hold the task: nothing was changed.",
      isOwn && isClosed(status)
        ? `The task is ${status}, which had ended the claim: nothing was changed.`
        : null,
    ),
  };
}

function leftTask({ filename, path, facts, indexed }: Awaited<ReturnType<typeof finishTask>>) {
  const { title, status, owner, task } = facts;
  const number = task?.number ?? null;
  return { success: true, task: { number, title, filename, path, status, owner }, indexed };
}
