import { makeKey, signerOf } from "../../core/history/machine-key.ts";
import { localTime } from "../../core/lib/clock.ts";
import { type DocumentLocation, documentPath } from "../../core/notes/document.ts";
import {
  addBlock,
  type BlockOwner,
  blocksOf,
  type CapturedBlock,
  markBlock,
  replaceBlock,
} from "../../core/notes/session/captured-block.ts";
import { sessionFilename } from "../../core/notes/session/file.ts";
import type { Lock } from "../../core/storage/locks.ts";
import { createDocument, saveDocument } from "../../core/workspace/change/documents.ts";
import { newPathOnDisk } from "../../core/workspace/find/folder.ts";
import { type Document, readIfThere } from "../../core/workspace/read.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import { blockLines } from "../transcripts/block.ts";
import type { TranscriptClient } from "../transcripts/formats.ts";
import type { SessionDay } from "../transcripts/session-days.ts";
import type { Transcript } from "../transcripts/transcript.ts";
import { changedFiles, type SessionPlace, usedTasks } from "./captured-names.ts";

/** A session as a client recorded it. */
export interface CapturedSession extends SessionPlace {
  client: TranscriptClient;
  /** Letters, digits and hyphens. */
  id: string;
  transcript: Transcript;
  /** The same without what happened on a day up to a time. */
  readAfter(day: string, until: Date): Transcript;
}

/** What becomes of the block of one day. */
export interface CapturedDay {
  day: string;
  /** Of the session note. */
  path: string;
  action: "created" | "added" | "replaced" | "unchanged";
  asks: number;
  /** The block as it stands in the note; `""` if nothing is new. */
  block: string;
}

/**
 * Puts a block into the project's session note of each day on which the session's person asked something. It replaces the
 * session's own block; one that someone edited stays, and what came later gets a new one.
 */
export async function captureSession(workspace: Workspace, session: CapturedSession): Promise<CapturedDay[]> {
  const captured: CapturedDay[] = [];
  const { state } = workspace.history;
  if (state !== undefined) await makeKey(state);
  for (const day of session.transcript.days)
    captured.push(
      await workspace.locked(session.project, async (lock) => {
        const plan = planDay(workspace, session, day);
        await write(workspace, plan, lock);
        return plan.result;
      }),
    );
  return captured;
}

/** What `captureSession` would do now. */
export function previewSession(workspace: Workspace, session: CapturedSession): CapturedDay[] {
  return session.transcript.days.map((day) => planDay(workspace, session, day).result);
}

interface DayPlan {
  result: CapturedDay;
  name: DocumentLocation;
  /** The present note, if there is one, and its new text. */
  note: Document | undefined;
  text: string;
}

function planDay(workspace: Workspace, session: CapturedSession, whole: SessionDay): DayPlan {
  const { project } = session;
  const { root } = workspace;
  const name = { project, folder: "sessions", filename: sessionFilename(whole.day) };
  const note = readIfThere(root, name);
  const path = note?.path ?? newPathOnDisk(root, documentPath(name));
  const { own, after } = placeIn(note, ownerOf(session));
  const day =
    after === undefined
      ? whole
      : session.readAfter(whole.day, after).days.find((one) => one.day === whole.day);
  const result = { day: whole.day, path, asks: whole.asks.length };
  const unchanged = (block = "") => {
    const action = "unchanged" as const;
    return { result: { ...result, action, block }, name, note, text: note?.text ?? "" };
  };
  // Another process may have read further meanwhile.
  if (day === undefined || (own !== undefined && own.until > day.to)) return unchanged();
  const block = renderBlock(workspace, session, { day, path });
  const text =
    note === undefined || own === undefined
      ? addBlock(note?.text, block, { date: day.day, time: localTime(day.from) })
      : replaceBlock(note.text, own, block);
  if (text === note?.text) return unchanged(block);
  const action = note === undefined ? "created" : own === undefined ? "added" : "replaced";
  return { result: { ...result, action, block }, name, note, text };
}

async function write(workspace: Workspace, { result, name, note, text }: DayPlan, lock: Lock): Promise<void> {
  if (result.action === "unchanged") return;
  if (note === undefined) await createDocument(workspace, name, text, lock);
  else await saveDocument(workspace, note, { text, lock });
}

function renderBlock(
  workspace: Workspace,
  session: CapturedSession,
  { day, path }: { day: SessionDay; path: string },
): string {
  const { client } = session;
  const tasks = usedTasks(workspace, day, session);
  const lines = blockLines({ ...day, ...changedFiles(workspace, day, session), client, tasks });
  return markBlock(ownerOf(session), day.to, {
    lines,
    sign: signerOf(workspace.history.state, "capture", path),
  });
}

function ownerOf({ client, id }: CapturedSession): BlockOwner {
  return { client, session: id };
}

/** The block to replace, if any, and up to when the blocks before it hold the session. */
function placeIn(
  note: Document | undefined,
  owner: BlockOwner,
): { own: CapturedBlock | undefined; after: Date | undefined } {
  const blocks = note === undefined ? [] : blocksOf(note.text, owner);
  const own = blocks.at(-1)?.isEdited === false ? blocks.at(-1) : undefined;
  const before = own === undefined ? blocks.at(-1) : blocks.at(-2);
  return { own, after: before?.until };
}
