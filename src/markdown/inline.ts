/** The text on one line: white space and control characters folded to single spaces. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

/** `## text`, read back as the same text also when it ends in `#`. */
export function renderHeading(level: number, text: string): string {
  const line = `${"#".repeat(level)} ${oneLine(text)}`;
  return /\s#+$/.test(line) ? `${line} #` : line;
}

/** A text in backticks, more of them than the text has in a row. */
export function codeSpan(text: string): string {
  const content = oneLine(text);
  const runs = content.match(/`+/g) ?? [];
  const mark = "`".repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 0) + 1);
  const padding = content.startsWith("`") || content.endsWith("`") ? " " : "";
  return mark + padding + content + padding + mark;
}
