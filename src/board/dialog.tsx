import { type ComponentChildren, Fragment, type JSX } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { IconButton } from "./icon.tsx";
import { words } from "./language.ts";
import { messageOf } from "./notices.ts";
import { placeIn, route } from "./route.ts";
import { createStore, useStore } from "./store.ts";
import { useModal } from "./view-focus.ts";

interface DialogProps {
  title: string;
  class?: string;
  children: ComponentChildren;
  onClose(): void;
}

/** A modal dialog: the first field has the focus, the browser keeps it inside, Escape closes it. */
export function Dialog({ title, class: style, children, onClose }: DialogProps) {
  const element = useModal(document.activeElement, (dialog) =>
    dialog.querySelector<HTMLElement>("input, textarea, select")?.focus(),
  );
  return (
    <dialog ref={element} class={style} aria-label={title} onClose={onClose}>
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

interface FormDialogProps extends DialogProps {
  /** What its button says. */
  action: string;
  isDanger?: boolean;
  /** Closes the dialog if it is done; the dialog says why it failed. */
  submit(form: HTMLFormElement): Promise<unknown>;
}

/** A dialog that ends with a button for what it asks, and Cancel. */
export function FormDialog({ title, action, isDanger, submit, children, onClose }: FormDialogProps) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    // A disabled button would lose the focus.
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    await submit(event.currentTarget as HTMLFormElement).catch((error) => setProblem(messageOf(error)));
    setBusy(false);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void run(event)}>
        {children}
        {problem !== undefined && (
          <p class="problem-text" role="alert">
            {problem}
          </p>
        )}
        <div class="toolbar">
          <button type="submit" class={isDanger ? "danger" : "main"}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            {words.app.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type Content = (onClose: () => void) => JSX.Element;

/** The dialog or popup above the view. */
const opened = createStore<{ id: number; content: Content } | undefined>(undefined);
let lastId = 0;

/** Shows a dialog or popup in place of the last one. */
export function openDialog(content: Content): void {
  opened.update(() => ({ id: ++lastId, content }));
}

export function OpenDialog() {
  const now = useStore(opened, (value) => value);
  const place = useStore(route, placeIn);
  // Another place does not go on with it.
  useLayoutEffect(() => () => opened.update(() => undefined), [place]);
  if (now === undefined) return null;
  const close = () => opened.update((last) => (last === now ? undefined : last));
  return <Fragment key={now.id}>{now.content(close)}</Fragment>;
}
