import { useId } from "preact/hooks";

const MOST = 200;

interface SuggestProps {
  name?: string;
  label: string;
  type?: "text" | "date" | "number";
  options: readonly string[];
  /** Several values with commas between them: the last one is being typed. */
  isList?: boolean;
  value: string;
  onType(value: string): void;
}

/** A text field that offers values to choose from, and takes any other. */
export function Suggest({
  label,
  name,
  options,
  isList = false,
  type = "text",
  value,
  onType,
}: SuggestProps) {
  const id = useId();
  const before = isList ? (/^.*[,、，]\s*/.exec(value)?.[0] ?? "") : "";
  const taken = before.split(/[,、，]\s*/);
  return (
    <label>
      {label}
      <input
        name={name}
        type={type as "text"}
        autoComplete="off"
        list={options.length > 0 ? id : undefined}
        value={value}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      <datalist id={id}>
        {options
          .filter((one) => !taken.includes(one))
          .slice(0, MOST)
          .map((one) => (
            <option key={one} value={before + one}>
              {one}
            </option>
          ))}
      </datalist>
    </label>
  );
}
