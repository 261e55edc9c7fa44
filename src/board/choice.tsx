import { type Option, words } from "./language.ts";

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly Option[];
  onChoose(value: string): void;
}

/** A value that is none of the options is shown too. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {withChosen(options, [value]).map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

export function withChosen(options: readonly Option[], chosen: readonly string[]): readonly Option[] {
  const missing = chosen.filter((value) => !options.some(([one]) => one === value));
  return [...missing.map((value): Option => [value, value || words.field.none]), ...options];
}

export function sameNames(values: readonly string[]): Option[] {
  return values.map((one) => [one, one]);
}
