import type { ComponentChildren } from "preact";
import { IconButton } from "./icon.tsx";
import { words } from "./language.ts";
import { useModal } from "./view-focus.ts";

interface DialogProps {
  title: string;
  children: ComponentChildren;
  onClose(): void;
}

/** A modal dialog: the first field has the focus, the browser keeps it inside, Escape closes it. */
export function Dialog({ title, children, onClose }: DialogProps) {
  const element = useModal(document.activeElement, (dialog) =>
    dialog.querySelector<HTMLElement>("input, textarea, select")?.focus(),
  );
  return (
    <dialog ref={element} aria-label={title} onClose={onClose}>
      <header class="dialog-head">
        <h2>{title}</h2>
        <CloseButton onClick={() => element.current?.close()} />
      </header>
      {children}
    </dialog>
  );
}

export function CloseButton({ onClick }: { onClick(): void }) {
  return <IconButton name={words.app.close} path="M4 4l8 8M12 4l-8 8" onClick={onClick} />;
}

/** What ends a dialog: its own button, then Cancel. */
export function DialogEnd({ children, onClose }: Omit<DialogProps, "title">) {
  return (
    <div class="toolbar">
      {children}
      <button type="button" onClick={onClose}>
        {words.app.cancel}
      </button>
    </div>
  );
}
