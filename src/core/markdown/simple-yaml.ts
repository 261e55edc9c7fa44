const LINE = /^([A-Za-z][\w-]*): +(\S.*)$/;
/** Dates, and words that start with a letter and have no special characters of YAML. */
const PLAIN = /^(?:[\p{L}][\p{L}\p{M}\p{N} _./@+()-]*|\d{4}-\d\d-\d\d)$/u;
/** Words that are not text in the core schema or in other YAML parsers. */
const NO_TEXT = /^(?:null|true|false|yes|no|on|off|y|n|nan|inf)$/i;

/**
 * Reads lines of `key: word` and `key: [word, word]`, almost all frontmatter there is, without the YAML parser, which would
 * take most of the time of reading a note. Null for any other YAML.
 */
export function readSimpleYaml(yaml: string): Record<string, string | string[]> | null {
  const data: Record<string, string | string[]> = {};
  for (const line of yaml.split(/\r?\n/)) {
    if (line === "") continue;
    const [, key = "", rest = ""] = LINE.exec(line) ?? [];
    const text = withoutSpaces(rest);
    const value = text.startsWith("[") ? readList(text) : readWord(text);
    if (value === null || NO_TEXT.test(key) || Object.hasOwn(data, key)) return null;
    data[key] = value;
  }
  return data;
}

function readWord(text: string): string | null {
  return PLAIN.test(text) && !NO_TEXT.test(text) ? text : null;
}

function readList(text: string): string[] | null {
  if (!text.endsWith("]")) return null;
  const items = text
    .slice(1, -1)
    .split(",")
    .map((item) => readWord(withoutSpaces(item)));
  return items.every((item) => item !== null) ? items : null;
}

/** A pattern for the spaces at the end would be tried at every space. */
function withoutSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === " ") start++;
  while (end > start && text[end - 1] === " ") end--;
  return text.slice(start, end);
}
