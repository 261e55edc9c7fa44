import { UserError } from "../core/lib/errors.ts";
import { quoteName } from "../core/lib/escape.ts";
import { counted } from "../core/lib/text.ts";
import { realPath } from "../core/storage/folders.ts";
import { guarded } from "../core/storage/fs-errors.ts";
import { chooseProject, type ProjectChoice } from "../core/workspace/place/choose-project.ts";
import { repositoryNotes } from "../core/workspace/place/repository-notes.ts";
import type { Workspace } from "../core/workspace/workspace.ts";
import { type CapturedDay, captureSession, previewSession } from "../sessions/capture/capture.ts";
import { readTranscriptFile, sessionName } from "../sessions/capture/transcript-file.ts";
import { FORMATS } from "../sessions/transcripts/formats.ts";
import type { Transcript } from "../sessions/transcripts/transcript.ts";
import type { CommandContext } from "./command.ts";
import { nameToCreate, projectHere } from "./resolve-project.ts";
import { oneLine, quoted } from "./terminal.ts";

/** A session, and what became of it. */
export interface CapturedTranscript {
  transcript: string;
  client: string;
  session: string;
  project: string;
  days: CapturedDay[];
  skipped: Transcript["skipped"] & { of: number };
  unknown: Transcript["unknown"];
}

/** Captures a transcript (an absolute path), with `--dry-run` without writing. Throws UserError if it is none, or belongs to no project. */
export async function captureTranscript(
  context: CommandContext,
  workspace: Workspace,
  file: string,
): Promise<CapturedTranscript> {
  const whole = await guarded("read", file, () => readTranscriptFile(file));
  const { client, folder, lines, skipped, unknown } = whole;
  if (client === undefined) throw noTranscript(file);
  const project = projectOf(context, folder);
  const session = {
    project,
    folder,
    home: context.machine.home,
    client,
    id: sessionName(whole, file),
    transcript: whole,
    readAfter: (day: string, until: Date) => readTranscriptFile(file, new Map([[day, until]])),
  };
  const title = FORMATS[client].title;
  const days = context.options.has("dry-run")
    ? previewSession(workspace, session)
    : await workspace.history.acting({ tool: "capture", client: title }, () =>
        captureSession(workspace, session),
      );
  return {
    transcript: file,
    client: title,
    session: session.id,
    project,
    days,
    skipped: { ...skipped, of: lines },
    unknown,
  };
}

/** The project of `--project`, of the settings, or of the folder in which a session ran. */
function projectOf(context: CommandContext, folder: string): string {
  const { config, options, program } = context;
  const named = options.text("project");
  if (named !== undefined || config.project !== undefined || folder === "")
    return projectHere(context, named);
  const { project, expected } = sessionProject(context, folder);
  if (project !== undefined) return project;
  const create = `${program} init ${quoted(nameToCreate(expected) ?? "my-project")}`;
  const message = `The session ran in ${quoteName(folder)}, which belongs to no project of this workspace. Name one with --project, or create it: ${create}`;
  throw new UserError("PROJECT_NOT_FOUND", message, { details: { project: expected ?? "" } });
}

/** The project of the folder in which a session ran; none if its notes have another root. */
export function sessionProject(
  { config, machine }: CommandContext,
  folder: string,
): Pick<ProjectChoice, "project" | "expected"> {
  const own = repositoryNotes({ folder, home: machine.home })?.root;
  const isOwn = own !== undefined && realPath(own) === realPath(config.root);
  if (!isOwn && (own !== undefined || config.rootFrom === "repository")) return { project: undefined };
  return chooseProject(config.root, { folder, home: machine.home });
}

function noTranscript(file: string): UserError {
  const titles = Object.values(FORMATS).map(({ title }) => title);
  const message = `${quoteName(file)} is no transcript of ${titles.join(", ")}: none of its lines is one of their records.`;
  return new UserError("INVALID_ARGUMENT", message);
}

const DONE: Record<CapturedDay["action"], string> = {
  created: "Created",
  added: "Added to",
  replaced: "Updated in",
  unchanged: "Already in",
};

/** `Added to api/sessions/2026-11-25.md: 3 questions to Claude Code` */
export function dayLine({ client }: CapturedTranscript, { action, path, asks }: CapturedDay): string {
  return `${DONE[action]} ${oneLine(path)}: ${counted(asks, "question")} to ${client}`;
}

/** What was left out of a transcript; undefined if nothing. */
export function skippedLine({ skipped }: CapturedTranscript): string | undefined {
  const { broken, long, of } = skipped;
  if (broken + long === 0) return undefined;
  const reasons = [
    ...(broken > 0 ? [`${broken} cut or not JSON`] : []),
    ...(long > 0 ? [`${long} longer than 8 MB`] : []),
  ];
  return `Skipped ${broken + long} of ${counted(of, "line")}: ${reasons.join(", ")}.`;
}

/** Kinds of records that were not read; undefined if there are none. */
export function unknownLine({ client, unknown }: CapturedTranscript): string | undefined {
  const kinds = Object.entries(unknown).map(([kind, count]) =>
    oneLine(`${client}: ${kind}${count === 1 ? "" : ` (${count})`}`),
  );
  return kinds.length === 0 ? undefined : `Not read, since their kinds are new: ${kinds.join(", ")}.`;
}
