import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type CallTool, EXAMPLE_PROJECT, toolsText, type Work, workOneDay } from "../../scripts/day/calls.ts";
import { MANY_PROJECT, MANY_WORK, manyFiles } from "../../scripts/day/many.ts";
import { demoFiles } from "../../src/cli/commands/demo/files.ts";
import { countTokens } from "../../src/core/lib/text.ts";
import { connect, type Files, makeWorkspace } from "../fixtures/workspace.ts";

/** In tokens; `listed` is the list of tools as clients get it. */
const MOST = { example: 10_200, many: 14_600, listed: 6_600 };

interface Day {
  files: Files;
  project: string;
  work?: Work;
}

/** What a day costs: its answers, and what a model reads of the tools and the instructions. */
async function costOf(t: TestContext, { files, project, work }: Day) {
  const { client, call } = await connect(t, makeWorkspace(t, files), { current: project });
  let answers = 0;
  const counting: CallTool = async (name, args) => {
    const answer = await call(name, { ...args });
    answers += countTokens(JSON.stringify(answer));
    return answer as never;
  };
  await workOneDay(project, counting, work);
  const { tools } = await client.listTools();
  const given = countTokens(toolsText(tools) + client.getInstructions());
  t.diagnostic(
    `a day in ${project}: ${Math.round(answers)} tokens, tools and instructions ${Math.round(given)}`,
  );
  return { answers, given, listed: countTokens(JSON.stringify(tools)) };
}

test("a day of an agent in the example costs what it did, and so does the list of tools", async (t) => {
  const files = Object.fromEntries(demoFiles(new Date()).map(({ path, content }) => [path, content]));
  const { answers, listed } = await costOf(t, { files, project: EXAMPLE_PROJECT });
  assert.ok(answers <= MOST.example, `${answers}`);
  assert.ok(listed <= MOST.listed, `${listed}`);
});

test("a day among 8 projects and 400 tasks in three languages costs what it did, and each question is answered", async (t) => {
  const files = Object.fromEntries(manyFiles());
  const { answers, given } = await costOf(t, { files, project: MANY_PROJECT, work: MANY_WORK });
  assert.ok(answers + given <= MOST.many, `${answers + given}`);
  const unknown = { ...MANY_WORK, Other: [{ query: "Who is the auditor?", project: "shop-2", says: "Ana" }] };
  const again = costOf(t, { files, project: MANY_PROJECT, work: unknown });
  await assert.rejects(again, /Who is the auditor\?: no answer says: Ana/);
});
