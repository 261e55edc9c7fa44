import { COLLECTION_STYLE, EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from "js-yaml";

/** `[start, end)` of a node in its source, with its anchor and tag; both -1 for one that is not written. */
interface Span {
  start: number;
  end: number;
}

interface YamlValue extends Span {
  /** A block scalar or a block collection: it takes whole lines, and `end` is somewhere on the last of them. */
  isBlock: boolean;
}

/** One `key: value` of a mapping; `name` is null for a key that is no plain text. */
export interface YamlEntry {
  name: string | null;
  key: Span;
  value: YamlValue;
}

interface Cursor {
  source: string;
  events: readonly Event[];
  at: number;
}

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;
type CollectionEvent = Extract<Event, { type: typeof EVENT_ID.SEQUENCE | typeof EVENT_ID.MAPPING }>;

/** The entries of a valid YAML mapping in block style, in order; none for an empty one, null for another layout. */
export function yamlEntries(source: string): YamlEntry[] | null {
  const cursor = { source, events: parseEvents(source, {}), at: 1 };
  const top = cursor.events[cursor.at];
  if (top === undefined || top.type === EVENT_ID.POP) return [];
  if (top.type === EVENT_ID.SCALAR && top.valueStart === -1) return [];
  if (top.type !== EVENT_ID.MAPPING || top.style !== COLLECTION_STYLE.BLOCK) return null;
  cursor.at++;
  const entries: YamlEntry[] = [];
  while (!isAtEnd(cursor)) entries.push(readEntry(cursor));
  return entries.map((entry, at) => withLastLines(source, entry, entries[at + 1]));
}

function readEntry(cursor: Cursor): YamlEntry {
  const event = cursor.events[cursor.at];
  const name = event?.type === EVENT_ID.SCALAR ? getScalarValue(cursor.source, event) : null;
  return { name, key: readNode(cursor), value: readNode(cursor) };
}

function isAtEnd({ events, at }: Cursor): boolean {
  return (events[at]?.type ?? EVENT_ID.POP) === EVENT_ID.POP;
}

function readNode(cursor: Cursor): YamlValue {
  const event = cursor.events[cursor.at];
  cursor.at++;
  if (event?.type === EVENT_ID.SCALAR) return scalarSpan(cursor.source, event);
  if (event?.type === EVENT_ID.ALIAS) {
    return { start: event.anchorStart - 1, end: event.anchorEnd, isBlock: false };
  }
  if (event?.type === EVENT_ID.SEQUENCE || event?.type === EVENT_ID.MAPPING) {
    return readCollection(cursor, event);
  }
  return { start: -1, end: -1, isBlock: false };
}

function scalarSpan(source: string, event: ScalarEvent): YamlValue {
  const { style, valueStart, valueEnd } = event;
  const properties = propertiesSpan(event);
  if (valueStart === -1) return { ...properties, isBlock: false };
  if (style === SCALAR_STYLE.LITERAL_BLOCK || style === SCALAR_STYLE.FOLDED_BLOCK) {
    return { start: earlier(properties.start, valueStart), end: endOfText(source, valueEnd), isBlock: true };
  }
  const quote = style === SCALAR_STYLE.PLAIN ? 0 : 1;
  return { start: earlier(properties.start, valueStart - quote), end: valueEnd + quote, isBlock: false };
}

function readCollection(cursor: Cursor, event: CollectionEvent): YamlValue {
  const { source } = cursor;
  const isFlow = event.style === COLLECTION_STYLE.FLOW;
  const isOpen = isFlow && hasBracket(cursor, event);
  let end = isOpen ? event.start + 1 : event.start;
  while (!isAtEnd(cursor)) end = Math.max(end, readNode(cursor).end);
  cursor.at++;
  if (isOpen) end = afterClosing(source, end, event.type === EVENT_ID.SEQUENCE ? "]" : "}");
  return { start: earlier(propertiesSpan(event).start, event.start), end, isBlock: !isFlow };
}

/** The pair `? a` in `[? a]` is a mapping without one, also where its key starts with one. */
function hasBracket({ source, events, at }: Cursor, { type, start }: CollectionEvent): boolean {
  const first = events[at];
  if (first?.type === EVENT_ID.MAPPING && first.start === start) return false;
  return source[start] === (type === EVENT_ID.SEQUENCE ? "[" : "{");
}

/** Between the last item and the bracket stand only separators and comments. */
function afterClosing(source: string, from: number, closing: string): number {
  let at = from;
  while (at < source.length && source[at] !== closing) {
    at = source[at] === "#" ? endOfLine(source, at) : at + 1;
  }
  return at + 1;
}

function propertiesSpan({ anchorStart, anchorEnd, tagStart, tagEnd }: ScalarEvent | CollectionEvent): Span {
  const anchor = anchorStart === -1 ? -1 : anchorStart - 1;
  return { start: earlier(anchor, tagStart), end: Math.max(anchorEnd, tagEnd) };
}

/** An empty last item has no place of its own: the lines of a block end where only comments follow. */
function withLastLines(source: string, entry: YamlEntry, next: YamlEntry | undefined): YamlEntry {
  const { value } = entry;
  if (!value.isBlock) return entry;
  const limit = next === undefined ? source.length : startOfLine(source, next.key.start);
  let end = value.end;
  for (let at = endOfLine(source, end) + 1; at < limit; at = endOfLine(source, at) + 1) {
    const line = source.slice(at, endOfLine(source, at)).trim();
    if (line !== "" && !line.startsWith("#")) end = endOfText(source, endOfLine(source, at));
  }
  return { ...entry, value: { ...value, end } };
}

export function startOfLine(source: string, at: number): number {
  return source.lastIndexOf("\n", at - 1) + 1;
}

/** Where the line that holds `at` ends, before its `\n`. */
export function endOfLine(source: string, at: number): number {
  const newline = source.indexOf("\n", at);
  return newline === -1 ? source.length : newline;
}

/** The end of what stands before `end` without white space. */
function endOfText(source: string, end: number): number {
  let at = end;
  while (at > 0 && " \t\r\n".includes(source[at - 1] ?? "x")) at--;
  return at;
}

function earlier(a: number, b: number): number {
  if (a === -1 || b === -1) return Math.max(a, b);
  return Math.min(a, b);
}
