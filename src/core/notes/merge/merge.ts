import { UserError } from "../../lib/errors.ts";
import { withoutMark } from "../../lib/text.ts";
import { frontmatterConflict } from "../../markdown/conflicts.ts";
import { isYaml, parseFrontmatter } from "../../markdown/frontmatter.ts";
import { findHeadings } from "../../markdown/headings.ts";
import { lineEnding } from "../../markdown/line-endings.ts";
import { MARKERS, type Merged, mergeLines, onlyChange, type Show } from "../../markdown/merge-lines.ts";
import { mapThree, type Three } from "../../markdown/merge-regions.ts";
import { mergeFields } from "./frontmatter.ts";
import { mergeSession } from "./session.ts";
import { alikeFacts, areApart } from "./task.ts";

/** To merge more would hold other calls up. */
const MAX_MERGED_BYTES = 256 * 1024;

/** Whether all sides are text, and small enough to be merged beside other calls. */
export function canMerge(sides: readonly { exact: boolean; bytes: Uint8Array }[]): boolean {
  return sides.every(({ exact, bytes }) => exact && bytes.length <= MAX_MERGED_BYTES);
}

/**
 * Merges two changes of one note: frontmatter by key, the status as one fact in both its places, steps and criteria by their text,
 * session notes by their times, all else by line. Nothing disappears that neither side removed; what both changed in different
 * ways stands between markers of git, or as one side has it. Byte order mark, line endings and the end of the text are those of ours.
 */
export function mergeNotes(
  texts: Three<string>,
  { isSession, show = MARKERS }: { isSession: boolean; show?: Show },
): Merged {
  const alone = onlyChange(texts);
  if (alone !== null) return alone;
  const mark = texts.ours.startsWith("\uFEFF") ? "\uFEFF" : "";
  const plain = mapThree(texts, withoutMark);
  const merged = mergeRead(plain, isSession, show) ?? mergeLines(plain, { show });
  return { ...merged, text: mark + merged.text };
}

/** Null if the frontmatter of a side is none, holds a conflict or is in another language: then only lines can be merged. */
function mergeRead(texts: Three<string>, isSession: boolean, show: Show): Merged | null {
  const sides = Object.values(texts);
  if (!sides.every(isBlock) || new Set(sides.flatMap(opening)).size > 1) return null;
  try {
    return mergeParts(alikeFacts(texts, show === "both" ? "theirs" : undefined), isSession, show);
  } catch (error) {
    if (error instanceof UserError) return null; // Frontmatter that both sides let grow has a limit.
    throw error;
  }
}

/** Whether all that is meant as frontmatter is in one block. */
function isBlock(text: string): boolean {
  const { problem, block } = parseFrontmatter(text);
  return problem === null || (block !== null && frontmatterConflict(text) === undefined);
}

function opening(text: string): string[] {
  const { block } = parseFrontmatter(text);
  return block === null ? [] : [text.slice(block.start, block.yamlStart).trimEnd()];
}

function mergeParts(texts: Three<string>, isSession: boolean, show: Show): Merged {
  const yaml = mapThree(texts, yamlOf);
  const fields = mergeBlocks(yaml, texts, show);
  const bodies = mapThree(texts, (text) => text.slice(parseFrontmatter(text).bodyOffset));
  const [own, other] = [bodies.ours, bodies.theirs].map((body) => findHeadings(body)[0]?.text);
  // Two new notes with different titles are no additions to one.
  const mayUnite = bodies.base.trim() === "" && own !== other ? () => false : areApart;
  const body = isSession ? mergeSession(bodies, show) : mergeLines(bodies, { show, mayUnite });
  return { text: fields.text + body.text, conflicts: fields.conflicts + body.conflicts };
}

function yamlOf(text: string): string | null {
  const { block } = parseFrontmatter(text);
  return block && text.slice(block.yamlStart, block.yamlEnd);
}

/** The merged block with its markers; `""` if it was removed, or never was. */
function mergeBlocks(yaml: Three<string | null>, texts: Three<string>, show: Show): Merged {
  const has = mapThree(yaml, (block) => block !== null);
  const stays = has.ours === has.base ? has.theirs : has.ours;
  const inner = mapThree(yaml, (block) => block ?? "");
  const one = show === "both" ? "theirs" : show;
  const source = has.ours ? texts.ours : texts.theirs;
  const { block } = parseFrontmatter(source);
  const isKeys = block === null || isYaml(source, block);
  const { text, conflicts } = isKeys ? mergeFields(inner, one) : mergeLines(inner, { show: one });
  if (text === "" && !stays) return { text: "", conflicts };
  const { start = 0, yamlStart = 0, yamlEnd = 0, end = 0 } = block ?? {};
  const closing = source.slice(yamlEnd, end);
  const marker = closing.endsWith("\n") ? closing : closing + lineEnding(source);
  return { text: source.slice(start, yamlStart) + text + marker, conflicts };
}
