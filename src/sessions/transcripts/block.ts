import { localTime } from "../../core/lib/clock.ts";
import { codeSpan, oneLine, renderHeading } from "../../core/markdown/embed.ts";
import { parseAtxHeading } from "../../core/markdown/headings.ts";
import { quoteBlock } from "../../core/notes/quote.ts";
import { shorten } from "../../core/notes/short-text.ts";
import { FORMATS, type TranscriptClient } from "./formats.ts";
import type { SessionDay } from "./session-days.ts";

/** What a block shows of a day, with its tasks and files as the workspace names them. */
export interface ShownDay extends Omit<SessionDay, "files" | "tasks"> {
  client: TranscriptClient;
  /** Plain paths. */
  files: readonly string[];
  /** Documents of the workspace that were changed, as links. */
  documents: readonly string[];
  /** Links, with what was done. */
  tasks: readonly string[];
}

/** How many of each are shown: less if the agent logged the session itself. */
const LIMITS = {
  whole: { asks: 12, said: 10, listed: 10, failed: 3 },
  logged: { asks: 5, said: 0, listed: 5, failed: 0 },
};
const MAX_SAID_CHARS = 300;
const MAX_LINE_CHARS = 1_000;

/** The lines of a block: at most 38. */
export function blockLines(day: ShownDay): string[] {
  const most = day.isLogged ? LIMITS.logged : LIMITS.whole;
  const said = saidLines(day.said, most.said);
  return [
    renderHeading(2, `${FORMATS[day.client].title}, ${clock(day.from)} to ${clock(day.to)}`),
    "",
    "**Asked:**",
    ...askLines(day.asks, most.asks),
    ...(said === "" ? [] : ["", "**Said last:**", ...said.split("\n")]),
    "",
    ...listLine("Tasks", day.tasks, most.listed),
    ...listLine("Files", [...day.documents, ...day.files.map(codeSpan)], most.listed),
    ...listLine("Commits", day.commits.filter(Boolean).map(plain), most.listed),
    ...listLine("Failed", day.failed.slice(-Math.max(1, most.failed)).map(codeSpan), most.failed),
    `- **Model:** ${whoLine(day)}`,
  ];
}

/** `14:05` */
function clock(time: Date): string {
  return localTime(time).slice(0, 5);
}

/** The first ones and the last ones, in order. */
function askLines(asks: readonly string[], most: number): string[] {
  const lines = asks.map((ask, at) => `${at + 1}. ${plain(ask)}`);
  return middleOut(lines, most, (left, at) => `${at + 1}. … ${left} more`);
}

function middleOut(
  lines: readonly string[],
  most: number,
  gap: (left: number, at: number) => string,
): string[] {
  if (lines.length <= most) return [...lines];
  const last = Math.floor(most / 3);
  const first = most - last - 1;
  return [...lines.slice(0, first), gap(lines.length - first - last, first), ...lines.slice(-last)];
}

/** What the agent said last, quoted; its headings become labels. */
function saidLines(said: string, most: number): string {
  const lines = said
    .split("\n")
    .map((line) => labelled(shorten(line.trimEnd(), MAX_SAID_CHARS)))
    .filter((line) => line.trim() !== "")
    .map((line) => shorten(line.replace(MARK, "\\$&"), MAX_SAID_CHARS));
  if (most === 0 || lines.length === 0) return "";
  return quoteBlock(middleOut(lines, most, () => "…").join("\n"));
}

function labelled(line: string): string {
  const { text = "" } = parseAtxHeading(line) ?? {};
  return text === "" ? line : `**${text}:**`;
}

function listLine(label: string, items: readonly string[], most: number): string[] {
  if (items.length === 0 || most === 0) return [];
  const rest = items.length > most ? ` and ${items.length - most} more` : "";
  const shown = items.slice(0, most).join(label === "Commits" ? "; " : ", ");
  return [`- **${label}:** ${shorten(shown, MAX_LINE_CHARS)}${rest}`];
}

function whoLine({ models, tokens }: ShownDay): string {
  const names = models.length === 0 ? "unknown" : models.map(plain).join(", ");
  const count = (tokenCount: number) => tokenCount.toLocaleString("en-US");
  if (tokens.input + tokens.output === 0) return names;
  return `${names}; ${count(tokens.input)} tokens in (${count(tokens.cached)} from the cache), ${count(tokens.output)} out`;
}

/** What begins a block at the start of a line: a list, a quote, a heading, a ruler, a fence. */
const BLOCK_START = /^(\d{1,9}(?=[.)]))?([.)](?<=\d.)|[#>+*=~|_-]|`{3})/;
/** What begins a link, a box to tick, a comment or HTML. */
const MARK = /\[(?=\[|[ xX]\]|[^\]\n]{0,300}\](?:\(|\[|:))|<(?=[A-Za-z!/?])/g;

/** A text of someone else inside a line. */
function plain(text: string): string {
  const line = oneLine(text).replace(MARK, "\\$&");
  return line.replace(BLOCK_START, (_, digits: string = "", mark: string) => `${digits}\\${mark}`);
}
