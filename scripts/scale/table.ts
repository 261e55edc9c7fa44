import type { Point } from "./measure.ts";

/** One figure over all sizes. */
export interface Row {
  title: string;
  label: string;
  unit: string;
  values: number[];
}

export interface Table {
  documents: number[];
  rows: Row[];
}

const MB = 1024 * 1024;
const UNITS = { ms: 1, s: 1000, MB };

const FIGURES: { title: string; label: string; unit: keyof typeof UNITS; key: keyof Point }[] = [
  { title: "Start to first answer", label: "with an index", unit: "s", key: "start" },
  { title: "Start to first answer", label: "without, once", unit: "s", key: "build" },
  { title: "Call, nothing changed", label: "watched", unit: "ms", key: "watched" },
  { title: "Call, nothing changed", label: "walked", unit: "ms", key: "walked" },
  { title: "Search", label: "six kinds", unit: "ms", key: "search" },
  { title: "Write", label: "create_doc", unit: "ms", key: "write" },
  { title: "Memory", label: "peak of the build", unit: "MB", key: "peak" },
  { title: "Memory", label: "with an index", unit: "MB", key: "warm" },
  { title: "On disk", label: "text", unit: "MB", key: "text" },
  { title: "On disk", label: "index", unit: "MB", key: "index" },
];

export function tableOf(points: readonly Point[]): Table {
  const rows = FIGURES.map(({ key, unit, ...row }) => {
    const values = points.map((point) => Number((point[key] / UNITS[unit]).toPrecision(3)));
    return { ...row, unit, values };
  });
  return { documents: points.map(({ documents }) => documents), rows };
}

/** The new figures, and the earlier ones for other sizes. */
export function merge(before: Table, now: Table): Table {
  const kept = before.documents.filter((count) => !now.documents.includes(count));
  const documents = [...kept, ...now.documents].sort((a, b) => a - b);
  const figureOf = (table: Table, row: number, count: number) =>
    table.rows[row]?.values[table.documents.indexOf(count)] ?? Number.NaN;
  const rows = now.rows.map((row, at) => ({
    ...row,
    values: documents.map((count) => figureOf(kept.includes(count) ? before : now, at, count)),
  }));
  return { documents, rows };
}

export function renderMarkdown({ documents, rows }: Table): string {
  const head = ["documents", "", "", ...documents.map((count) => count.toLocaleString("en"))];
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(head),
    `|---|---|---|${"---:|".repeat(documents.length)}`,
    ...rows.map(({ title, label, unit, values }) => line([title, label, unit, ...values.map(String)])),
  ].join("\n");
}

/** Reads the figures back from the table on the page. */
export function parseMarkdown(text: string): Table {
  const cells = (line: string) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head = "", , ...lines] = text.trim().split("\n");
  const documents = cells(head)
    .slice(3)
    .map((count) => Number(count.replaceAll(",", "")));
  const rows = lines.map((line) => {
    const [title = "", label = "", unit = "", ...values] = cells(line);
    return { title, label, unit, values: values.map(Number) };
  });
  return { documents, rows };
}
