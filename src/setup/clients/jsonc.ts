import {
  applyEdits,
  getNodeValue,
  type JSONPath,
  modify,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { lineEnding } from "../../core/markdown/line-endings.ts";
import { BrokenSettings, type Entry, type Json, lineAt } from "./entry.ts";

/** The object that a text holds, empty for a text without one. Throws BrokenSettings. */
export function parseJson(text: string, strict: boolean): Entry {
  const tree = treeOf(text, strict);
  if (tree === undefined) return {};
  if (tree.type !== "object") throw new BrokenSettings("not a JSON object", lineAt(text, tree.offset));
  return structuredClone(getNodeValue(tree)) as Entry;
}

/** The tree of a text; undefined if it holds only space and comments. Throws BrokenSettings. */
function treeOf(text: string, strict: boolean): Node | undefined {
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

/** Sets the value of a key, and creates the objects on the way; undefined removes the key. */
export function setJson(text: string, path: JSONPath, value: Json | undefined): string {
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const eol = lineEnding(text);
  const formattingOptions = { eol, insertSpaces: !unit.startsWith("\t"), tabSize: unit.length };
  const edited = applyEdits(text, modify(text, path, value, { formattingOptions }));
  return text.trim() === "" ? edited.trimEnd() + eol : edited;
}
