/** What stands around the matches of a snippet. */
export const OPEN = ">>>";
export const CLOSE = "<<<";

const MATCH = new RegExp(`${OPEN}(.*?)${CLOSE}`, "s");

/** A part of a snippet: what the query found, or the text around it. */
export interface Part {
  text: string;
  isMatch: boolean;
}

export function partsOf(snippet: string): Part[] {
  return snippet
    .split(MATCH)
    .map((text, at) => ({ text, isMatch: at % 2 === 1 }))
    .filter(({ text }) => text !== "");
}

export function withoutMarks(snippet: string): string {
  return snippet.replaceAll(OPEN, "").replaceAll(CLOSE, "");
}
