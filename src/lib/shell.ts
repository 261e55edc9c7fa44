/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\p{L}\p{N}_./:@%+,=-]+$/u.test(word) ? word : `"${word.replace(/(["$`\\])/g, "\\$1")}"`;
}
