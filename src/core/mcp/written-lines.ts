/** Texts in which `\n` is a line break that a model or a shell wrote as two characters. */
const TEXTS = /^(?:content|notes?|objective)$/;
/** Tools that write what they are given byte for byte. */
const EXACT = /create_doc$|^vault_/;
const CODE = /`[^`]*`/g;
const CODE_OR_BREAK = new RegExp(`${CODE.source}|(?<!\\\\)(?:\\\\r)?\\\\n`, "g");
const BREAK = /(?<!\\)(?:\\r)?\\n/g;
/** Before a list, a heading, another one or the end. */
const MEANT = /^(?: {2,8})?(?:[-#]|(?:\\r)?\\n|$)/;

/** The arguments with line breaks where a text without one has two or more `\n`, each before `-`, `#` or another one; and what to say of it. */
export function withLines(tool: string, args: unknown): { args: unknown; said: string | undefined } {
  const isExact = EXACT.test(tool) || (args as { exact?: unknown } | null)?.exact === true;
  if (isExact || typeof args !== "object" || args === null) return { args, said: undefined };
  const names: string[] = [];
  const entries = Object.entries(args).map(([name, value]) => {
    const isText = TEXTS.test(name) && typeof value === "string";
    if (!isText || !isMeant(value)) return [name, value];
    names.push(name);
    return [name, value.replace(CODE_OR_BREAK, (found) => (found.startsWith("`") ? found : "\n"))];
  });
  if (names.length === 0) return { args, said: undefined };
  const said = `In '${names.join("', '")}', each \\n was written as a line break.`;
  return { args: Object.fromEntries(entries), said };
}

function isMeant(text: string): boolean {
  if (/[\r\n]/.test(text)) return false;
  const outside = text.replace(CODE, (code) => " ".repeat(code.length));
  const breaks = [...outside.matchAll(BREAK)];
  return (
    breaks.length > 1 &&
    breaks.every(({ index, 0: { length } }) => MEANT.test(outside.slice(index + length, index + length + 16)))
  );
}
