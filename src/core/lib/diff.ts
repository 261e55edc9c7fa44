import { type StructuredPatch, structuredPatch } from "diff";

/** The difference of two texts as lines: ` kept`, `-gone`, `+new`, `@@ line n @@` before each part; none when they are equal. */
export function diffLines(before: string, after: string): string[] {
  return linesOf(structuredPatch("", "", ended(before), ended(after), "", "", { context: 3 }));
}

/** More differences than this take seconds to find, and so may fewer in long texts. */
const MAX_EDITS = 4000;
const MAX_MS = 250;
const MAX_CHARS = 8 * 2 ** 20;

/** The start of the difference of texts of any size: as many lines as fit into `most` characters. */
export function diffStart(before: string, after: string, most = 8000): string {
  const options = { context: 3, maxEditLength: MAX_EDITS, timeout: MAX_MS };
  if (before.length + after.length > MAX_CHARS) return "(The texts are too long to compare.)";
  const patch = structuredPatch("", "", ended(before), ended(after), "", "", options);
  if (patch === undefined) return "(The texts have little in common.)";
  const lines = linesOf(patch);
  const shown: string[] = [];
  for (let left = most; shown.length < lines.length; ) {
    const line = lines[shown.length] ?? "";
    left -= line.length + 1;
    if (left < 0) return [...shown, `(${lines.length - shown.length} more lines)`].join("\n");
    shown.push(line);
  }
  return shown.join("\n");
}

function linesOf({ hunks }: StructuredPatch): string[] {
  return hunks.flatMap(({ oldStart, lines }) => [`@@ line ${oldStart} @@`, ...lines]);
}

/** With one kind of line ending, also behind the last line. */
function ended(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/[^\n]$/, "$&\n");
}
