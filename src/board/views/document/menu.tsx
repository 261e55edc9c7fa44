import { useState } from "preact/hooks";
import { words } from "../../language.ts";
import { Popup } from "../../popup.tsx";
import { can } from "../../state.ts";
import { ArchiveDialog, archive, DeleteDialog, type Doubts, isArchived, MoveDialog } from "./actions.tsx";
import type { Doc } from "./model.ts";

/** What happens to a document as a whole: a button, its menu and the questions. */
export function DocumentMenu({ doc }: { doc: Doc }) {
  const [button, setButton] = useState<Element>();
  const [dialog, setDialog] = useState<"move" | "delete" | Doubts>();
  const close = () => setDialog(undefined);
  if (!can("move_doc") && !can("delete_doc")) return null;
  return (
    <>
      <button
        type="button"
        aria-label={words.document.actions}
        title={words.document.actions}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => setButton(currentTarget)}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      {button !== undefined && (
        <Menu doc={doc} button={button} ask={setDialog} onClose={() => setButton(undefined)} />
      )}
      {dialog === "move" && <MoveDialog doc={doc} onClose={close} />}
      {typeof dialog === "object" && <ArchiveDialog doc={doc} doubts={dialog} onClose={close} />}
      {dialog === "delete" && <DeleteDialog doc={doc} onClose={close} />}
    </>
  );
}

interface MenuProps {
  doc: Doc;
  button: Element;
  ask(dialog: "move" | "delete" | Doubts): void;
  onClose(): void;
}

function Menu({ doc, button, ask, onClose }: MenuProps) {
  // Closed first, so that the focus is at the button when a dialog opens.
  const choose =
    (run: () => void) =>
    ({ currentTarget }: { currentTarget: Element }) => {
      currentTarget.closest("dialog")?.close();
      run();
    };
  return (
    <Popup label={words.document.actions} button={button} onClose={onClose}>
      {can("move_doc") && (
        <>
          <button type="button" class="quiet" onClick={choose(() => ask("move"))}>
            {words.document.move}
          </button>
          <button type="button" class="quiet" onClick={choose(() => archive(doc, ask))}>
            {isArchived(doc) ? words.document.unarchive : words.document.archive}
          </button>
        </>
      )}
      {can("delete_doc") && (
        <button type="button" class="quiet danger" onClick={choose(() => ask("delete"))}>
          {words.document.remove}
        </button>
      )}
    </Popup>
  );
}
