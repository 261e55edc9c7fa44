import { withMarkdownExtension } from "../../core/lib/file-names.ts";
import { counted } from "../../core/lib/text.ts";
import { describeMove } from "../../core/mcp/tools/move-doc.ts";
import type { DocumentLocation } from "../../core/notes/document.ts";
import { ARCHIVE, baseName, standardFolder } from "../../core/notes/names.ts";
import { archiveWarning } from "../../core/workspace/archive.ts";
import { findDocument, findIfThere } from "../../core/workspace/find/document.ts";
import { isFolder, newPathOnDisk } from "../../core/workspace/find/folder.ts";
import { ownPath, pathFrom } from "../../core/workspace/find/own-path.ts";
import { findProject } from "../../core/workspace/find/project.ts";
import { moveDocuments } from "../../core/workspace/move.ts";
import { type Destination, type DocumentMove, newPathOf } from "../../core/workspace/move-check.ts";
import type { MovedLink, MoveResult } from "../../core/workspace/move-plan.ts";
import { readIfNamed } from "../../core/workspace/read.ts";
import type { Workspace } from "../../core/workspace/workspace.ts";
import { readOnlyError } from "../call.ts";
import type { CommandContext } from "../command.ts";
import { nameHere } from "../locate.ts";
import { wayBack, yesCommand } from "../next-commands.ts";
import { withWorkspace } from "../resolve-project.ts";
import { agreed, firstRows, notifyHint, oneLine, print, say } from "../terminal.ts";

const MAX_SHOWN = 50;

interface PlannedMove extends DocumentMove {
  isRepair: boolean;
}

export async function run(context: CommandContext): Promise<number> {
  if (context.config.readOnly) throw readOnlyError();
  const move = plan(context);
  return withWorkspace(context, (workspace) =>
    workspace.history.acting({ tool: "move_doc", client: "vibe-mcp move", isPerson: true }, () =>
      moveAsked(context, workspace, move),
    ),
  );
}

async function moveAsked(context: CommandContext, workspace: Workspace, move: PlannedMove): Promise<number> {
  const { options } = context;
  const { isRepair, from, to } = move;
  const result = await moveDocuments(workspace, [{ from, to }], { isRepair, dryRun: true });
  const warning = await archiveWarning(workspace, move);
  const isIdle = options.has("dry-run") || (isRepair && result.edits.length === 0);
  if (!isIdle) say(context, preview(move, result));
  notifyHint(context, warning ?? undefined);
  const question = `${whatChanges(move, result)}? [y/N] `;
  const isAgreed = !isIdle && (await agreed(context, question));
  const done = isAgreed ? await moveDocuments(workspace, [{ from, to }], { isRepair }) : result;
  const answer = {
    success: isAgreed || isIdle,
    previous_path: from,
    path: to,
    ...describeMove(done, !isAgreed, warning),
  };
  print(
    context,
    answer,
    isIdle ? preview(move, result) : outcome(context, move, isAgreed ? done : undefined),
  );
  return isAgreed || isIdle ? 0 : 1;
}

/** Where the document goes; if another program has moved it there, only links are left to change. */
function plan(context: CommandContext): PlannedMove {
  const { root } = context.config;
  const [name = "", place = ""] = context.words;
  const named = nameHere(context, name);
  const document = readIfNamed(root, named);
  if (document !== undefined) {
    const to = newPathOf(root, document, destination(root, document, place));
    return { from: document.path, to, isRepair: false };
  }
  const moved = place.includes("/") ? findIfThere(root, nameHere(context, place)) : undefined;
  // Throws if it is not known where the document was.
  if (moved === undefined) return { from: findDocument(root, named), to: "", isRepair: false };
  const { project, path } = named;
  const from = newPathOnDisk(
    root,
    withMarkdownExtension(project === undefined ? path : `${project}/${path}`),
  );
  return { from, to: moved, isRepair: true };
}

/** `archive`, `plans/`, `new-name`, `references/new-name.md`, and each of them after a project. */
function destination(root: string, from: DocumentLocation, place: string): Destination {
  const path = pathFrom(root, () => from.project, place);
  const [first = "", ...parts] = path.split("/");
  const project = findProject(root, first);
  const last = parts.pop() ?? "";
  if (parts.length === 0 && isFolder(root, project, last)) return { project, folder: last };
  const depth = standardFolder(parts[0] ?? "") === ARCHIVE ? 2 : 1;
  const inner = parts.slice(depth);
  const folder = parts.slice(0, depth).join("/");
  const isSame = parts.length === 0 && (path !== ownPath(root, place) || last === "");
  const name = last === "" && inner.length > 0 ? baseName(from.filename) : last;
  return {
    project,
    folder: isSame ? undefined : folder,
    filename: name === "" ? undefined : [...inner, name].join("/"),
  };
}

function preview({ from, to, isRepair }: PlannedMove, { edits, left }: MoveResult): string {
  const title = isRepair
    ? `${oneLine(to)} is there already: ${edits.length === 0 ? "no link has to" : "only links"} change.`
    : `${oneLine(from)} → ${oneLine(to)}`;
  const rows = firstRows(edits.map(shownEdit), MAX_SHOWN);
  const broken = left.map(
    (link) => `${place(link)}  ${oneLine(link.before)} will break: the file is not UTF-8`,
  );
  return `${[title, ...rows, ...broken].join("\n")}\n`;
}

function shownEdit(edit: MovedLink): string {
  return `${place(edit)}  ${oneLine(edit.before)} → ${oneLine(edit.after)}`;
}

function place({ path, line }: Pick<MovedLink, "path" | "line">): string {
  return `${oneLine(path)}:${line}`;
}

function whatChanges({ isRepair }: Pick<PlannedMove, "isRepair">, { edits }: MoveResult): string {
  const documents = new Set(edits.map(({ path }) => path)).size;
  const links = `${counted(edits.length, "link")} in ${counted(documents, "document")}`;
  if (isRepair) return `Change ${links}`;
  return edits.length === 0 ? "Move it" : `Move it, and change ${links}`;
}

function outcome(context: CommandContext, { from, to, isRepair }: PlannedMove, made?: MoveResult): string {
  if (made === undefined)
    return `Nothing ${isRepair ? "changed" : "moved"}. To do it: ${yesCommand(context)}\n`;
  const done = isRepair ? "Changed the links." : `Moved ${oneLine(from)} to ${oneLine(to)}.`;
  return `${done}${wayBack(context, "To take it back", made.change)}\n`;
}
