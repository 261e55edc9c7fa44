/** Says a text to one client: without what it cannot do. */
export type Say = (text: string) => string;

/** Names of notes and texts from them, in the marks that sentences of this program put around them. */
const QUOTED = /(?<=^|[\s(])'[^']*'(?=$|[\s.,:;!?)])|"[^"]*"|“[^”]*”|`[^`]*`/g;
const SENTENCE = /[^\s].*?(?:[.!?]+[)\]]*(?=\s|$)|$)\s*/gs;

/**
 * One function for every instruction, hint, next step and description: what names a tool that the client was not given goes, a clause or
 * a whole sentence. API v1 has `tool_` before some names. Lines that quote a note (`>`) stay as they are.
 */
export function wordsFor(known: readonly string[], offered: readonly string[]): Say {
  const missing = known.filter((name) => !offered.includes(name));
  const renamed = missing.filter((name) => offered.includes(`tool_${name}`));
  const gone = patternOf(missing.filter((name) => !renamed.includes(name)));
  const other = patternOf(renamed);
  if (gone === undefined && other === undefined) return (text) => text;
  return (text) => {
    const lines = text.split("\n").map((line) => {
      if (line.startsWith(">")) return line;
      return sayLine(other === undefined ? line : line.replace(other, "tool_$&"), gone);
    });
    return lines.filter((line) => line !== null).join("\n");
  };
}

/** Names of one word are words of the language too, unless the reader is to call them. */
const CALLED = "(?<=\\b(?:call|use|with|or) )";

function patternOf(names: readonly string[]): RegExp | undefined {
  const patterns = names.map((name) => (name.includes("_") ? `\\b${name}` : `${CALLED}${name}`));
  return names.length === 0 ? undefined : new RegExp(`(?:${patterns.join("|")})\\b`, "gi");
}

/** Null for a line of which nothing is left. */
function sayLine(line: string, gone: RegExp | undefined): string | null {
  // Quotes cannot end a sentence, nor name a tool.
  const masked = line.replace(QUOTED, (quoted) => "\0".repeat(quoted.length));
  const names = (text: string) => gone !== undefined && text.search(gone) !== -1;
  if (!names(masked)) return line;
  const [mark = ""] = /^\s*(?:(?:[-*]|\d+\.)\s+)?/.exec(line) ?? [];
  const sentences = [...masked.slice(mark.length).matchAll(SENTENCE)].map(({ 0: text, index }) => {
    const at = mark.length + index;
    return saySentence(text, line.slice(at, at + text.length), names);
  });
  const isEnd = (text: string) => /^[)\]]/.test(text);
  const said = sentences
    .reduce((before, one) => (isEnd(one) ? before.trimEnd() : before) + one, "")
    .trimEnd();
  return said === "" ? null : mark + said;
}

/** Of each half, what stands before the first clause that names a missing tool; `masked` tells where that is, `text` what is said. */
function saySentence(masked: string, text: string, names: (text: string) => boolean): string {
  if (!names(masked)) return text;
  const [end = ""] = /[.!?]*[)\]]*\s*$/.exec(masked) ?? [];
  const body = masked.slice(0, masked.length - end.length);
  let at = 0;
  const halves = body.split("; ").map((half) => {
    const start = at;
    at += half.length + "; ".length;
    return text.slice(start, start + kept(half, names));
  });
  const said = halves.filter((half) => half !== "").join("; ");
  if (said !== "") return (halves[0] === "" ? withCapital(said) : said) + end;
  const closes = /^[^(]*\)/.test(masked);
  return closes ? end.replace(/^[.!?]+/, "") : "";
}

/** So many characters; none if only a label is left of them, such as `Next`. */
function kept(half: string, names: (text: string) => boolean): number {
  const clauses = half.split(/(?=: |, (?:or|and) )/);
  const bad = clauses.findIndex(names);
  const said = clauses.slice(0, bad === -1 ? clauses.length : bad).join("");
  return bad !== -1 && /^\w+$/.test(said) ? 0 : said.length;
}

/** Unless the first word is a tool. */
function withCapital(text: string): string {
  return text.replace(/^\p{Ll}(?=\p{Ll}*(?![\p{L}_]))/u, (letter) => letter.toUpperCase());
}
