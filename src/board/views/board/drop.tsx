import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

interface DropProps {
  name: string;
  /** Something in it is not as usual. */
  isChosen: boolean;
  children: ComponentChildren;
}

/** Opens below its name; Escape, leaving it or following a link in it closes it. */
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
  const onClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest("a") !== null) close();
  };
  return (
    <details ref={details} class="board-drop" onKeyDown={onKeyDown} onFocusOut={onFocusOut}>
      <summary class={isChosen ? "board-chosen" : ""}>{name}</summary>
      {/* biome-ignore lint/a11y: the keyboard clicks links, too. */}
      <div class="board-drop-content" onClick={onClick}>
        {children}
      </div>
    </details>
  );
}
