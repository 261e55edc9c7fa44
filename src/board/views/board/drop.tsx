import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

interface DropProps {
  name: string;
  /** Something in it is not as usual. */
  isChosen: boolean;
  children: ComponentChildren;
}

/** Opens below its name; Escape or leaving it closes it. */
export function Drop({ name, isChosen, children }: DropProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const close = () => details.current?.removeAttribute("open");
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !details.current?.open) return;
    event.preventDefault();
    close();
    details.current?.querySelector("summary")?.focus();
  };
  const onFocusOut = ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node) || !details.current?.contains(relatedTarget)) close();
  };
  return (
    <details ref={details} class="board-drop" onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
      <summary class={isChosen ? "board-chosen" : ""}>{name}</summary>
      <div class="board-drop-content">{children}</div>
    </details>
  );
}
