import { UserError } from "../../lib/errors.ts";
import { quoteName } from "../../lib/escape.ts";
import type { Span } from "../../lib/text.ts";
import { closingLine, eachMarkdownLine } from "../../markdown/blocks.ts";
import { lineEnding } from "../../markdown/line-endings.ts";
import { HABITS } from "./habits.ts";
import { findDocsLine, findProjectMarker } from "./marker.ts";

const START = "<!-- vibe-mcp:start -->";
const END = "<!-- vibe-mcp:end -->";

/** What a repository tells agents about its project; with a folder (`.vibe/shop`), the notes lie there. */
function projectLines(project: string, docs: string | undefined): string[] {
  const place = project.includes("/") ? `in \`${project}\`, which` : "in a workspace that";
  return [
    `vibe: ${project}`,
    ...(docs === undefined ? [] : [docs]),
    "",
    `The tasks, plans, decisions and session notes of this project are ${place} the MCP server \`vibe\` serves.`,
    "",
    ...Object.values(HABITS).map(({ rule }) => `- ${rule}`),
  ];
}

/** The text with the block: in the place of an earlier one or of a `vibe:` line, else at the end. Throws CONFLICT, naming the file. */
export function setProjectBlock(text: string, project: string, file = "the text"): string {
  const block = findBlock(text, file);
  const docs = block === null ? undefined : findDocsLine(text.slice(block.start, block.end))?.line;
  return setBlock(text, {
    lines: projectLines(project, docs),
    old: block ?? findProjectMarker(text),
    file,
  });
}

/** Likewise the text with a block that has its clients read another file, too. */
export function setImportBlock(text: string, path: string, file = "the text"): string {
  return setBlock(text, { lines: [`@${path}`], old: findBlock(text, file), file });
}

/** Whether Claude Code and Gemini CLI, which read this text, read the file of this relative path, too. */
export function hasImport(text: string, path: string): boolean {
  const isImport = (word: string) => word === `@${path}` || word === `@./${path}`;
  return [...eachMarkdownLine(text)].some(
    (line) => line.region !== "code" && line.text.split(/\s+/).some(isImport),
  );
}

function setBlock(
  text: string,
  { lines, old, file }: { lines: string[]; old: Span | null; file: string },
): string {
  const eol = lineEnding(text);
  const block = [START, ...lines, END].join(eol);
  if (old !== null) return text.slice(0, old.start) + block + text.slice(old.end);
  if (text === "") return block + eol;
  const open = closingLine(text);
  if (open !== null) throw broken(file, `ends inside a code block or comment: close it with ${open.trim()}`);
  // Without a final line break, as before: so removing the block restores every byte.
  return text.endsWith("\n") ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
}

/** The text without the block, and without the line breaks that came with it. Throws CONFLICT, naming the file. */
export function removeProjectBlock(text: string, file = "the text"): string {
  const block = findBlock(text, file);
  if (block === null) return text;
  const [before, after] = [text.slice(0, block.start), text.slice(block.end)];
  if (after === "") return before.replace(/(?:\r?\n){1,2}$/, "");
  const rest = after.replace(/^\r?\n/, "");
  return (rest === "" ? before.replace(/(?<=\n)\r?\n$/, "") : before) + rest;
}

function findBlock(text: string, file: string): Span | null {
  let start: number | undefined;
  for (const line of eachMarkdownLine(text)) {
    const mark = line.region === "code" ? "" : line.text.trim();
    if (mark === START) start ??= line.start;
    if (mark === END && start !== undefined) return { start, end: line.end };
  }
  if (start === undefined) return null;
  throw broken(file, `has the line ${START} without ${END}: delete that line`);
}

function broken(file: string, problem: string): UserError {
  return new UserError("CONFLICT", `${quoteName(file)} ${problem}, then run this again.`);
}
