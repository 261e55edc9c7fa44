import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createLog } from "../../src/core/lib/log.ts";
import { AutoSync } from "../../src/together/sync/auto-sync.ts";
import { recentNews } from "../../src/together/sync/news.ts";
import { syncOnce } from "../../src/together/sync/round.ts";
import { syncFolder } from "../../src/together/sync/settings.ts";
import { setUpSync } from "../../src/together/sync/setup.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { noGit, startMachine } from "../fixtures/machines.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";
import { faults, faultsOf, faultsOfText, ODD, ORDER, WORST } from "./spoken.ts";

const skip = noGit || (ON_WINDOWS && "Windows has no such names");
const NAME = `${ORDER}\u202E 'rm'`;

const task = (owner = "") =>
  `---\n${owner && `owner: ${JSON.stringify(owner)}\nclaimed_until: 2999-01-01T00:00Z\nclaimed_from: pending\n`}status: ${owner ? "in-progress" : "pending"}\n---\n# Task: ${ODD}\n`;

/** A machine with a server, and another one whose user, agents and notes are hostile; nothing new is there yet. */
async function pair(t: TestContext) {
  const remote = join(temporaryFolder(t), "notes.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  const files = { [`${NAME}/tasks/001-a.md`]: task(), [`${NAME}/a.md`]: "# A\n", [`${NAME}/b.md`]: "# B\n" };
  const ana = await startMachine(t, { name: "ana", remote, files });
  const lines: string[] = [];
  const { workspace, state, env } = ana;
  workspace.sharing = new AutoSync({
    workspace,
    state,
    env,
    log: createLog("debug", (line) => lines.push(line)),
  });
  workspace.news = () => recentNews(state, workspace.root);
  const eve = await startMachine(t, { name: `eve ${WORST.replaceAll("\u2028", "")}`, remote, files: {} });
  return { ana, eve, lines };
}

test("what other machines send makes the server say nothing in its own words", { skip }, async (t) => {
  const { ana, eve, lines } = await pair(t);
  // Hears of nothing older.
  await faultsOf(ana.client, "list_tasks", { project: NAME });
  writeFiles(eve.root, {
    [`${NAME}/tasks/001-a.md`]: task(`eve ${WORST}`),
    [`${NAME}/tasks/002-${ODD}.md`]: task(`eve ${WORST}`),
    [`${NAME}/a.md`]: `# A\n\n${WORST}\n`,
    [`${NAME}/${NAME}/${ODD}.md`]: `# ${ODD}\n`,
  });
  await eve.sync();
  writeFiles(ana.root, {
    [`${NAME}/tasks/001-a.md`]: task(`ana ${WORST}`),
    [`${NAME}/tasks/002-${NAME}.md`]: task(),
    [`${NAME}/a.md`]: "# A\n\nours\n",
  });
  const project = { project: NAME };
  const found: string[] = [];
  const news: string[] = [];
  const calls: [string, Record<string, unknown>][] = [
    ["claim_task", { ...project, agent: "bo" }],
    ["claim_task", { ...project, agent: "bo", task: "1" }],
    ["list_tasks", project],
    ["list_projects", {}],
    ["history", project],
    ["search", { query: ORDER }],
    ["update_task", { ...project, task: "1", done_steps: [1] }],
  ];
  for (const [name, args] of calls) {
    const spoke = await faultsOf(ana.client, name, args);
    found.push(...spoke.found);
    news.push(
      ...spoke.sentences
        .filter(([field]) => /^(?:news|after the answer)/.test(field))
        .map(([, text]) => text),
    );
  }
  const { text } = await ana.call<{ text: string }>("get_briefing", project);
  found.push(...faultsOfText(text, "briefing"), ...lines.flatMap((line) => faults(line, "log")));
  assert.deepEqual(found, []);
  for (const said of [/is held by/, /used that name or number first/, /changed in two places/])
    assert.match(news.join("\n"), said);
});

test("problems and refusals that name a project quote it", { skip }, async (t) => {
  const { ana } = await pair(t);
  const { workspace, env, root } = ana;
  const remote = join(temporaryFolder(t), "other.git");
  execFileSync("git", ["init", "-q", "--bare", remote]);
  const state = temporaryFolder(t);
  const setUp = (project?: string) =>
    setUpSync({ workspace, env, state, address: remote, branch: "notes", project });
  await setUp(NAME);
  const said = await setUp().catch(({ message }: Error) => message);
  rmSync(join(root, NAME), { recursive: true });
  const { problem = "" } = await syncOnce({ workspace, env, folder: syncFolder(state, root, NAME) });
  // A command to type has the quotes of the shell.
  const refusal = String(said).replace(/--project .*$/, "");
  assert.deepEqual([...faults(problem, "problem"), ...faults(refusal, "refusal")], []);
  assert.match(problem, /no note is left/);
  assert.match(String(said), /--project \$'[^\u202e]*'$/);
});

test("what a round brings is recorded as from those who wrote it, not from the agent that waited", {
  skip,
}, async (t) => {
  const { ana, eve } = await pair(t);
  writeFiles(eve.root, { [`${NAME}/a.md`]: "# A\n\ntheirs\n", [`${NAME}/tasks/002-b.md`]: task() });
  await eve.sync();
  await ana.call("claim_task", { project: NAME, agent: "bo", task: "1" });
  const { versions } = await ana.call<{
    versions: { path: string; tool: string; client: string; agent?: string }[];
  }>("history", { project: NAME });
  const writers = versions.map(({ path, tool, client, agent }) => [path, tool, agent, client.slice(0, 14)]);
  const here = versions.find(({ tool }) => tool === "claim_task");
  assert.equal(here?.agent, "bo");
  for (const path of [`${NAME}/a.md`, `${NAME}/tasks/002-b.md`])
    assert.deepEqual(
      writers.find(([name]) => name === path),
      [path, "sync", undefined, "sync from eve "],
    );
});
