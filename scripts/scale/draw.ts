import type { Row, Table } from "./table.ts";

const PANEL = { width: 340, height: 220, left: 48, right: 130, top: 36, bottom: 34 };
const PER_LINE = 2;

/** One panel per title, with logarithmic axes: what grows in proportion to the workspace is a straight line. */
export function draw({ documents, rows }: Table): string {
  const titles = [...new Set(rows.map(({ title }) => title))];
  const panels = titles.map((title, at) => {
    const [x, y] = [(at % PER_LINE) * PANEL.width, Math.floor(at / PER_LINE) * PANEL.height];
    const lines = rows.filter((row) => row.title === title);
    return `<g transform="translate(${x} ${y})">\n${panel(documents, title, lines)}</g>\n`;
  });
  const size = [PER_LINE * PANEL.width, Math.ceil(titles.length / PER_LINE) * PANEL.height];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(" ")}" role="img" aria-labelledby="title desc">
<title id="title">What a workspace costs by its size</title>
<desc id="desc">The figures of the table of this page as curves: ${titles.join(", ").toLowerCase()}.</desc>
<style>
text { font: 11px system-ui, sans-serif; fill: #1f2328 } .h { font-weight: 600; font-size: 12px } .m { fill: #59636e }
.a { stroke: #d1d9e0 } .l { fill: none; stroke-width: 2 } .c0 { stroke: #0969da } .c1 { stroke: #bc4c00 } .e { text-anchor: end } .o { text-anchor: middle }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } .m { fill: #9198a1 } .a { stroke: #3d444d } .c0 { stroke: #4493f8 } .c1 { stroke: #f0883e }
}
</style>
${panels.join("")}</svg>
`;
}

function panel(documents: readonly number[], title: string, rows: readonly Row[]): string {
  const { width, height, left, right, top, bottom } = PANEL;
  const x = scale(documents, left, width - right);
  const all = powers(rows.flatMap(({ values }) => values));
  const y = scale(all, height - bottom, top);
  const ticks = all.map(
    (power) =>
      `<path class="a" d="M${left} ${y(power)}H${width - right}"/><text class="m e" x="${left - 6}" y="${y(power) + 4}">${power}</text>\n`,
  );
  const sizes = documents.map(
    (count) =>
      `<text class="m o" x="${x(count)}" y="${height - bottom + 18}">${count >= 1000 ? `${count / 1000}k` : count}</text>\n`,
  );
  const ends = spread(rows.map(({ values }) => y(values.at(-1) ?? 1)));
  const lines = rows.map(({ label, values }, at) => {
    const path = values.map((value, n) => `${x(documents[n] ?? 1)} ${y(value)}`).join("L");
    const end = `<text x="${width - right + 8}" y="${(ends[at] ?? 0) + 4}">${label}: ${values.at(-1)}</text>`;
    return `<path class="l c${at}" d="M${path}"/>${end}\n`;
  });
  const name = `<text class="h" x="${left}" y="20">${title}, ${rows[0]?.unit}</text>\n`;
  return [name, ...ticks, ...sizes, ...lines].join("");
}

const log = Math.log10;

/** Maps values to coordinates, logarithmically. */
function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [least, most] = [log(Math.min(...values)), log(Math.max(...values))];
  const span = most - least || 1;
  return (value) => Math.round((from + ((log(value) - least) / span) * (to - from)) * 10) / 10;
}

/** The powers of ten that the values lie between. */
function powers(values: readonly number[]): number[] {
  const [least, most] = [Math.floor(log(Math.min(...values))), Math.ceil(log(Math.max(...values)))];
  return Array.from({ length: most - least + 1 }, (_, at) => Number((10 ** (least + at)).toPrecision(1)));
}

/** Moves two labels apart if their lines end close together. */
function spread(ends: readonly number[]): number[] {
  const [first = 0, second] = ends;
  if (second === undefined || Math.abs(first - second) >= 13) return [...ends];
  const [middle, sign] = [(first + second) / 2, first < second ? 1 : -1];
  return [middle - sign * 6.5, middle + sign * 6.5];
}
