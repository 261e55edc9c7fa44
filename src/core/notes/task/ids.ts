import { pathKey, withoutMarkdownExtension } from "../../lib/file-names.ts";
import { baseName } from "../names.ts";

/** Tells a document that came from another program: `imported: beads bd-7h7` in its frontmatter. */
export const ORIGIN = "imported";

const MAX_ID_CHARS = 100;
/** Like `BACK-12` and `bd-a1b.2`: a number alone is that of a file. */
const ID = /^(?=.*\p{L})[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*$/u;
/** Before the title: `SHOP-7` in `SHOP-7-refund.md`. */
const ID_IN_NAME = /^\p{L}[\p{L}\p{N}]*[-_]\d+(?:\.\d+)*(?=[-_ ])/u;

type Data = Readonly<Record<string, unknown>>;

/** The program that a document came from, and its id there. */
export function originOf(data: Data): { kind: string; id: string } | undefined {
  const origin = data[ORIGIN];
  const [kind = "", ...id] = typeof origin === "string" ? origin.split(" ") : [];
  return id.length === 0 ? undefined : { kind, id: id.join(" ") };
}

/** What a task is called elsewhere, by its frontmatter. */
export function idsOf(data: Data): string[] {
  const said = [data["id"], originOf(data)?.id].filter((one) => typeof one === "string");
  return [...new Set(said)].filter(isId);
}

export function isId(text: string): boolean {
  return text.length <= MAX_ID_CHARS && ID.test(text);
}

/** The id before the title in the name of a task's file. */
export function idInName(filename: string): string | undefined {
  return ID_IN_NAME.exec(withoutMarkdownExtension(baseName(filename)))?.[0];
}

/** What a task is called elsewhere, in the form of other keys. */
export function idKeys(filename: string, ids: readonly string[] = []): string[] {
  return [idInName(filename) ?? [], ids].flat().map(pathKey);
}
