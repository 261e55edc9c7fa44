import { tabStorage } from "../../storage.ts";

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
  const kept = tabStorage.getItem(keyOf(path));
  return kept === null ? undefined : (JSON.parse(kept) as Draft);
}

/** Undefined forgets it. */
export function keepDraft(path: string, draft: Draft | undefined): void {
  try {
    if (draft === undefined) tabStorage.removeItem(keyOf(path));
    else tabStorage.setItem(keyOf(path), JSON.stringify(draft));
  } catch {
    // The storage of a tab is small: this draft lives as long as the editor.
  }
}
