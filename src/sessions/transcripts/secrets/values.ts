import { endOfLine } from "../../../core/lib/text.ts";
/** Where a value stands in a text. */
export interface Value {
  /** With its quotes. */
  start: number;
  end: number;
  /** Without its quotes. */
  text: string;
  isQuoted: boolean;
}

const MAX_VALUE = 4_000;
const MAX_RUN = 1_000;
/** `r"`, `\"`, `"""`, `“`, `&quot;`. */
const QUOTE =
  /(?:[A-Za-z@$%&]{1,3}(?=\\{0,7}["'`]))?(?:(\\{0,7})("""|'''|```|["'`])|([“”„«‘’‹「『])|(&(?:quot|apos|#34|#39|#x22|#x27|[lr]dquo);|%22|\\{1,4}u002[27]))/iy;
const CLOSING: Record<string, string> = {
  "“": "”",
  "„": "“”",
  "«": "»",
  "‘": "’",
  "‹": "›",
  "「": "」",
  "『": "』",
};
/** A piece that is joined to the one before it. */
const JOINED = /(?:\s{0,20}(?:[+.&]|\\\r?\n)\s{0,20})(?=[a-z]{0,2}\\{0,7}["'`])/iy;
/** The next one in a list. */
const LISTED = /\s{0,20}[,\s]\s{0,20}(?=["'`])/y;
/** What a shell takes for the same word. */
const GLUED = /(?:[\w!#%+./:=@^~-]{1,1000}|"[^"\n]{1,1000}"|'[^'\n]{1,1000}'){1,20}/y;
/** Up to a space, the quote or tag around it, or an escaped quote. */
const CHARACTER =
  /(?:\\ (?=\S)|(?!&(?:quot|apos|[lg]t|#\d{2});|\\{1,7}["'`])[^\s"“”`<>]|(?<![,[{])["`>](?=[\p{L}\p{N}])|<(?!\/|\w{1,10}[\s>/]))/u
    .source;
const RUN = new RegExp(`${CHARACTER}{1,${MAX_RUN}}`, "uy");
const REST = new RegExp(`${CHARACTER}+`, "uy");
const OPENERS = /[*_]{0,3}[([{<]{0,3}/y;
const TRAIL = /(?:[,;:.)\]}>*'|\\]|…)+$/;
const SCHEME = /(?:bearer|basic|token|digest|apikey|negotiate|key)\s{1,3}(?=\S)/iy;
const BLOCK = /[|>][-+\d]{0,3}[ \t]{0,10}(?:#[^\n]{0,200})?\r?\n/y;
const TAG = /!(?:!\w{1,20}|vault|secret|env|sub|ref)[ \t]{1,5}(?=\S)/iy;

/** The value that begins at a place: quoted, a block of YAML, or up to the next space. */
export function readValue(text: string, at: number): Value | undefined {
  const start = after(text, at, TAG);
  const block = after(text, start, BLOCK);
  if (block > start) return readIndented(text, start, block);
  const inner = after(text, start, OPENERS);
  const isList = /[([]\s*$/.test(text.slice(Math.max(0, start - 42), inner));
  return readQuoted(text, inner, isList ? LISTED : JOINED) ?? readRun(text, start);
}

/** Where a value ends that is masked. Reading each to its end first would take too long. */
export function endOf(text: string, { start, end }: Pick<Value, "start" | "end">): number {
  return end - start < MAX_RUN ? end : after(text, end, REST);
}

/** The rest of a line, for values with spaces. */
export function readLine(text: string, at: number): Value {
  const end = endOfLine(text, at);
  return { start: at, end, text: text.slice(at, end).trim(), isQuoted: false };
}

/** The place behind what a sticky pattern finds, else the same place. */
export function after(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** A quoted text, with those that are joined to it. */
function readQuoted(text: string, at: number, joined = JOINED): Value | undefined {
  const first = readPiece(text, at);
  let last = first;
  for (let count = 0; last !== undefined && count < 50; count++) {
    const next = after(text, last.end, joined);
    const piece = next === last.end ? undefined : readPiece(text, next);
    if (piece === undefined) break;
    last = piece;
  }
  if (first === undefined || last === undefined) return undefined;
  const end = /^["']$/.test(text[last.end - 1] ?? "") ? after(text, last.end, GLUED) : last.end;
  return { ...first, end, text: end > last.end ? text.slice(first.start, end) : first.text };
}

function readPiece(text: string, at: number): Value | undefined {
  QUOTE.lastIndex = at;
  const [whole, slashes = "", mark = "", curly = "", entity = ""] = QUOTE.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const from = at + whole.length;
  const window = text.slice(from, from + MAX_VALUE);
  const close =
    mark === ""
      ? closingMark(window, curly === "" ? [entity] : [...(CLOSING[curly] ?? curly)])
      : closingQuote(window, slashes.length, mark);
  const end = close === undefined ? endOfLine(text, from) : from + close.end;
  const inner = close === undefined ? text.slice(from, end) : window.slice(0, close.start);
  return { start: at, end, text: inner, isQuoted: true };
}

interface Closing {
  start: number;
  end: number;
}

function closingMark(window: string, marks: readonly string[]): Closing | undefined {
  const found = marks
    .map((mark) => ({ start: window.indexOf(mark), length: mark.length }))
    .filter(({ start }) => start !== -1)
    .sort((a, b) => a.start - b.start)[0];
  return found && { start: found.start, end: found.start + found.length };
}

/** A quote behind as many backslashes as the first one, and not doubled. */
function closingQuote(window: string, slashes: number, mark: string): Closing | undefined {
  for (let at = window.indexOf(mark); at !== -1; at = window.indexOf(mark, at + 1)) {
    const before = backslashesBefore(window, at);
    const isEscaped = slashes === 0 ? before % 2 === 1 : before > slashes;
    const isDoubled = slashes === 0 && at > 0 && mark.length === 1 && window[at + 1] === mark;
    if (isDoubled) at++;
    else if (!isEscaped) return { start: at - Math.min(before, slashes), end: at + mark.length };
  }
  return undefined;
}

function backslashesBefore(window: string, at: number): number {
  let count = 0;
  while (window[at - count - 1] === "\\") count++;
  return count;
}

export function readRun(text: string, at: number): Value | undefined {
  const start = after(text, at, OPENERS);
  const scheme = after(text, start, SCHEME);
  const quoted = scheme > start ? readQuoted(text, scheme) : undefined;
  if (quoted !== undefined) return quoted;
  const end = after(text, scheme, RUN);
  const whole = text.slice(scheme, end);
  const bare = whole.length < MAX_RUN ? whole.replace(TRAIL, "") : whole;
  return bare === "" ? undefined : { start: scheme, end: scheme + bare.length, text: bare, isQuoted: false };
}

/** The lines below that are indented, or blank. */
const INDENTED = /(?:[ \t]+[^\s][^\n]*(?:\n|$)|[ \t]*\r?\n)*/y;

function readIndented(text: string, start: number, from: number): Value | undefined {
  const lines = text.slice(from, after(text, from, INDENTED)).trimEnd();
  if (lines === "") return undefined;
  return { start, end: from + lines.length, text: lines.trim(), isQuoted: true };
}
