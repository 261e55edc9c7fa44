import { useState } from "preact/hooks";
import { words } from "../../language.ts";
import { report } from "../../notices.ts";
import { Popup, PopupButton } from "../../popup.tsx";
import { can } from "../../state.ts";
import { ArchiveDialog, archive, DeleteDialog, type Doubts, isArchived, MoveDialog } from "./actions.tsx";
import type { Doc } from "./model.ts";

/** What a document as a whole is asked about. */
export interface Question {
  doc: Doc;
  dialog: "move" | "delete" | Doubts;
}

/** What happens to a document as a whole: a button, its menu and the questions. */
export function DocumentMenu({ doc }: { doc: Doc }) {
  const [button, setButton] = useState<Element>();
  const [question, setQuestion] = useState<Question>();
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
        <Popup label={words.document.actions} button={button} onClose={() => setButton(undefined)}>
          <DocumentButtons isArchived={isArchived(doc)} read={async () => doc} ask={setQuestion} />
        </Popup>
      )}
      {question !== undefined && (
        <DocumentDialog question={question} onClose={() => setQuestion(undefined)} />
      )}
    </>
  );
}

interface ButtonsProps {
  isArchived: boolean;
  read(): Promise<Doc>;
  ask(question: Question): void;
}

/** For a popup. */
export function DocumentButtons({ isArchived, read, ask }: ButtonsProps) {
  const choose = (run: (doc: Doc) => void) => () => void read().then(run).catch(report);
  return (
    <>
      {can("move_doc") && (
        <>
          <PopupButton onChoose={choose((doc) => ask({ doc, dialog: "move" }))}>
            {words.document.move}
          </PopupButton>
          <PopupButton onChoose={choose((doc) => archive(doc, (dialog) => ask({ doc, dialog })))}>
            {isArchived ? words.document.unarchive : words.board.archive}
          </PopupButton>
        </>
      )}
      {can("delete_doc") && (
        <PopupButton class="danger" onChoose={choose((doc) => ask({ doc, dialog: "delete" }))}>
          {words.document.remove}
        </PopupButton>
      )}
    </>
  );
}

export function DocumentDialog({ question, onClose }: { question: Question; onClose(): void }) {
  const { doc, dialog } = question;
  if (dialog === "move") return <MoveDialog doc={doc} onClose={onClose} />;
  if (dialog === "delete") return <DeleteDialog doc={doc} onClose={onClose} />;
  return <ArchiveDialog doc={doc} doubts={dialog} onClose={onClose} />;
}
