/** Gives each heading's level below a title of level 1, so that none is left out: 1, 3, 3 and 2 become 2, 3, 3 and 3. */
export function nesting(): (level: number) => number {
  const open: number[] = [];
  return (level) => {
    while ((open.at(-1) ?? 0) >= level) open.pop();
    open.push(level);
    return Math.min(open.length + 1, 6);
  };
}
