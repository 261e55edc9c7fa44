import { eachMarkdownLine } from "../../markdown/blocks.ts";
import { lineEnding, withLineEndings } from "../../markdown/line-endings.ts";
import { appendSession, sessionTitle } from "./file.ts";

/** Whose block it is: each session has one of its own. */
export interface BlockOwner {
  client: string;
  /** Letters, digits and hyphens. */
  session: string;
}

/** Proves who wrote these parts; the same for the same parts. */
export type Sign = (...parts: readonly string[]) => string;

/** A block that stands in a note. */
export interface CapturedBlock extends BlockOwner {
  /** Offsets of the lines with its marks, both included. */
  start: number;
  end: number;
  /** Up to when the session is in it. */
  until: Date;
  /** Whether someone changed it since it was written. */
  isEdited: boolean;
}

const OPENING =
  /^<!-- vibe-mcp capture ([a-z-]{1,40}) ([A-Za-z0-9-]{1,80}) until (\S{1,40}) ([0-9a-f]{8})(?: ([0-9a-f]{32}))? -->\s*$/;
const CLOSING = /^<!-- \/vibe-mcp capture -->\s*$/;

/** Whether a line opens or closes a block; undefined for any other. */
export function blockMark(line: string): "opens" | "closes" | undefined {
  if (!line.startsWith("<!--")) return undefined;
  return OPENING.test(line) ? "opens" : CLOSING.test(line) ? "closes" : undefined;
}

/** A note for readers who have no use for the marks. */
export function withoutBlockMarks(text: string): string {
  return text.replace(/^<!-- \/?vibe-mcp capture\b[^\n]{0,200}-->[ \t]*\r?\n?/gm, "");
}

/** The lines of a block between its marks; without a signature, no machine knows it as its own. */
export function markBlock(
  { client, session }: BlockOwner,
  until: Date,
  { lines, sign }: { lines: readonly string[]; sign?: Sign | undefined },
): string {
  const time = until.toISOString();
  const proof = sign === undefined ? "" : ` ${signature(sign, [client, session, time], lines)}`;
  const opening = `<!-- vibe-mcp capture ${client} ${session} until ${time} ${digest(lines)}${proof} -->`;
  return [opening, ...lines, "<!-- /vibe-mcp capture -->"].join("\n");
}

/** Who held a session. */
export interface Holder {
  /** As people write it: `Claude Code`. */
  client: string;
  /** `""` if nothing says it. */
  model: string;
}

/** The heading of a block's lines, and the line that names the model: `Claude Code, 14:05 to 15:20`, `- **Model:** opus; 12 tokens in`. */
const HELD = /^## (.{1,60}), \d{2}:\d{2} to \d{2}:\d{2}$/;
const MODEL = /^- \*\*Model:\*\* ([^;]{1,200})/;

/** Who held the sessions whose blocks stand in a note, each once. */
export function blockHolders(text: string): Holder[] {
  const holders = new Map<string, Holder>();
  for (const { lines = [] } of eachBlock(text)) {
    const [client] = found(lines, HELD);
    const model = found(lines, MODEL).at(-1) ?? "";
    if (client !== undefined) holders.set(`${client}\n${model}`, { client, model });
  }
  return [...holders.values()];
}

function found(lines: readonly string[], pattern: RegExp): string[] {
  return lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
}

/** Where the blocks begin that were signed so, and not changed since. */
export function signedBlocks(text: string, sign: Sign): Set<number> {
  const signed = Array.from(eachBlock(text)).filter(({ opening, lines }) => {
    const [, client = "", session = "", until = "", , proof] = OPENING.exec(opening) ?? [];
    return lines !== undefined && proof === signature(sign, [client, session, until], lines);
  });
  return new Set(signed.map(({ start }) => start));
}

/** The blocks of one session in a note, in order. One without its end is edited, and has no lines. */
export function blocksOf(text: string, owner: BlockOwner): CapturedBlock[] {
  const blocks = Array.from(eachBlock(text), ({ opening, start, end, lines }): CapturedBlock => {
    const [, client = "", session = "", until = "", written = ""] = OPENING.exec(opening) ?? [];
    const isEdited = lines === undefined || digest(lines) !== written;
    return { client, session, start, end, until: new Date(until), isEdited };
  });
  return blocks.filter(
    ({ client, session, until }) =>
      client === owner.client && session === owner.session && !Number.isNaN(until.getTime()),
  );
}

interface MarkedLines extends Pick<CapturedBlock, "start" | "end"> {
  opening: string;
  /** Between the marks; undefined if the block has no end. */
  lines: string[] | undefined;
}

function* eachBlock(text: string): Generator<MarkedLines> {
  let open: (MarkedLines & { lines: string[] }) | undefined;
  for (const { start, next: end, text: line, region } of eachMarkdownLine(text)) {
    const mark = region === "comment" ? blockMark(line) : undefined;
    if (mark === "opens") {
      if (open !== undefined) yield { ...open, lines: undefined };
      open = { opening: line, start, end, lines: [] };
    } else if (mark === "closes" && open !== undefined) {
      yield { ...open, end };
      open = undefined;
    } else open?.lines.push(line);
  }
  if (open !== undefined) yield { ...open, lines: undefined };
}

/** The note with `block` in the place of one of its own. */
export function replaceBlock(text: string, { start, end }: CapturedBlock, block: string): string {
  const ending = lineEnding(text);
  return text.slice(0, start) + withLineEndings(`${block}\n`, ending) + text.slice(end);
}

/** The note of a day with another block, under the time (`14:30:15`) at which the session began; a new note without `text`. */
export function addBlock(
  text: string | undefined,
  block: string,
  { date, time }: { date: string; time: string },
): string {
  return appendSession(text ?? `${sessionTitle(date)}\n`, block, time);
}

function signature(sign: Sign, owner: readonly string[], lines: readonly string[]): string {
  return sign(...owner, plainText(lines)).slice(0, 32);
}

/** Spaces at the ends of lines, and line ends, may change on the way. */
function plainText(lines: readonly string[]): string {
  return lines.map((line) => line.trimEnd()).join("\n");
}

/** FNV-1a: tells an edited block from the written one, on every machine. */
function digest(lines: readonly string[]): string {
  let hash = 0x811c9dc5;
  const text = plainText(lines);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
