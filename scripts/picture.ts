import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { withFolder } from "./shared.ts";

/** Runs the built file in an example workspace and draws its output: `docs/terminal.svg`, or the named file. */
const TYPED = ['search "rate limitng" --limit 2', "tasks"];
const COLUMNS = 112;

/** A terminal with colours, and a fixed date. */
const TERMINAL = `
Object.assign(process.stdout, { isTTY: true, columns: ${COLUMNS}, hasColors: () => true });
Object.defineProperty(process, "stderr", { value: process.stdout });
const now = Date.parse("2026-02-09T09:00:00Z");
globalThis.Date = class extends Date {
  constructor(...given) { given.length === 0 ? super(now) : super(...given); }
  static now() { return now; }
};`;

async function transcript(home: string): Promise<string[]> {
  const folder = join(home, "payments-api");
  mkdirSync(folder);
  const program = join(home, "vibe-mcp");
  copyFileSync(resolve("dist", "vibe-mcp.cjs"), program);
  writeFileSync(join(home, "terminal.cjs"), TERMINAL);
  const env = { HOME: home, USERPROFILE: home, TZ: "UTC", FORCE_COLOR: "1" };
  const run = (...args: string[]) => {
    const all = ["--require", join(home, "terminal.cjs"), program, ...args];
    const { status, stdout } = spawnSync(process.execPath, all, {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`${args.join(" ")}: ${stdout}`);
    return stdout.trimEnd().split("\n");
  };
  run("demo", join(home, ".vibe"));
  return TYPED.flatMap((line, at) => {
    const args = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);
    return [...(at === 0 ? [] : [""]), `\x1b[32m$\x1b[39m vibe-mcp ${line}`, ...run(...args)];
  });
}

const CLASSES: Record<string, string> = { 1: "b", 2: "d", 31: "r", 32: "g", 33: "y" };
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A line of a terminal, with its colours as spans. */
function spans(line: string): string {
  const [first = "", ...styled] = line.split("\x1b[");
  const rest = styled.map((part) => {
    const [code = ""] = part.split("m", 1);
    const [name, text] = [CLASSES[code], escaped(part.slice(code.length + 1))];
    return name === undefined ? text : `<tspan class="${name}">${text}</tspan>`;
  });
  return [escaped(first), ...rest].join("");
}

function picture(lines: readonly string[]): string {
  const [height, width] = [lines.length * 18 + 32, COLUMNS * 7.85 + 32];
  const rows = lines.map((line, at) =>
    line === "" ? "" : `<text x="16" y="${at * 18 + 29}">${spans(line)}</text>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" xml:space="preserve" role="img" aria-labelledby="title desc">
<title id="title">vibe-mcp in a terminal</title>
<desc id="desc">A search with a misspelt word finds a task and a session note about rate limiting. Then the tasks of the project as a board of four columns: pending, in progress, blocked, done.</desc>
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
rect { fill: #f6f8fa; stroke: #d1d9e0 } .b { font-weight: 700 } .d { fill: #59636e } .r { fill: #b3261e } .g { fill: #116329 } .y { fill: #8a4600; font-weight: 700 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 } rect { fill: #161b22; stroke: #3d444d } .d { fill: #9198a1 } .r { fill: #ff938a } .g { fill: #56d364 } .y { fill: #e3b341 }
}
</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${rows.join("")}</svg>
`;
}

writeFileSync(process.argv[2] ?? "docs/terminal.svg", picture(await withFolder("picture", transcript)));
