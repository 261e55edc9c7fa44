/** How many lines around a change are shown. */
const CONTEXT = 3;
/** Above that many lines on both sides a change is shown as a whole. */
const MOST_CELLS = 1_000_000;

/** The difference of two texts as lines: ` kept`, `-gone`, `+new`, `@@ line n @@` before each part; none when they are equal. */
export function diffLines(before: string, after: string): string[] {
  const [old, fresh] = [split(before), split(after)];
  const all = compare(old, fresh);
  const near = all.map((_, at) => all.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(isChange));
  let line = 1;
  return all.flatMap((row, at) => {
    const head = near[at] && !near[at - 1] ? [`@@ line ${line} @@`] : [];
    if (!row.startsWith("+")) line++;
    return near[at] ? [...head, row] : [];
  });
}

function isChange(row: string): boolean {
  return !row.startsWith(" ");
}

function split(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function compare(old: readonly string[], fresh: readonly string[]): string[] {
  const most = Math.min(old.length, fresh.length);
  let start = 0;
  while (start < most && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const middle = longest(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  const kept = (lines: readonly string[]) => lines.map((line) => ` ${line}`);
  return [...kept(old.slice(0, start)), ...middle, ...kept(old.slice(old.length - end))];
}

/** By the longest common part: the way through a table of its lengths. */
function longest(old: readonly string[], fresh: readonly string[]): string[] {
  if (old.length * fresh.length > MOST_CELLS)
    return [...old.map((line) => `-${line}`), ...fresh.map((line) => `+${line}`)];
  const length = commonLengths(old, fresh);
  const rows: string[] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    if (old[row] === fresh[column]) {
      rows.push(` ${old[row++]}`);
      column++;
    } else if (length(row + 1, column) >= length(row, column + 1)) rows.push(`-${old[row++]}`);
    else rows.push(`+${fresh[column++]}`);
  }
  return [
    ...rows,
    ...old.slice(row).map((line) => `-${line}`),
    ...fresh.slice(column).map((line) => `+${line}`),
  ];
}

/** How many lines the rest of both have in common. */
function commonLengths(old: readonly string[], fresh: readonly string[]) {
  const width = fresh.length + 1;
  const cells = new Uint32Array((old.length + 1) * width);
  const length = (row: number, column: number) => cells[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = fresh.length - 1; column >= 0; column--) {
      const best = Math.max(length(row + 1, column), length(row, column + 1));
      cells[row * width + column] = old[row] === fresh[column] ? length(row + 1, column + 1) + 1 : best;
    }
  }
  return length;
}
