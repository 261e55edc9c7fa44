import { escapeLine, escapeName } from "../../lib/escape.ts";
import { withoutMarkdownExtension } from "../../lib/file-names.ts";
import { saidInStatus } from "../../notes/project/status-page.ts";
import type { SessionNotes } from "../../notes/session/notes.ts";
import { shorten } from "../../notes/short-text.ts";
import { sessionStart } from "../../workspace/briefing/briefing.ts";
import { documentIn, type Facts, gatherFacts } from "../../workspace/briefing/facts.ts";
import { fitSections } from "../../workspace/briefing/fit.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { v1Status } from "./statuses.ts";

const MAX_CHARS = { status: 20_000, objective: 500, session: 5_000 };

const values = (workspace: Workspace) => workspace.projectNames();
const project = { name: "project" as const, description: "Project name", required: true, values };

/** The briefing has the earlier server's form; session_start is that of v2. */
export const prompts = [
  {
    name: "project_briefing",
    title: "Project briefing",
    arguments: [project],
    render: briefing,
    description: "Get a concise briefing of a project's current state.",
  },
  {
    name: "session_start",
    title: "Session start",
    arguments: [project],
    render: sessionStart,
    description: "Load complete context to start working on a project.",
  },
];

async function briefing(workspace: Workspace, { project }: { project: string }): Promise<string> {
  const facts = await gatherFacts(workspace, project);
  const document = facts.read(documentIn(facts, "", "status.md")?.path ?? "");
  const text = saidInStatus(document?.text.slice(document.facts.bodyOffset) ?? "").trim();
  const status = text.replace(/^(?:#{1,6}[ \t].*\s*)+/, "") || "_No status file_";
  const head = `# Project Briefing: ${escapeName(project)}\n\n## Current Status\n${shorten(status, MAX_CHARS.status)}`;
  const active = ["in-progress", "blocked", "pending"].flatMap((status) => activeTasks(facts, status));
  const sessions = facts.sessions.slice(0, 3).map((session) => notesOf(facts, session));
  return fitSections(head, [
    { title: "Active Tasks", body: active.join("\n") || "_None_", rank: 2, rest: "See list_tasks." },
    { title: "Recent Sessions", body: sessions.join("\n\n") || "_None_", rank: 1, rest: "See read_doc." },
  ]);
}

function activeTasks({ tasks }: Facts, which: string): string[] {
  return tasks.flatMap(({ status, filename, objective, title }) => {
    const shown = v1Status(status);
    const aim = shorten(escapeLine(objective || title, Number.POSITIVE_INFINITY), MAX_CHARS.objective);
    return shown === which ? [`- **[${shown}]** ${escapeName(filename)}: ${aim}`] : [];
  });
}

const asSentence = (text: string) => text.replace(/^\s*[-*+]\s+/, "").replace(/\n\s*[-*+]\s+/g, "; ");

function notesOf({ readSession }: Facts, { path, filename }: { path: string; filename: string }): string {
  const { asked, claimed, done, blocked, next, other = "" }: Partial<SessionNotes> = readSession(path) ?? {};
  const says = { Asked: asked, "Asked, as this note says": claimed };
  const parts = Object.entries({ ...says, Done: done, "Blocked by": blocked, Next: next });
  const named = parts.flatMap(([label, text]) => (text ? [`**${label}:** ${asSentence(text)}`] : []));
  return `### ${escapeName(withoutMarkdownExtension(filename))}\n\n${shorten(named.join("\n") || other, MAX_CHARS.session)}`.trimEnd();
}
