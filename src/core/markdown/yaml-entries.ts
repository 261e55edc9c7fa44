import { COLLECTION_STYLE, EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from "js-yaml";
import { endOfLine, type Span } from "../lib/text.ts";
import { closedInLine } from "./yaml-parse.ts";

interface YamlNode extends Span {
  /** A block scalar or a block collection: it takes whole lines, and `end` is somewhere on the last of them. */
  isBlock: boolean;
}

/** One `key: value` of a mapping; `name` is null for a key that is not plain text. */
export interface YamlEntry {
  name: string | null;
  key: YamlNode;
  value: YamlNode;
}

/** The entries of a valid YAML mapping in block style, in order; none for an empty one, null for another layout. */
export function yamlEntries(source: string): YamlEntry[] | null {
  const events = parseEvents(closedInLine(source), {});
  const top = events[1];
  if (top === undefined || top.type === EVENT_ID.POP) return [];
  if (top.type === EVENT_ID.SCALAR && top.valueStart === -1) return [];
  if (top.type !== EVENT_ID.MAPPING || top.style !== COLLECTION_STYLE.BLOCK) return null;
  const nodes = topNodes(events.slice(2));
  return nodes.flatMap((key, at) => {
    const value = nodes[at + 1];
    if (at % 2 === 1 || value === undefined) return [];
    const next = nodes[at + 2];
    const limit = next === undefined ? source.length : startOfLine(source, spanOf(next).start);
    const [event] = key;
    const name = event?.type === EVENT_ID.SCALAR ? getScalarValue(source, event) : null;
    const node = nodeOf(source, value, limit);
    return [{ name, key: nodeOf(source, key, node.start === -1 ? limit : node.start), value: node }];
  });
}

/** The events of each key and each value of a mapping, in order. */
function topNodes(events: readonly Event[]): Event[][] {
  const nodes: Event[][] = [];
  let depth = 0;
  for (const event of events) {
    if (depth === 0) nodes.push([]);
    nodes.at(-1)?.push(event);
    if (event.type === EVENT_ID.POP) depth--;
    else if (isCollection(event)) depth++;
  }
  return nodes.filter(([first]) => first?.type !== EVENT_ID.POP);
}

function nodeOf(source: string, events: readonly Event[], limit: number): YamlNode {
  const [first] = events;
  const { start, end } = spanOf(events);
  if (isBlock(first)) return { start, end: endOfBlock(source, end, limit), isBlock: true };
  const isFlow = first !== undefined && isCollection(first);
  return { start, end: isFlow ? endOfBrackets(source, end, limit) : end, isBlock: false };
}

/** From the first character of a node to the last one that an event names: not to a closing bracket. */
function spanOf(events: readonly Event[]): Span {
  let end = -1;
  for (const event of events) end = Math.max(end, endOfEvent(event));
  return { start: startOfEvent(events[0]), end };
}

function startOfEvent(event: Event | undefined): number {
  if (event === undefined || !("anchorStart" in event)) return -1;
  const anchor = event.anchorStart - 1;
  if (event.type === EVENT_ID.ALIAS) return anchor;
  const content = isCollection(event) ? event.start : event.valueStart - quote(event);
  const starts = [anchor, event.tagStart, content].filter((start) => start >= 0);
  return starts.length === 0 ? -1 : Math.min(...starts);
}

function endOfEvent(event: Event): number {
  if (!("anchorStart" in event)) return -1;
  if (event.type === EVENT_ID.ALIAS) return event.anchorEnd;
  const content = isCollection(event) ? event.start : event.valueEnd + quote(event);
  return Math.max(event.anchorEnd, event.tagEnd, content);
}

function quote({ style }: ScalarEvent): 0 | 1 {
  return style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0;
}

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;
type CollectionEvent = Extract<Event, { type: typeof EVENT_ID.SEQUENCE | typeof EVENT_ID.MAPPING }>;

function isCollection(event: Event): event is CollectionEvent {
  return event.type === EVENT_ID.SEQUENCE || event.type === EVENT_ID.MAPPING;
}

function isBlock(event: Event | undefined): boolean {
  if (event?.type === EVENT_ID.SCALAR)
    return event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
  return event !== undefined && isCollection(event) && event.style === COLLECTION_STYLE.BLOCK;
}

/** Only separators, comments and closing brackets follow the last item. */
function endOfBrackets(source: string, from: number, limit: number): number {
  const rest = source.slice(from, limit).replace(/#[^\n]*/g, (comment) => " ".repeat(comment.length));
  return from + Math.max(rest.lastIndexOf("]"), rest.lastIndexOf("}")) + 1;
}

/** An empty last item has no events of its own: the block ends where only comments follow. */
function endOfBlock(source: string, from: number, limit: number): number {
  let end = endOfText(source, from);
  for (let at = endOfLine(source, end) + 1; at < limit; at = endOfLine(source, at) + 1) {
    const line = source.slice(at, endOfLine(source, at)).trim();
    if (line !== "" && !line.startsWith("#")) end = endOfText(source, endOfLine(source, at));
  }
  return end;
}

export function startOfLine(source: string, at: number): number {
  return source.lastIndexOf("\n", at - 1) + 1;
}

/** The end of what stands before `end` without white space. */
function endOfText(source: string, end: number): number {
  return source.slice(0, end).trimEnd().length;
}
