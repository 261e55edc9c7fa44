import { type TranscriptFile, transcriptFiles } from "../../clients/transcripts.ts";
import { UserError } from "../../lib/errors.ts";
import { counted } from "../../lib/text.ts";
import { attempt } from "../../storage/fs-errors.ts";
import { readTranscriptHead } from "../../workspace/transcript-file.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import {
  type CapturedTranscript,
  captureTranscript,
  dayLine,
  sessionProject,
  skippedLine,
  unknownLine,
} from "../capture-transcript.ts";
import type { CommandContext } from "../command.ts";
import { dayBefore } from "../days.ts";
import { withWorkspace } from "../resolve-project.ts";
import { notify, oneLine, print, quoted, say } from "../terminal.ts";

/** Folders whose sessions belong to no project of this workspace. */
interface UnknownFolder {
  folder: string;
  /** The name that its project would have; undefined for a folder that belongs to none. */
  project: string | undefined;
  sessions: number;
}

/** Captures what is still on disk, each session into its folder's project. */
export async function runAll(context: CommandContext): Promise<number> {
  const { clock, machine, options } = context;
  const given = options.text("since");
  const since = given === undefined ? "" : dayBefore(clock.now(), given, "--since");
  const start = since === "" ? new Date(0) : new Date(`${since}T00:00:00`);
  const files = transcriptFiles(machine).filter(({ written }) => written >= start);
  const { known, unknown, elsewhere } = sortByProject(context, files);
  const answer = await withWorkspace(context, (workspace) =>
    captureFiles(context, workspace, { files: known, since }),
  );
  print(context, { ...answer, unknown, elsewhere }, "");
  report(context, answer, { unknown, elsewhere });
  return 0;
}

function sortByProject(context: CommandContext, files: readonly TranscriptFile[]) {
  const known: string[] = [];
  const unknown = new Map<string, UnknownFolder>();
  let elsewhere = 0;
  for (const { file } of files) {
    const { client, folder = "" } = attempt(() => readTranscriptHead(file)) ?? {};
    if (client === undefined || folder === "") continue;
    const { project, expected, elsewhere: other } = sessionProject(context, folder);
    if (project !== undefined) known.push(file);
    else if (other !== undefined) elsewhere++;
    else {
      const key = expected ?? folder;
      const sessions = (unknown.get(key)?.sessions ?? 0) + 1;
      unknown.set(key, { folder, project: expected, sessions });
    }
  }
  return { known, unknown: [...unknown.values()], elsewhere };
}

async function captureFiles(
  context: CommandContext,
  workspace: Workspace,
  { files, since }: { files: readonly string[]; since: string },
) {
  const sessions: CapturedTranscript[] = [];
  const failed: { transcript: string; problem: string }[] = [];
  for (const file of files) {
    try {
      const captured = await captureTranscript(context, workspace, { file, since });
      if (captured.days.length > 0) sessions.push(captured);
      for (const day of captured.days)
        say(context, `${context.options.has("dry-run") ? "Would be: " : ""}${dayLine(captured, day)}`);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failed.push({ transcript: file, problem: error.message });
    }
  }
  return { sessions, failed };
}

function report(
  context: CommandContext,
  { sessions, failed }: Awaited<ReturnType<typeof captureFiles>>,
  { unknown, elsewhere }: { unknown: readonly UnknownFolder[]; elsewhere: number },
): void {
  const lines = [`${counted(sessions.length, "session")} of this workspace's projects.`];
  for (const { transcript, skipped } of sessions) {
    const line = skippedLine(skipped);
    if (line !== undefined) lines.push(`${oneLine(transcript)}: ${line}`);
  }
  const news = unknownLine(sessions);
  if (news !== undefined) lines.push(news);
  for (const { transcript, problem } of failed) lines.push(`${oneLine(transcript)}: ${oneLine(problem)}`);
  for (const { folder, project, sessions: count } of unknown) {
    const create =
      project === undefined ? "" : `, create its project: ${context.program} init ${quoted(project)}`;
    lines.push(`${counted(count, "session")} in ${oneLine(folder)}, which belongs to no project${create}`);
  }
  if (elsewhere > 0)
    lines.push(`${counted(elsewhere, "session")} in repositories that keep their notes: run this there.`);
  notify(context, `${lines.join("\n")}\n`);
}
