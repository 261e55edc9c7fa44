import { withoutMarks } from "../../src/core/lib/marks.ts";

/** Calls a tool, and returns its structured answer. */
export type CallTool = <T = Record<string, unknown>>(name: string, args: object) => Promise<T>;

export const EXAMPLE_PROJECT = "payments-api";
const AGENT = "claude-7f";
const STEPS = ["Read what there is", "Write the test", "Change the code", "Update the notes"];
/** What is asked, and a part of the answer if it is known. */
export interface Question {
  query: string;
  project?: string;
  says?: string;
}

/** Tasks, and what is asked before each. */
export type Work = Record<string, readonly Question[]>;

const EXAMPLE_WORK: Work = {
  "Explain refused requests": [
    { query: "How does a client authenticate?" },
    { query: "What happens if a request fails?" },
  ],
  "Time out slow requests": [
    { query: "Why did we decide against retries?" },
    { query: "Where is the configuration documented?" },
  ],
  "Say what a client may retry": [
    { query: "Which version is deployed, and how?" },
    { query: "How are limits tested?" },
  ],
};

/**
 * About fifty calls of an agent in its current project, whatever its notes are; its context is compacted before each further task.
 * Throws if an answer does not say what was asked.
 */
export async function workOneDay(project: string, call: CallTool, work = EXAMPLE_WORK): Promise<void> {
  const paths: string[] = [];
  for (const [title, questions] of Object.entries(work)) {
    await call("get_briefing", {});
    if (paths.length === 0) await call("list_tasks", { project, ready: true, limit: 10 });
    for (const { says = "", ...asked } of questions) {
      const answer = await call("search", { project, ...asked });
      if (!withoutMarks(JSON.stringify(answer)).includes(says))
        throw new Error(`${asked.query}: no answer says: ${says}`);
    }
    paths.push(await workOnTask(title, call));
  }
  await moveAndUndo(paths, call);
  await call("list_tasks", { project, status: "done", limit: 10 });
  const done = Object.keys(work).map((title) => `- ${title}.\n`);
  const content = `## Done\n\n${done.join("")}\n## Blocked by\n\n- Nothing.\n\n## Next\n\n- Ask the first client.\n`;
  await call("log_session", { content, suffix: AGENT });
}

/** From an idea to done; returns the task's path. */
async function workOnTask(title: string, call: CallTool): Promise<string> {
  const objective = `${title}, so that clients know what to do.`;
  const parts = { objective, steps: STEPS, acceptance_criteria: ["A test shows it"] };
  const created = await call<{ task: { number: string; path: string } }>("create_task", { title, ...parts });
  const { number: task, path } = created.task;
  await call("claim_task", { agent: AGENT, task });
  await call("read_doc", { path });
  for (const step of STEPS.keys()) await call("update_task", { task, done_steps: [step + 1], agent: AGENT });
  const decision = { section: "Decisions", create: true, mode: "append", content: "- One sentence each.\n" };
  await call("update_doc", { path, ...decision, agent: AGENT });
  await call("update_task", { task, done_criteria: [1], agent: AGENT });
  await call("update_task_status", { task, status: "done", agent: AGENT });
  return path;
}

async function moveAndUndo(paths: readonly string[], call: CallTool): Promise<void> {
  const note = { folder: "references", filename: "refused-requests.md" };
  const links = paths.map((path) => `- [[${path}]]\n`);
  await call("create_doc", { ...note, content: `# Refused requests\n\n${links.join("")}` });
  const { change } = await call("move_doc", { ...note, to_filename: "refusals.md" });
  await call("history", { limit: 5 });
  await call("restore_doc", { change });
}

interface ListedTool {
  name: string;
  description?: string | undefined;
  inputSchema: object;
}

/** What a model reads of the tools. */
export function toolsText(tools: readonly ListedTool[]): string {
  return tools
    .map(({ name, description, inputSchema }) => `${name}${description}${JSON.stringify(inputSchema)}`)
    .join("");
}
