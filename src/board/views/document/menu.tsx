import { openDialog } from "../../dialog.tsx";
import { words } from "../../language.ts";
import { report } from "../../notices.ts";
import { Popup, PopupButton } from "../../popup.tsx";
import { can } from "../../state.ts";
import { archive, DeleteDialog, isArchived, MoveDialog } from "./actions.tsx";
import type { Doc } from "./model.ts";
import { canWrite } from "./write.ts";

/** What happens to a document as a whole: a button and its menu. */
export function DocumentMenu({ doc }: { doc: Doc }) {
  if (!["move_doc", "delete_doc"].some((tool) => canWrite(doc.path, tool))) return null;
  const openMenu = ({ currentTarget }: { currentTarget: Element }) =>
    openDialog((close) => (
      <Popup label={words.document.actions} button={currentTarget} onClose={close}>
        <DocumentButtons isArchived={isArchived(doc)} read={async () => doc} />
      </Popup>
    ));
  return (
    <button
      type="button"
      aria-label={words.document.actions}
      title={words.document.actions}
      aria-haspopup="dialog"
      onClick={openMenu}
    >
      <span aria-hidden="true">⋯</span>
    </button>
  );
}

interface ButtonsProps {
  isArchived: boolean;
  read(): Promise<Doc>;
}

/** For a popup. */
export function DocumentButtons({ isArchived, read }: ButtonsProps) {
  const choose = (run: (doc: Doc) => void) => () => void read().then(run).catch(report);
  const ask = (Asked: typeof MoveDialog) =>
    choose((doc) => openDialog((close) => <Asked doc={doc} onClose={close} />));
  return (
    <>
      {can("move_doc") && (
        <>
          <PopupButton onChoose={ask(MoveDialog)}>{words.document.move}</PopupButton>
          <PopupButton onChoose={choose(archive)}>
            {isArchived ? words.document.unarchive : words.board.archive}
          </PopupButton>
        </>
      )}
      {can("delete_doc") && (
        <PopupButton class="danger" onChoose={ask(DeleteDialog)}>
          {words.document.remove}
        </PopupButton>
      )}
    </>
  );
}
