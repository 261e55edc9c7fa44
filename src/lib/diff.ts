import { structuredPatch } from "diff";

/** The difference of two texts as lines: ` kept`, `-gone`, `+new`, `@@ line n @@` before each part; none when they are equal. */
export function diffLines(before: string, after: string): string[] {
  const { hunks } = structuredPatch("", "", ended(before), ended(after), "", "", { context: 3 });
  return hunks.flatMap(({ oldStart, lines }) => [`@@ line ${oldStart} @@`, ...lines]);
}

/** With one kind of line ending, also behind the last line. */
function ended(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/[^\n]$/, "$&\n");
}
