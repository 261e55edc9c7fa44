import type { Spread } from "./measure.ts";

/** One line of the report. */
export interface Row {
  name: string;
  /** Undefined for a figure without a reference. */
  ratio?: Spread;
  /** The maximum for the median of the ratio. */
  target?: number;
  /** What the ratio is made of, or the figure itself, in words. */
  detail: string;
  /** The numbers behind `detail`, by name and unit. */
  values: Record<string, number>;
}

export function isOver({ ratio, target }: Row): boolean {
  return ratio !== undefined && target !== undefined && ratio.median > target;
}

const TITLES = ["measurement", "ratio", "min..max", "target", "", "detail"];

export function renderTable(rows: readonly Row[]): string {
  return alignColumns([TITLES, ...rows.map(cells)]);
}

/** Lines of text with aligned columns. */
export function alignColumns(lines: readonly (readonly string[])[]): string {
  const count = Math.max(...lines.map((line) => line.length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

function cells(row: Row): string[] {
  const { name, ratio, target, detail } = row;
  const range = ratio === undefined ? "" : `${ratio.min.toFixed(2)}..${ratio.max.toFixed(2)}`;
  const verdict = target === undefined ? "" : isOver(row) ? "OVER" : "ok";
  return [name, ratio?.median.toFixed(2) ?? "", range, target?.toFixed(1) ?? "", verdict, detail];
}
