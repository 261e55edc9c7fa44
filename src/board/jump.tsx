import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import { type Target, useTargets } from "./jump-targets.ts";
import { isComposing } from "./keys.ts";
import { say, words } from "./language.ts";

/** A field that finds tasks, projects, documents and commands by their words. */
export function Jump({ onClose }: { onClose(): void }) {
  const id = useId();
  const { text, type, targets, active, setActive } = useChoice();
  const go = (target: Target | undefined, event: Event) => {
    if (target === undefined) return;
    onClose();
    // Once the dialog has given the focus back.
    setTimeout(() => target.go(event));
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isComposing(event) || (step === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (step === undefined) go(targets[active], event);
    else setActive(active + step);
  };
  return (
    <Dialog title={words.jump.title} class="jump" onClose={onClose}>
      <input
        class="jump-field"
        role="combobox"
        aria-label={words.jump.field}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={targets.length > 0 ? `${id}-${active}` : undefined}
        placeholder={words.jump.field}
        autoComplete="off"
        value={text}
        onInput={type}
        onKeyDown={press}
      />
      <p class="soft jump-count" role="status">
        {say(words.jump.found, { count: targets.length })}
      </p>
      <div class="jump-list" id={id} role="listbox" aria-label={words.search.results}>
        {targets.map((target, n) => (
          <Option
            key={`${target.kind} ${target.where} ${target.name}`}
            id={`${id}-${n}`}
            target={target}
            isActive={n === active}
            onPick={(event) => go(target, event)}
          />
        ))}
      </div>
    </Dialog>
  );
}

function useChoice() {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const targets = useTargets(text.trim());
  const type = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    setText(currentTarget.value);
    setAt(0);
  };
  const { length } = targets;
  const setActive = (next: number) => setAt((next + length) % Math.max(1, length));
  return { text, type, targets, active: Math.min(at, length - 1), setActive };
}

interface OptionProps {
  id: string;
  target: Target;
  isActive: boolean;
  onPick(event: Event): void;
}

function Option({ id, target: { kind, name, where }, isActive, onPick }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y: the field has the focus and the keys, as a combobox has.
    <div ref={element} id={id} class="jump-option" role="option" aria-selected={isActive} onClick={onPick}>
      <span class="jump-name" dir="auto">
        {name}
      </span>
      <span class="soft jump-where">
        {words.jump.kinds[kind]} · <bdi>{where}</bdi>
      </span>
    </div>
  );
}
