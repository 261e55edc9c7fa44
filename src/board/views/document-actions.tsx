import { useState } from "preact/hooks";
import { Dialog } from "../dialog.tsx";
import { announce, report } from "../notices.ts";
import { navigate } from "../route.ts";
import { call, refresh, state } from "../state.ts";
import { type Doc, projectOf } from "./document-model.ts";
import { words } from "./document-words.ts";

interface MoveArguments {
  to_project?: string;
  to_folder?: string;
  to_filename?: string;
}

interface MoveAnswer {
  path: string;
  hint?: string;
  edits?: { total: number; list: { path: string; line: number; before: string; after: string }[] };
}

async function move(doc: Doc, to: MoveArguments): Promise<void> {
  const { path, hint } = await call<MoveAnswer>("move_doc", {
    path: doc.path,
    expected_hash: doc.hash,
    ...to,
  });
  announce([words.moved(path), hint ?? ""].join(" ").trim());
  navigate("document", { path });
  await Promise.all([...new Set([doc.project, projectOf(path)])].map(refresh));
}

export function isArchived(doc: Doc): boolean {
  return doc.folder === "archive";
}

/** Into the archive, or out of it into the folder where it came from. */
export function archive(doc: Doc): void {
  const [home = ""] = doc.filename.split("/");
  move(doc, { to_folder: isArchived(doc) ? home : "archive" }).catch(report);
}

interface DialogProps {
  doc: Doc;
  onClose(): void;
}

/** Shows what a move would change before it happens. */
export function MoveDialog({ doc, onClose }: DialogProps) {
  const [checked, setChecked] = useState<{ to: MoveArguments; answer: MoveAnswer }>();
  const check = async (to: MoveArguments) => {
    const args = { path: doc.path, expected_hash: doc.hash, ...to, dry_run: true };
    setChecked({ to, answer: await call<MoveAnswer>("move_doc", args) });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (checked === undefined) {
      check(changesOf(doc, event.currentTarget as HTMLFormElement)).catch(report);
      return;
    }
    move(doc, checked.to).then(onClose).catch(report);
  };
  return (
    <Dialog title={words.move} onClose={onClose}>
      <form class="form" onSubmit={submit} onInput={() => setChecked(undefined)}>
        <PlaceFields doc={doc} />
        {checked !== undefined && <MoveEdits {...checked.answer} />}
        <div class="toolbar">
          <button type="submit" class="main">
            {checked === undefined ? words.check : words.moveNow}
          </button>
          <button type="button" onClick={onClose}>
            {words.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const FOLDERS = ["tasks", "plans", "sessions", "reports", "changelog", "references", "scratch", "archive"];

function PlaceFields({ doc }: { doc: Doc }) {
  const projects = state.get().projects.map(({ name }) => name);
  return (
    <>
      <label>
        {words.filename}
        <input name="filename" value={doc.filename} required autoComplete="off" />
      </label>
      <label>
        {words.folder}
        <input name="folder" value={doc.folder} list="folders" autoComplete="off" />
        <datalist id="folders">
          {FOLDERS.map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
      </label>
      <label>
        {words.project}
        <select name="project">
          {projects.map((name) => (
            <option key={name} selected={name === doc.project}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

/** Only what differs: the server keeps the rest, and a task its number. */
function changesOf(doc: Doc, form: HTMLFormElement): MoveArguments {
  const fields = new FormData(form);
  const textOf = (name: string) => String(fields.get(name) ?? "").trim();
  const [project, folder, filename] = ["project", "folder", "filename"].map(textOf) as [
    string,
    string,
    string,
  ];
  return {
    ...(project !== doc.project && { to_project: project }),
    ...(folder !== doc.folder && { to_folder: folder }),
    ...(filename !== doc.filename && { to_filename: filename }),
  };
}

function MoveEdits({ path, hint, edits = { total: 0, list: [] } }: MoveAnswer) {
  return (
    <div role="status">
      <p>{words.moveTo(path)}</p>
      <p>{words.moveEdits(edits.total)}</p>
      <ul class="plain-list">
        {edits.list.map((edit) => (
          <li key={`${edit.path} ${edit.line} ${edit.before}`}>
            <span class="soft">
              {edit.path} · {words.line(edit.line)}
            </span>
            <br />
            <del>{edit.before}</del> <ins>{edit.after}</ins>
          </li>
        ))}
      </ul>
      {hint !== undefined && <p>{hint}</p>}
    </div>
  );
}

export function DeleteDialog({ doc, onClose }: DialogProps) {
  const { total, paths } = doc.backlinks;
  const remove = async () => {
    await call("delete_doc", { path: doc.path, expected_hash: doc.hash });
    announce(words.deleted(doc.path));
    onClose();
    await refresh(doc.project);
  };
  return (
    <Dialog title={words.deleteTitle} onClose={onClose}>
      <p>
        <code>{doc.path}</code>
      </p>
      <p>{words.deleteLinks(total)}</p>
      <ul>
        {paths.map((path) => (
          <li key={path}>{path}</li>
        ))}
        {total > paths.length && <li>{words.moreLinks(total - paths.length)}</li>}
      </ul>
      <p class="soft">{words.deleteHint}</p>
      <div class="toolbar">
        <button type="button" class="danger" onClick={() => remove().catch(report)}>
          {words.remove}
        </button>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </Dialog>
  );
}
