import type { ComponentChildren } from "preact";
import { report } from "./notices.ts";

interface LineProps {
  /** What it is for: what was typed there stays while the page is open. */
  of: string;
  label: string;
  placeholder?: string;
  /** What Enter does with the text. */
  onEnter(text: string): Promise<unknown>;
  /** What was not done, if that fails. */
  failed(text: string): string;
  /** Its buttons. */
  children?: ComponentChildren;
}

const typed = new Map<string, string>();

/** A line that is empty again after Enter, for the next one; a text that is refused comes back. Escape leaves it. */
export function Line({ of, label, placeholder = label, onEnter, failed, children }: LineProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const line = (event.currentTarget as HTMLFormElement).elements[0] as HTMLInputElement;
    const text = line.value.trim();
    if (text === "") return line.focus();
    line.value = "";
    typed.delete(of);
    onEnter(text).catch((error) => {
      report(error, failed(text));
      line.value ||= text;
      typed.set(of, line.value);
    });
  };
  return (
    <form class="line" onSubmit={submit}>
      <input
        aria-label={label}
        placeholder={placeholder}
        maxLength={2000}
        autoComplete="off"
        defaultValue={typed.get(of)}
        onInput={({ currentTarget }) => typed.set(of, currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
      />
      {children}
    </form>
  );
}
