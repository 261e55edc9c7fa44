import {
  applyEdits,
  type Edit,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { lineEnding } from "../../core/markdown/line-endings.ts";
import { BrokenSettings, type Entry, type Json, lineAt } from "./entry.ts";

// Edits of JSON, with comments and trailing commas, that leave every other byte unchanged: docs/decisions/008-libraries.md

export type JsonPath = readonly (string | number)[];

const COMMENT = String.raw`//[^\r\n]*|/\*[\s\S]*?\*/`;

/** The tree of a text; undefined if it holds only space and comments. Throws BrokenSettings. */
function treeOf(text: string, strict = false): Node | undefined {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: !strict, disallowComments: strict, allowEmptyContent: true };
  const tree = parseTree(text, errors, options);
  const [error] = errors;
  if (error !== undefined) {
    const reason = printParseErrorCode(error.error).replace(/(?<=[a-z])(?=[A-Z])/g, " ");
    throw new BrokenSettings(`not valid JSON, ${reason.toLowerCase()}`, lineAt(text, error.offset));
  }
  return tree;
}

/** The object that a text holds, empty for a text without one. Throws BrokenSettings. */
export function parseJson(text: string, strict: boolean): Entry {
  const tree = treeOf(text, strict);
  if (tree === undefined) return {};
  if (tree.type !== "object") throw new BrokenSettings("not a JSON object", lineAt(text, tree.offset));
  return structuredClone(getNodeValue(tree)) as Entry;
}

/** Sets the value at a path, and creates the objects on the way. Throws BrokenSettings. */
export function setJson(text: string, path: JsonPath, value: Json): string {
  let node = treeOf(text);
  const { eol, unit } = layoutOf(text);
  if (node === undefined) {
    const start = text.trim() === "" ? "" : text.trimEnd() + eol;
    return `${start}${printJson(nested(path, value), eol, unit)}${eol}`;
  }
  for (const [at, key] of path.entries()) {
    const found = member(text, node, key);
    if (found === undefined) return insert(text, node, nested(path.slice(at + 1), value), key);
    node = found;
  }
  const content = printJson(value, eol + indentAt(text, node.offset), unit);
  return applyEdits(text, [{ offset: node.offset, length: node.length, content }]);
}

/** Appends to the list at a path. Throws BrokenSettings if there is none. */
export function appendJson(text: string, path: JsonPath, value: Json): string {
  const list = at(text, path);
  if (list?.type !== "array")
    throw new BrokenSettings(`"${path.join(".")}" must be a list`, lineAt(text, list?.offset ?? 0));
  return insert(text, list, value);
}

/** Removes the value at a path, with its comma and the comment after it. */
export function removeJson(text: string, path: JsonPath): string {
  const found = at(text, path);
  const child = found?.parent?.type === "property" ? found.parent : found;
  if (child?.parent === undefined) return text;
  const { children = [], offset: open, length } = child.parent;
  const { comma, end } = tail(text, child);
  const cut = cutOf(text, child.offset, end);
  const previous = children[children.indexOf(child) - 1];
  const before = comma === undefined && previous !== undefined ? tail(text, previous).comma : undefined;
  const edits = before === undefined ? [cut] : [cut, { offset: before, length: 1, content: "" }];
  const inner = { offset: open + 1, length: length - 2, content: "" };
  const rest = text.slice(inner.offset, cut.offset) + text.slice(cut.offset + cut.length, open + length - 1);
  return applyEdits(text, rest.trim() === "" ? [inner] : edits);
}

/** The edit that removes a child: with the space before it if it is the last or has its own lines, else with the space after it. */
function cutOf(text: string, start: number, end: number): Edit {
  const lead = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, start))?.[0] ?? "";
  const [, space = "", next] = /^([ \t]*)(.?)/s.exec(text.slice(end)) ?? [];
  const closers = lead.includes("\n") ? ["}", "]", "\r", "\n", ""] : ["}", "]"];
  if (closers.includes(next ?? ""))
    return { offset: start - lead.length, length: lead.length + end - start, content: "" };
  return { offset: start, length: end - start + space.length, content: "" };
}

/** Adds a child after the last one of an object or a list, in the same style. */
function insert(text: string, container: Node, value: Json, key?: string | number): string {
  const { gap, unit } = styleOf(text, container);
  const label = key === undefined ? "" : `${JSON.stringify(key)}:${gap && " "}`;
  const child = `${gap}${label}${printJson(value, gap, unit)}`;
  const last = container.children?.at(-1);
  if (last === undefined) {
    const close = container.offset + container.length - 1;
    const offset = text.slice(0, close).trimEnd().length;
    const content = `${child}${layoutOf(text).eol}${indentAt(text, container.offset)}`;
    return applyEdits(text, [{ offset, length: close - offset, content }]);
  }
  const { comma, end } = tail(text, last);
  if (comma !== undefined) return applyEdits(text, [{ offset: end, length: 0, content: `${child},` }]);
  return applyEdits(text, [
    { offset: last.offset + last.length, length: 0, content: "," },
    { offset: end, length: 0, content: child },
  ]);
}

/** The space before each child of a container, and one step of indentation: none for a container on one line. */
function styleOf(text: string, { offset, length, children = [] }: Node): { gap: string; unit: string } {
  const inner = text.slice(offset + 1, offset + length - 1);
  if (children.length > 0 && !inner.includes("\n")) return { gap: /[:,]\s/.test(inner) ? " " : "", unit: "" };
  const { eol, unit } = layoutOf(text);
  const first = children.find((child) => /(?:^|\n)[ \t]*$/.test(text.slice(0, child.offset)));
  const indent = first === undefined ? indentAt(text, offset) + unit : indentAt(text, first.offset);
  return { gap: eol + indent, unit };
}

/** The value of a key. A duplicate key is refused: clients disagree on which one to use. */
function member(text: string, node: Node, key: string | number): Node | undefined {
  if (typeof key === "number") return node.type === "array" ? node.children?.[key] : undefined;
  if (node.type !== "object") throw new BrokenSettings("must be an object", lineAt(text, node.offset));
  const found = (node.children ?? []).filter((child) => child.children?.[0]?.value === key);
  const [first, second] = found;
  if (second !== undefined) throw new BrokenSettings(`"${key}" appears twice`, lineAt(text, second.offset));
  return first?.children?.[1];
}

function at(text: string, path: JsonPath): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => node && member(text, node, key), treeOf(text));
}

function nested(path: JsonPath, value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

/** The offset of the comma after a child, if any, and the end of the comments that start on its line. */
function tail(text: string, { offset, length }: Node): { comma: number | undefined; end: number } {
  const next = skip(text, offset + length, String.raw`\s|${COMMENT}`);
  const comma = text[next] === "," ? next : undefined;
  const from = comma === undefined ? offset + length : comma + 1;
  return { comma, end: skip(text, from, String.raw`[ \t]*(?:${COMMENT})`) };
}

function skip(text: string, from: number, piece: string): number {
  const pieces = new RegExp(`(?:${piece})*`, "y");
  pieces.lastIndex = from;
  pieces.test(text);
  return pieces.lastIndex;
}

/** The indentation of the line at an offset. */
function indentAt(text: string, offset: number): string {
  return /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, offset))?.[1] ?? "";
}

/** The line ending, and one step of indentation. */
function layoutOf(text: string): { eol: string; unit: string } {
  return { eol: lineEnding(text), unit: /^([ \t]+)\S/m.exec(text)?.[1] ?? "  " };
}

/**
 * Prints JSON as people write it: objects on several lines, lists of plain values on one. `gap` (a line break and indentation)
 * precedes the closing bracket, and `gap` with `unit` each child. Without a unit all is on one line, and `gap` a space or nothing.
 */
function printJson(value: Json, gap: string, unit: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = gap + unit;
  const space = gap && " ";
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => printJson(item, inner, unit))
    : Object.entries(value).map(
        ([key, item]) => `${JSON.stringify(key)}:${space}${printJson(item, inner, unit)}`,
      );
  if (isList && (unit === "" || value.every((item) => typeof item !== "object" || item === null)))
    return `[${parts.join(`,${space}`)}]`;
  const [open, close] = isList ? "[]" : "{}";
  return parts.length === 0 ? `${open}${close}` : open + inner + parts.join(`,${inner}`) + gap + close;
}
