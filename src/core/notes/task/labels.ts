import { nameOfKey } from "../field-names.ts";
import { oneOf } from "../words/languages.ts";
import { LABELS, type Label } from "../words/type.ts";

/** A label in a line: its words begin at `at`, what it says is `[start, end)`. */
export interface Labelled {
  /** Null for one without a meaning. */
  name: Label | null;
  words: string;
  /** Where the sign between it and the label before begins. */
  from: number;
  at: number;
  start: number;
  end: number;
}

/** Words of a label as keys of frontmatter have them: `depends_on`, `blocked-by`, `dueDate`. */
const wordsOf = (name: Label) => oneOf(({ labels }) => labels[name]).replaceAll(" ", "[ _-]?");
const ANY = LABELS.map(wordsOf).join("|");
const MARKS = "[*_`]{0,3}";
const COLONS = /[:：]/;
const COLON = `${MARKS}[ \\t]{0,4}[:：]{1,2}${MARKS}`;
const MAYBE = Object.fromEntries(
  LABELS.map((name) => [name, new RegExp(`${wordsOf(name)}${COLON}`, "iu")]),
) as Record<Label, RegExp>;
/** `- **Depends on:**`, `状態：`, `due::`. */
const FIRST = new RegExp(`^([ \\t]{0,12}(?:[-*+][ \\t]{1,4})?)${MARKS}(${ANY})${COLON}`, "iu");
/** ` | Owner:`, ` **Owner**:`; other words behind a bar, or in bold, end a value, too. */
const NEXT = new RegExp(
  [
    `([ \\t]{0,4}[|·•;；、,，/][ \\t]{0,4}|[\\t\u3000]|[ \\t]{2,12}|[ \\t](?=[*_]))${MARKS}(${ANY})${COLON}`,
    `([ \\t]{0,4}[|·•][ \\t]{0,4}|[ \\t](?=\\*\\*|__))${MARKS}(\\p{L}[^:：|*_]{0,40})${COLON}`,
  ].join("|"),
  "giu",
);

/** The labels of a line that begins with one: `Status: open | **Owner:** max`. */
export function labelsIn(line: string): Labelled[] {
  const first = COLONS.test(line) ? FIRST.exec(line) : null;
  if (first === null) return [];
  const [start = "", margin = "", words = ""] = first;
  const found = [labelled(words, { from: 0, at: margin.length, start: start.length })];
  for (const { 0: text, index, 1: sign, 2: known, 3: mark, 4: other } of line
    .slice(start.length)
    .matchAll(NEXT)) {
    const from = start.length + index;
    const at = from + (sign ?? mark ?? "").length;
    found.push(labelled(known ?? other ?? "", { from, at, start: from + text.length }));
  }
  return found.map((one, at) => ({ ...one, end: found[at + 1]?.from ?? line.length }));
}

function labelled(words: string, places: Pick<Labelled, "from" | "at" | "start">): Omit<Labelled, "end"> {
  return { name: LABELS.find((name) => name === nameOfKey(words)) ?? null, words, ...places };
}

/** Whether a label may stand in a text: cheaper than to read its lines. */
export function mayHaveLabel(text: string, name: Label): boolean {
  return MAYBE[name].test(text);
}

export function labelOf(line: string, name: Label): Labelled | undefined {
  return labelsIn(line).find((one) => one.name === name);
}
