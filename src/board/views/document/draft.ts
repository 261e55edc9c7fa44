import { readKept, tabStorage } from "../../storage.ts";

/** Text that someone typed and has not saved, with the version that they saw. Kept until the tab is closed. */
export interface Draft {
  text: string;
  /** The file's text when they began. */
  base: string;
  /** How many lines that others changed are in it, if others wait for a choice. */
  merged?: number;
}

const keyOf = (path: string) => `vibe-mcp-draft:${path}`;

export function readDraft(path: string): Draft | undefined {
  const kept = readKept(tabStorage, keyOf(path)) as Partial<Draft> | null;
  const isDraft = typeof kept?.text === "string" && typeof kept.base === "string";
  return isDraft ? (kept as Draft) : undefined;
}

/** Undefined forgets it. */
export function keepDraft(path: string, draft: Draft | undefined): void {
  if (draft === undefined) tabStorage.removeItem(keyOf(path));
  else tabStorage.setItem(keyOf(path), JSON.stringify(draft));
}
