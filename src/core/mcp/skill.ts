import { HABITS } from "../notes/project/habits.ts";

const DESCRIPTION =
  "Project memory in Markdown: tasks, plans, decisions and session notes, through the MCP server vibe. Use it when you start or " +
  "resume work, before you ask or guess why something is as it is, when you take or finish a task, when something is decided, and " +
  "before you stop.";

/** Teaches an agent to use the tools and the command line. Clients load all of it once it is needed, so it stays below 120 lines. With a plugin, the program is beside it. */
export function skill(comes: "alone" | "in a plugin" = "in a plugin"): string {
  const habits = Object.values(HABITS).map(({ rule, more }, at) => `${at + 1}. ${rule} ${more}`);
  const beside = comes === "alone" ? "" : ", else `node <this skill's folder>/../../server/vibe-mcp.cjs`";
  return `---
name: vibe
description: ${JSON.stringify(DESCRIPTION)}
license: MIT
---

# Work with a project's notes

The tools of the MCP server \`vibe\` read and write Markdown files: tasks, plans, decisions, session notes. If the tools are not loaded
yet, look them up by name.

## In each session

${habits.join("\n")}

## Search

- Ask a full question, and put two or three other words for it into \`also\`: \`{ "query": "Why do we retry webhooks?", "also": ["resend", "backoff"] }\`.
- \`weak: true\` says that the notes hardly cover the question. Say so, or reword it once; do not build on such a hit.
- \`read_doc\` with \`section\` reads one section of a long note.
- Archived notes are only found with \`folder: "archive"\`.

## Tasks

- \`claim_task\` without a task takes the next one that is ready. CONFLICT names who holds a task, and until when: take another.
- Tick a step when it is done, not all of them at the end: \`update_task\` with \`done_steps: [2]\`. Your writes renew the claim.
- Stuck: \`update_task_status\` with \`blocked\`, and a \`note\` that says why.
- Done: \`open\` in the answer counts what is left unticked; finish it, or say why it stays. If the status comes back as \`review\`, a
  person approves it.
- Work that you find on the way is a task of its own (\`create_task\`, with \`context.dependencies\`), not a longer step.
- Handing over: \`claim_task\` with \`release: true\`, and a session note that says where you stopped.

## Decisions

They stand under Decisions in \`status.md\`, in briefings and first in searches: \`update_doc\` with \`filename: "status.md"\`, \`section: "Decisions"\`,
\`mode: "append"\` and \`create: true\`. The words of the question are the heading, the reason stands below it:

\`\`\`markdown
### Why webhooks are retried three times
2026-03-02. Three retries with backoff, then a dead letter. Partners are down for minutes, not hours; endless retries hid an outage.
Rejected: a queue per partner (cost).
\`\`\`

- Name things as people call them, and add the other names. How a thing works is a note in \`references\` (\`create_doc\`).
- A decision that no longer holds: change its text and say what replaced it. Two notes that disagree are worse than none.

## The end of a session

\`log_session\` with three headings, a few lines each. Name files and tasks, so that the next session can go on without asking:

\`\`\`markdown
## Done
- 004: the form validates (src/login/form.ts); steps 1 and 2 ticked
## Blocked by
- the staging key has expired; ana renews it
## Next
- 004, step 3: the error page
\`\`\`

## What not to store

- Passwords, tokens, keys, personal data.
- What the code or git says better: diffs, lists of files, copies of source.
- Whole logs and transcripts. Keep the line that matters.
- Guesses as if they were facts. Say what you checked, and how.
- A second note about the same thing: change the first.

## Many notes at once

Write through the tools: they check, and lose nothing. To read much, use the command line: its output can be cut and counted before
it reaches your context. It is \`vibe-mcp\` if that is in PATH${beside}.

| to | run |
|---|---|
| list all tasks, one per line | \`vibe-mcp tasks\` |
| list what can be started | \`vibe-mcp tasks --ready\` |
| find all notes about a word | \`vibe-mcp search retry --limit 100 --json \\| jq -r '.results[].path'\` |
| read one section | \`vibe-mcp show payments-api/status.md --section Next\` |
| see what changed, and by whom | \`vibe-mcp history --limit 50 --json\` |
| compare a plan with its tasks | \`vibe-mcp plan --json\` |
| get a short briefing | \`vibe-mcp brief --max-tokens 1000\` |

\`vibe-mcp undo <id>\` or \`restore_doc\` takes back a change; \`history\` names its id.
`;
}
