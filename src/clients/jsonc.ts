import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { BrokenSettings, lineAt } from "./broken.ts";
import type { Entry, Json } from "./entry.ts";
import { layoutOf, printFlat, printJson } from "./print.ts";

/** Edits of JSON, with comments and trailing commas, that leave every other byte as it is. */
export type JsonPath = readonly (string | number)[];

/** The tree of a text; undefined when there is nothing but space and comments. Throws BrokenSettings. */
function treeOf(text: string, strict = false): Node | undefined {
  if (skipTrivia(text, 0) === text.length && (!strict || text.trim() === "")) return undefined;
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: !strict, disallowComments: strict });
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
  return getNodeValue(tree) as Entry;
}

/** Sets what is at a path; objects on the way are made. Throws BrokenSettings. */
export function setJson(text: string, path: JsonPath, value: Json): string {
  let node = treeOf(text);
  const layout = layoutOf(text);
  if (node === undefined) {
    const start = text.trim() === "" ? "" : text.trimEnd() + layout.eol;
    return `${start}${printJson(nested(path, value), layout)}${layout.eol}`;
  }
  for (const [at, key] of path.entries()) {
    const found = member(text, node, key);
    if (found === undefined) {
      const content = nested(path.slice(at + 1), value);
      return insert(
        text,
        node,
        (print) => `${JSON.stringify(key)}:${print.tight ? "" : " "}${print(content)}`,
      );
    }
    node = found;
  }
  const indent = indentAt(text, node.offset);
  return splice(text, node.offset, node.offset + node.length, printJson(value, layout, indent));
}

/** Adds to the end of the list at a path, which is there. */
export function appendJson(text: string, path: JsonPath, value: Json): string {
  const list = at(text, path);
  if (list?.type !== "array")
    throw new BrokenSettings(`"${path.join(".")}" is no list`, lineAt(text, list?.offset ?? 0));
  return insert(text, list, (print) => print(value));
}

/** Removes what is at a path, with its comma and a comment behind it. */
export function removeJson(text: string, path: JsonPath): string {
  const found = at(text, path);
  const child = found?.parent?.type === "property" ? found.parent : found;
  const siblings = child?.parent?.children ?? [];
  if (child?.parent === undefined) return text;
  if (siblings.length === 1) return emptied(text, child.parent, child);
  const end = child.offset + child.length;
  const comma = commaAfter(text, end);
  const previous = siblings[siblings.indexOf(child) - 1];
  const stop = endOfComment(text, comma === undefined ? end : comma + 1);
  const start = cutStart(text, child.offset, stop);
  const rest = text.slice(0, start) + text.slice(start === child.offset ? stop + spaces(text, stop) : stop);
  if (comma !== undefined || previous === undefined) return rest;
  const before = commaAfter(text, previous.offset + previous.length);
  return before === undefined ? rest : splice(rest, before, before + 1, "");
}

/** A container of one child, without it: comments stay. */
function emptied(text: string, container: Node, child: Node): string {
  const end = child.offset + child.length;
  const stop = endOfComment(text, (commaAfter(text, end) ?? end - 1) + 1);
  const rest = text.slice(0, cutStart(text, child.offset, stop)) + text.slice(stop);
  const close = container.offset + container.length - 1 - (text.length - rest.length);
  const isEmpty = rest.slice(container.offset + 1, close).trim() === "";
  return isEmpty ? splice(rest, container.offset + 1, close, "") : rest;
}

/** Where a cut begins: at the end of the line before for what has lines of its own, behind the comma's space for the last. */
function cutStart(text: string, start: number, stop: number): number {
  const lead = /(?:\r?\n)?[ \t]*$/.exec(text.slice(0, start))?.[0] ?? "";
  const next = text[stop + spaces(text, stop)];
  if (lead.includes("\n") && (next === "\r" || next === "\n" || next === undefined))
    return start - lead.length;
  return next === "}" || next === "]" ? start - lead.length : start;
}

function spaces(text: string, from: number): number {
  return /^[ \t]*/.exec(text.slice(from))?.[0].length ?? 0;
}

type Print = ((value: Json) => string) & { tight?: boolean };

/** Puts a child behind the last one of an object or a list, in the way that the others are written. */
function insert(text: string, container: Node, child: (print: Print) => string): string {
  const layout = layoutOf(text);
  const close = container.offset + container.length - 1;
  const inner = text.slice(container.offset + 1, close);
  const children = container.children ?? [];
  const last = children.at(-1);
  if (last !== undefined && !inner.includes("\n")) return insertFlat(text, last, { inner, child });
  const first = children.find(({ offset }) => /(?:^|\n)[ \t]*$/.test(text.slice(0, offset)));
  const base = indentAt(text, container.offset);
  const indent = first === undefined ? base + layout.unit : indentAt(text, first.offset);
  const block = `${layout.eol}${indent}${child((value) => printJson(value, layout, indent))}`;
  if (last === undefined) {
    const body = container.offset + 1 + inner.trimEnd().length;
    return splice(text, body, close, `${block}${layout.eol}${base}`);
  }
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  if (comma !== undefined) return splice(text, ...here(endOfComment(text, comma + 1)), `${block},`);
  const added = splice(text, ...here(endOfComment(text, end)), block);
  return splice(added, ...here(end), ",");
}

function insertFlat(
  text: string,
  last: Node,
  { inner, child }: { inner: string; child: (print: Print) => string },
): string {
  const tight = !/[:,]\s/.test(inner);
  const piece = child(Object.assign((value: Json) => printFlat(value, tight), { tight }));
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  const gap = tight ? "" : " ";
  if (comma === undefined) return splice(text, ...here(end), `,${gap}${piece}`);
  return splice(text, ...here(comma + 1), `${gap}${piece},`);
}

/** The value of a key; a key that stands twice is refused, since clients take the one or the other. */
function member(text: string, node: Node, key: string | number): Node | undefined {
  if (typeof key === "number") return node.type === "array" ? node.children?.[key] : undefined;
  if (node.type !== "object") throw new BrokenSettings("an object belongs here", lineAt(text, node.offset));
  const found = (node.children ?? []).filter((child) => child.children?.[0]?.value === key);
  const second = found[1];
  if (second !== undefined)
    throw new BrokenSettings(`"${key}" stands here a second time`, lineAt(text, second.offset));
  return found[0]?.children?.[1];
}

function at(text: string, path: JsonPath): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => node && member(text, node, key), treeOf(text));
}

function nested(path: JsonPath, value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
}

function commaAfter(text: string, end: number): number | undefined {
  const next = skipTrivia(text, end);
  return text[next] === "," ? next : undefined;
}

/** Behind space and comments. */
function skipTrivia(text: string, from: number): number {
  const trivia = /(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
  trivia.lastIndex = from;
  trivia.test(text);
  return trivia.lastIndex;
}

/** Behind the comments that follow on the same line; `from` itself when there is none. */
function endOfComment(text: string, from: number): number {
  const comments = /(?:[ \t]*(?:\/\/[^\r\n]*|\/\*(?:(?!\*\/)[^\r\n])*\*\/))*/y;
  comments.lastIndex = from;
  comments.test(text);
  return comments.lastIndex;
}

/** The space that the line of a place begins with. */
function indentAt(text: string, offset: number): string {
  return /(?:^|\n)([ \t]*)[^\n]*$/.exec(text.slice(0, offset))?.[1] ?? "";
}

function here(offset: number): [from: number, to: number] {
  return [offset, offset];
}

function splice(text: string, from: number, to: number, piece: string): string {
  return text.slice(0, from) + piece + text.slice(to);
}
