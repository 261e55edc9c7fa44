import "./line.css";
import { report } from "./notices.ts";

interface LineProps {
  label: string;
  placeholder: string;
  /** What Enter does with the text. */
  onEnter(text: string): Promise<unknown>;
  /** What was not done, if that fails. */
  failed(text: string): string;
}

/** A line that is empty again after Enter, for the next one; a text that is refused comes back. Escape leaves it. */
export function Line({ label, placeholder, onEnter, failed }: LineProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const line = (event.currentTarget as HTMLFormElement).elements[0] as HTMLInputElement;
    const text = line.value.trim();
    if (text === "") return;
    line.value = "";
    onEnter(text).catch((error) => {
      report(error, failed(text));
      line.value ||= text;
    });
  };
  return (
    <form class="line" onSubmit={submit}>
      <input
        aria-label={label}
        placeholder={placeholder}
        maxLength={2000}
        autoComplete="off"
        onKeyDown={({ key, currentTarget }) => key === "Escape" && currentTarget.blur()}
      />
    </form>
  );
}
