import { useRef, useState } from "preact/hooks";
import type { ToolAnswer } from "../../../core/mcp/tool.ts";
import type { moveDocTool } from "../../../core/mcp/tools/move-doc.ts";
import { homeOf } from "../../../core/notes/document.ts";
import { ARCHIVE, projectOf, STANDARD_FOLDERS } from "../../../core/notes/names.ts";
import { type ArchiveDoubts, archiveDoubts, namesOf } from "../../../core/notes/task/archive-doubts.ts";
import { changing } from "../../changes.ts";
import { Choice, sameNames } from "../../choice.tsx";
import { FormDialog, openDialog } from "../../dialog.tsx";
import { say, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { report } from "../../notices.ts";
import { navigate, route, setParameters } from "../../route.ts";
import { state } from "../../state.ts";
import { taskAt } from "../../task-list.ts";
import { refresh } from "../../tasks.ts";
import type { Doc } from "./model.ts";
import { isConflict } from "./write.ts";

type MoveArguments = Partial<Record<"to_project" | "to_folder" | "to_filename", string>>;

type MoveAnswer = ToolAnswer<typeof moveDocTool>;

/** Whatever was written meanwhile goes along. `isAsked`: the person knows what the answer would hint at. */
async function move(doc: Doc, to: MoveArguments, isAsked = false): Promise<void> {
  const change = changing();
  const { path, hint, changed } = await change.call<MoveAnswer>("move_doc", {
    path: doc.path,
    ...to,
  });
  const back = () => follow(path, doc.path);
  // The document itself is one of them.
  const others = changed.total - 1;
  const links = others > 0 && say(words.document.links, { count: others });
  change.done([say(words.document.moved, { path }), links, !isAsked && hint].filter(Boolean).join(" "), back);
  follow(doc.path, path);
  await Promise.all([...new Set([doc.project, projectOf(path)])].map(refresh));
}

/** A view that shows the document goes along. */
function follow(from: string, to: string): void {
  const { view, parameters } = route.get();
  if (view === "document") navigate("document", { path: to });
  else if (parameters["task"] === from) setParameters({ task: to });
}

export function isArchived(doc: Doc): boolean {
  return doc.folder === ARCHIVE;
}

/** Into the archive, or out of it into the folder where it came from; asks if something speaks against it. */
export function archive(doc: Doc): void {
  const { tasks } = state.get();
  const task = taskAt(tasks, doc.path);
  const doubts = task && archiveDoubts([task], tasks.get(doc.project) ?? []);
  if (doubts !== undefined && doubts.notDone.length > 0)
    openDialog((close) => <ArchiveDialog doc={doc} doubts={doubts} onClose={close} />);
  else move(doc, { to_folder: isArchived(doc) ? homeOf(doc).folder : ARCHIVE }).catch(report);
}

type Doubts = ArchiveDoubts<Task>;

function ArchiveDialog({ doc, doubts, onClose }: DialogProps & { doubts: Doubts }) {
  return (
    <FormDialog
      title={words.document.archiveTitle}
      action={words.board.archive}
      submit={() => move(doc, { to_folder: ARCHIVE }, true).then(onClose)}
      onClose={onClose}
    >
      <p>{doubtsIn(doubts)}</p>
      <p class="soft">{words.document.archiveHint}</p>
    </FormDialog>
  );
}

function doubtsIn({ notDone, waiting }: Doubts): string {
  const open = say(words.document.archiveNotDone, { names: namesOf(notDone) });
  if (waiting.length === 0) return open;
  const names = namesOf(waiting);
  return `${open} ${say(words.document.archiveWaiting, { count: notDone.length, names })}`;
}

interface DialogProps {
  doc: Doc;
  onClose(): void;
}

type Place = Pick<Doc, "project" | "folder" | "filename">;

/** Links to the document follow. */
export function MoveDialog({ doc, onClose }: DialogProps) {
  const [place, setPlace] = useState<Place>(doc);
  const change = (changes: Partial<Place>) => setPlace({ ...place, ...changes });
  return (
    <FormDialog
      title={words.document.move}
      action={words.document.move}
      submit={() => move(doc, changesOf(doc, place)).then(onClose)}
      onClose={onClose}
    >
      <label>
        {words.document.filename}
        <input
          value={place.filename}
          required
          autoComplete="off"
          onInput={({ currentTarget }) => change({ filename: currentTarget.value })}
        />
      </label>
      <label>
        {words.document.folder}
        <input
          list="folders"
          autoComplete="off"
          value={place.folder}
          onInput={({ currentTarget }) => change({ folder: currentTarget.value })}
        />
        <datalist id="folders">
          {FOLDERS.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      </label>
      <Choice
        label={words.board.table.project}
        value={place.project}
        options={sameNames(state.get().projects.map(({ name }) => name))}
        onChoose={(project) => change({ project })}
      />
    </FormDialog>
  );
}

const FOLDERS = [...STANDARD_FOLDERS.filter((folder) => folder !== "assets"), ARCHIVE];

/** Only what differs: the server keeps the rest, and a task its number. */
function changesOf(doc: Doc, { project, folder, filename }: Place): MoveArguments {
  return {
    ...(project !== doc.project && { to_project: project }),
    ...(folder.trim() !== doc.folder && { to_folder: folder.trim() }),
    ...(filename.trim() !== doc.filename && { to_filename: filename.trim() }),
  };
}

/** What was written meanwhile is said first: who then deletes again means that, too. */
export function DeleteDialog({ doc, onClose }: DialogProps) {
  const { total, paths } = doc.backlinks;
  const seen = useRef(doc.hash);
  const remove = async () => {
    const change = changing();
    const args = { path: doc.path, expected_hash: seen.current };
    await change.call("delete_doc", args).catch((error: unknown) => {
      if (isConflict(error)) seen.current = String(error.details["hash"]);
      throw error;
    });
    change.done(say(words.document.deleted, { path: doc.path }));
    onClose();
    await refresh(doc.project);
  };
  return (
    <FormDialog
      title={words.document.deleteTitle}
      action={words.document.remove}
      isDanger
      submit={remove}
      onClose={onClose}
    >
      <p>
        <code>{doc.path}</code>
      </p>
      <p>{say(words.document.deleteLinks, { count: total })}</p>
      <ul>
        {paths.map((path) => (
          <li key={path}>{path}</li>
        ))}
        {total > paths.length && <li>{say(words.document.moreLinks, { count: total - paths.length })}</li>}
      </ul>
      <p class="soft">{words.document.deleteHint}</p>
    </FormDialog>
  );
}
