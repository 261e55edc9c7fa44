import { isSameData } from "../lib/collections.ts";
import { UserError } from "../lib/errors.ts";
import { quoteName } from "../lib/escape.ts";
import { withoutMark } from "../lib/text.ts";
import { frontmatterConflict, unresolved } from "./conflicts.ts";
import {
  type Frontmatter,
  type FrontmatterBlock,
  isJson,
  isYaml,
  parseFrontmatter,
  UNCLOSED,
} from "./frontmatter.ts";
import { inLineEndingsOf, type LineEnding, lineEnding, withLineEndings } from "./line-endings.ts";
import { editYaml } from "./yaml-edit.ts";
import { setField } from "./yaml-lines.ts";
import { dumpMapping, toYamlData } from "./yaml-value.ts";

type Data = Record<string, unknown>;

/**
 * Sets keys of the frontmatter, null removes one; all else stays, byte for byte if the layout allows it. Throws
 * INVALID_ARGUMENT for values that YAML cannot hold, and for keys without lines of their own in malformed frontmatter.
 */
export function mergeFrontmatter(text: string, changes: Data): string {
  const before = parseFrontmatter(text);
  if (before.problem !== null) return setByLine(text, before, toYamlData(changes));
  const changed = realChanges(before.data, changes);
  if (changed.size === 0) return text;
  if (before.block === null) return withNewBlock(text, before.bodyOffset, Object.fromEntries(changed));
  const data = merged(before.data, changed);
  for (const result of [surgical(text, before.block, changed), rewritten(text, before.block, data)])
    if (result !== null && holds(result, data, text.slice(before.bodyOffset))) return result;
  throw tooLarge();
}

/** The block with its markers, `""` for empty data. Throws INVALID_ARGUMENT for values that YAML cannot hold. */
export function renderFrontmatter(data: Data, ending: LineEnding): string {
  if (Object.keys(data).length === 0) return "";
  const copy = toYamlData(data);
  const block = withLineEndings(`---\n${dumpMapping(copy)}---\n`, ending);
  if (!holds(block, copy, "")) throw tooLarge();
  return block;
}

/**
 * Replaces the whole text by `content`; the old frontmatter stays unless `content` has its own. Throws INVALID_ARGUMENT if it has no end.
 */
export function replaceBody(text: string, content: string): string {
  const next = inLineEndingsOf(text, withoutMark(content));
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const before = parseFrontmatter(text);
  const { block } = before;
  const own = parseFrontmatter(next);
  // Below another block, JSON is text.
  const isText = block !== null && !isJson(text, block) && own.block !== null && isJson(next, own.block);
  if (hasBlock(own) && !isText) return mark + next;
  if (block === null && before.problem === UNCLOSED) throw malformed(text, before);
  if (block === null) return mark + next;
  const kept = text.slice(0, block.end);
  return kept + (kept.endsWith("\n") ? "" : lineEnding(text)) + next;
}

/** True for a malformed block too: the client meant it as frontmatter. */
function hasBlock({ block, problem }: Frontmatter): boolean {
  return block !== null || problem !== null;
}

function realChanges(before: Data, changes: Data): Map<string, unknown> {
  const entries = Object.entries(toYamlData(changes)).filter(([key, value]) => {
    if (!Object.hasOwn(before, key)) return value !== null;
    return value === null || !isSameData(before[key], value);
  });
  return new Map(entries);
}

function merged(before: Data, changed: ReadonlyMap<string, unknown>): Data {
  const entries = [...new Map([...Object.entries(before), ...changed])];
  return Object.fromEntries(entries.filter(([key, value]) => value !== null || changed.get(key) !== null));
}

function withNewBlock(text: string, bodyOffset: number, data: Data): string {
  return text.slice(0, bodyOffset) + renderFrontmatter(data, lineEnding(text)) + text.slice(bodyOffset);
}

/** Only the lines of the changed keys differ; an emptied block goes with its markers. */
function surgical(
  text: string,
  block: FrontmatterBlock,
  changed: ReadonlyMap<string, unknown>,
): string | null {
  const ending = lineEnding(text.slice(block.start, block.end));
  const yaml = editYaml(text.slice(block.yamlStart, block.yamlEnd), changed, ending);
  if (yaml === null) return null;
  if (yaml.trim() === "") return text.slice(0, block.start) + text.slice(block.end);
  return text.slice(0, block.yamlStart) + yaml + text.slice(block.yamlEnd);
}

function rewritten(text: string, block: FrontmatterBlock, data: Data): string {
  const yaml = withLineEndings(dumpMapping(data), lineEnding(text.slice(block.start, block.end)));
  return text.slice(0, block.yamlStart) + yaml + text.slice(block.yamlEnd);
}

function holds(text: string, data: Data, body: string): boolean {
  const { data: read, problem, bodyOffset } = parseFrontmatter(text);
  return problem === null && text.slice(bodyOffset) === body && isSameData(read, data);
}

/** Sets the keys of a malformed block that have lines of their own. */
function setByLine(text: string, before: Frontmatter, changes: Data): string {
  const { block } = before;
  if (block === null || !isYaml(text, block) || frontmatterConflict(text) !== undefined)
    throw malformed(text, before);
  let edited = text;
  for (const [name, value] of Object.entries(changes)) {
    const { yamlStart, yamlEnd } = parseFrontmatter(edited).block ?? block;
    const yaml = setField(edited.slice(yamlStart, yamlEnd), { name, value, ending: lineEnding(text) });
    if (yaml === null) throw malformed(text, before, name);
    edited = edited.slice(0, yamlStart) + yaml + edited.slice(yamlEnd);
  }
  const after = parseFrontmatter(edited);
  // A field that was not read may be readable now.
  const isSet = Object.entries({ ...before.data, ...changes }).every(([name, value]) =>
    isSameData(after.data[name] ?? null, value),
  );
  if (!isSet || edited.slice(after.bodyOffset) !== text.slice(before.bodyOffset))
    throw malformed(text, before);
  return edited;
}

function malformed(text: string, { problem }: Frontmatter, name?: string): UserError {
  const conflict = frontmatterConflict(text);
  if (conflict !== undefined) return unresolved(conflict);
  const field =
    name === undefined
      ? "Its fields cannot be changed one by one."
      : `Its field ${quoteName(name, 80)} cannot be changed by itself.`;
  return new UserError("INVALID_ARGUMENT", `${problem} ${field}`, { next: "correct-frontmatter" });
}

function tooLarge(): UserError {
  return new UserError(
    "INVALID_ARGUMENT",
    "The frontmatter would be too large to read back. Keep it under 64 KB and 20 levels.",
  );
}
