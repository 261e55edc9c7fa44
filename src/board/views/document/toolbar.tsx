import { useState } from "preact/hooks";
import { quoted } from "../../../lib/shell.ts";
import { projectOf } from "../../../notes/link-target.ts";
import { useKeys } from "../../keys.ts";
import { words } from "../../language.ts";
import { can, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { ArchiveDialog, archive, DeleteDialog, type Doubts, isArchived, MoveDialog } from "./actions.tsx";
import { copy } from "./copy.ts";
import type { Doc } from "./model.ts";
import { canWrite } from "./write.ts";

export type Mode = "edit" | "history" | undefined;

export function useDocumentKeys({ doc, show, isEditing, open }: ToolbarProps & { isEditing: boolean }): void {
  useKeys([
    ...(canWrite() && !isEditing ? [{ key: "e", label: words.document.edit, run: () => open("edit") }] : []),
    ...(isEditing
      ? []
      : [
          {
            key: "h",
            label: words.document.history,
            run: () => open(show === "history" ? undefined : "history"),
          },
        ]),
    { key: "y", label: words.document.copyPath, run: () => void copy(doc.path) },
  ]);
}

export function PathLine({ path }: { path: string }) {
  return (
    <p class="path-line">
      <code>{path}</code>
      <button
        type="button"
        class="quiet"
        aria-label={words.document.copyPath}
        title={words.document.copyPath}
        onClick={() => void copy(path)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M5.5 5.5v-4h9v9h-4m-9-5h9v9h-9z" />
        </svg>
      </button>
    </p>
  );
}

interface ToolbarProps {
  doc: Doc;
  show: string | undefined;
  open(mode: Mode): unknown;
}

export function Toolbar({ doc, show, open }: ToolbarProps) {
  const [dialog, setDialog] = useState<"move" | "delete" | Doubts>();
  const close = () => setDialog(undefined);
  const isHistory = show === "history";
  return (
    <div class="toolbar">
      {canWrite() && (
        <button type="button" class="main" onClick={() => open("edit")}>
          {words.document.edit}
        </button>
      )}
      <button type="button" aria-pressed={isHistory} onClick={() => open(isHistory ? undefined : "history")}>
        {words.document.history}
      </button>
      <EditorLinks path={doc.path} />
      {can("move_doc") && (
        <>
          <button type="button" onClick={() => setDialog("move")}>
            {words.document.move}
          </button>
          <button type="button" onClick={() => archive(doc, setDialog)}>
            {isArchived(doc) ? words.document.unarchive : words.document.archive}
          </button>
        </>
      )}
      {can("delete_doc") && (
        <button type="button" class="danger" onClick={() => setDialog("delete")}>
          {words.document.remove}
        </button>
      )}
      {dialog === "move" && <MoveDialog doc={doc} onClose={close} />}
      {typeof dialog === "object" && <ArchiveDialog doc={doc} doubts={dialog} onClose={close} />}
      {dialog === "delete" && <DeleteDialog doc={doc} onClose={close} />}
    </div>
  );
}

/** A link into an editor works only where the files are: on the server's own machine. */
function EditorLinks({ path }: { path: string }) {
  const folder = useStore(
    state,
    ({ projects }) => projects.find(({ name }) => name === projectOf(path))?.path,
  );
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  if (!isLocal || folder === undefined)
    return (
      <button type="button" onClick={() => void copy(`vibe-mcp edit ${quoted(path)}`)}>
        {words.document.copyCommand}
      </button>
    );
  const file = `${folder.replaceAll("\\", "/")}${path.slice(projectOf(path).length)}`;
  return (
    <a
      class="button"
      href={`vscode://file/${file.replace(/^\//, "").split("/").map(encodeURIComponent).join("/")}`}
    >
      {words.document.openEditor}
    </a>
  );
}
