import { projectOf, TASK_FOLDERS } from "../../../core/notes/names.ts";
import { IconButton } from "../../icon.tsx";
import { useKeys } from "../../keys.ts";
import { words } from "../../language.ts";
import { addressOf } from "../../route.ts";
import { state } from "../../state.ts";
import { useStore } from "../../store.ts";
import { copy } from "./copy.ts";
import { DocumentMenu } from "./menu.tsx";
import type { Doc } from "./model.ts";
import { canWrite } from "./write.ts";

export type Mode = "edit" | "history" | undefined;

export function useDocumentKeys({ doc, show, isEditing, open }: ToolbarProps & { isEditing: boolean }): void {
  const toggleHistory = () => open(show === "history" ? undefined : "history");
  const edit = () => open("edit");
  useKeys([
    ...(canWrite(doc.path) && !isEditing ? [{ key: "e", label: words.document.edit, run: edit }] : []),
    ...(isEditing ? [] : [{ key: "h", label: words.document.history, run: toggleHistory }]),
    { key: "y", label: words.document.copyPath, run: () => void copy(doc.path) },
  ]);
}

/** `project › folder › file`: what has a page of its own is a link. */
export function PathLine({ path }: { path: string }) {
  const [project = "", ...inner] = path.split("/");
  const last = inner.length - 1;
  return (
    <nav class="path-line" aria-label={words.document.path}>
      <ol>
        <li>
          <a href={addressOf("project", { name: project })}>{project}</a>
        </li>
        {inner.map((part, at) => (
          <li key={at} aria-current={at === last ? "page" : undefined}>
            {at === 0 && at !== last && part === TASK_FOLDERS[0] ? (
              <a href={addressOf("board", { project })}>{part}</a>
            ) : (
              part
            )}
          </li>
        ))}
      </ol>
      <IconButton
        name={words.document.copyPath}
        path="M5.5 5.5v-4h9v9h-4m-9-5h9v9h-9z"
        onClick={() => void copy(path)}
      />
    </nav>
  );
}

interface ToolbarProps {
  doc: Doc;
  show: string | undefined;
  open(mode: Mode): unknown;
}

export function Toolbar({ doc, show, open }: ToolbarProps) {
  const isHistory = show === "history";
  return (
    <div class="toolbar">
      {canWrite(doc.path) && (
        <button type="button" class="main" onClick={() => open("edit")}>
          {words.document.edit}
        </button>
      )}
      <button type="button" aria-pressed={isHistory} onClick={() => open(isHistory ? undefined : "history")}>
        {words.document.history}
      </button>
      <EditorLink path={doc.path} />
      <DocumentMenu doc={doc} />
    </div>
  );
}

/** A link into an editor works only where the files are: on the server's own machine. */
function EditorLink({ path }: { path: string }) {
  const folder = useStore(
    state,
    ({ projects }) => projects.find(({ name }) => name === projectOf(path))?.path,
  );
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  if (!isLocal || folder === undefined || !canWrite(path)) return null;
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
