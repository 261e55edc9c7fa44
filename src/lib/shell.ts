/** A word quoted for a shell. */
export function quoted(word: string): string {
  // The first is quick to make, and enough for most.
  const isPlain = /^[\w./:@%+,=-]+$/.test(word) || /^[\p{L}\p{N}_./:@%+,=-]+$/u.test(word);
  return isPlain ? word : `"${word.replace(/(["$`\\])/g, "\\$1")}"`;
}
