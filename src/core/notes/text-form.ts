/** More of its characters are NUL than text ever has: UTF-16 without its mark, or a file that a crash left. */
const MOST_NULS = 0.1;
const SAMPLE_CHARS = 64 * 1024;

/** Why a text is none that can be edited; null for every other. With `exact`, its bytes are UTF-8. */
export function textProblem({ text, exact }: { text: string; exact: boolean }): string | null {
  if (!exact) return "is not valid UTF-8";
  const sample = text.slice(0, SAMPLE_CHARS);
  if (!sample.includes("\n") && /\r[^\r\n]/.test(sample)) return "has lines that end in CR alone";
  const nuls = sample.includes("\0") ? sample.split("\0").length - 1 : 0;
  return nuls > sample.length * MOST_NULS
    ? "is full of NUL bytes, or is UTF-16 without a byte order mark"
    : null;
}

export function isBlank(text: string): boolean {
  return !/[^\s\uFEFF]/.test(text);
}
