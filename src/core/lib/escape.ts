// Names and titles may come from a stranger's files: unescaped, they could end a line, look like another name, hide words,
// or control a terminal.

/**
 * First, as a group, the joiners and selectors that stay: between letters of scripts that need them, and inside emoji. Then
 * all invisible characters: control characters, line breaks, direction marks, tags, halves of surrogate pairs.
 */
const INVISIBLE =
  /((?<=[^\P{L}\p{Script=Latin}]\p{M}*)[\u200C\u200D](?=\p{L})|(?<=\p{Script=Mongolian})[\u180B-\u180D\u180F]|(?<=[\p{ExtPict}\p{EMod}]|\uFE0F)\u200D(?=\p{ExtPict})|(?<=\p{ExtPict})[\uFE0E\uFE0F]|(?<=[\d#*])\uFE0F(?=\u20E3))|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{DI}\uFFF9-\uFFFB]/gu;
const SEEN = /^[\x20-\x7e]*$/;
/** Control characters and line breaks. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;
/** One word without punctuation, which needs no quotes in a list. */
const WORD = /^(?:[^\s\p{P}`<>|]|[-_./@&#]){1,80}$/u;
/** Characters that move a terminal's cursor, or change the direction of the text after them. */
const COMMANDS = /(?![\n\t])\p{Cc}|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;
/** The rest of an escape or a surrogate pair after a cut. */
const CUT = /(?:[\uD800-\uDBFF]|\\(?:u(?:\{[0-9a-f]{0,6})?)?)$/;

const MAX_CHARS = 300;

/** `\u{202e}` */
function visible(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

/** The text with each invisible character replaced by `as`. */
export function escapeInvisible(text: string, as = visible): string {
  if (SEEN.test(text)) return text;
  return text.replace(INVISIBLE, (character, kept: string | undefined) => kept ?? as(character));
}

/** A name on one line, at most `most` characters. */
export function escapeName(name: string, most = MAX_CHARS): string {
  const escaped = escapeInvisible(name.slice(0, most + 1));
  return escaped.length <= most ? escaped : `${escaped.slice(0, most - 1).replace(CUT, "")}…`;
}

/** A title or a snippet on one line: its white space is folded. */
export function escapeLine(text: string, most = MAX_CHARS): string {
  return escapeName(text.replace(/\s+/g, " ").trim(), most);
}

/** A name inside a sentence, in quotes that it cannot end. */
export function quoteName(name: string, most = MAX_CHARS): string {
  const shown = escapeName(name, most);
  if (!shown.includes("'")) return `'${shown}'`;
  return shown.includes('"') ? `'${shown.replaceAll("'", visible("'"))}'` : `"${shown}"`;
}

/** The first names of a list, and how many more there are; all but plain words stand in quotes. */
export function listNames(names: readonly string[], most = 20): string {
  const first = names.slice(0, most).map(listedName).join(", ");
  return names.length > most ? `${first} and ${names.length - most} more` : first;
}

/** A name for a list. */
export function listedName(name: string): string {
  return isPlainName(name) ? name : quoteName(name);
}

/** Whether a name is one word, which says nothing else than a name. */
export function isPlainName(name: string): boolean {
  return WORD.test(name) && escapeInvisible(name) === name;
}

/** A whole text for a model: all but its line breaks and tabs is seen, also where Markdown is rendered. */
export function escapeUnseen(text: string): string {
  const shown = text.replaceAll("<!--", "&lt;!--");
  return escapeInvisible(shown, (character) => (/[\n\r\t]/.test(character) ? character : visible(character)));
}

/** How many characters of a text cannot be seen, and the first of them. */
export function unseenIn(text: string): { count: number; first: string } | undefined {
  const found: string[] = [];
  escapeInvisible(text, (character) => {
    found.push(character);
    return character;
  });
  const [first] = found;
  return first === undefined ? undefined : { count: found.length, first: visible(first) };
}

/** A whole text for a terminal: lines and tabs stay, control sequences are disarmed. */
export function escapeText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(COMMANDS, visible);
}

/** JSON with its invisible characters written as `\u202e`. */
export function escapeJson(json: string): string {
  return escapeInvisible(json, (character) => (character === "\n" ? character : jsonEscape(character)));
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

/** Whether a name cannot be written on one line: such files and folders are left out. */
export function hasControlCharacter(name: string): boolean {
  return !SEEN.test(name) && CONTROL.test(name);
}

/** A word quoted for a shell, if it needs quotes. */
export function quoteForShell(word: string): string {
  // The first is quick to compile, and enough for most.
  const isPlain = /^[\w./:@%+,=-]+$/.test(word) || /^[\p{L}\p{N}_./:@%+,=-]+$/u.test(word);
  return isPlain ? word : `"${word.replace(/(["$`\\])/g, "\\$1")}"`;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For the text and the quoted attributes of a web page. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => ENTITIES[letter] ?? "");
}
