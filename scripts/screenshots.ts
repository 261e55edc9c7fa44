import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Browser } from "playwright-core";
import { demoFiles } from "../src/cli/commands/demo/files.ts";
import { redeem } from "../test/fixtures/board.ts";
import { hasBrowser, launch } from "../test/fixtures/chromium.ts";
import { writeFiles } from "../test/fixtures/workspace.ts";
import { PROGRAM, withFolder } from "./shared.ts";

/** Pictures of the board with the example notes: in `docs/images`, or in the named folder. */
const FOLDER = process.argv[2] ?? "docs/images";
/** Fixed, so that a new picture differs only where the page does. */
const NOW = new Date(2026, 1, 9, 9);

/** The system's own font differs from machine to machine. */
const FONT = "body { font-family: 'Liberation Sans', sans-serif }";

interface Picture {
  name: string;
  /** The fragment of its address. */
  view: string;
  /** Is there once all is. */
  shows: string;
  size: readonly [number, number];
  colorScheme?: "light" | "dark";
}

const TASK = encodeURIComponent("payments-api/tasks/003-add-rate-limiting.md");
const SIZES = [
  [390, 844],
  [1280, 720],
  [2560, 1300],
] as const;

const PICTURES: Picture[] = [
  ...SIZES.flatMap((size) =>
    (["light", "dark"] as const).map((colorScheme) => ({
      name: `board-${size[0]}-${colorScheme}`,
      view: "board",
      shows: "article",
      size,
      colorScheme,
    })),
  ),
  { name: "table", view: "board?show=table", shows: "tbody tr", size: [1280, 800] },
  { name: "dependencies", view: "board?show=dependencies", shows: ".graph-node", size: [1280, 800] },
  { name: "document", view: `document?path=${TASK}`, shows: ".document-text", size: [1280, 1000] },
  { name: "inbox", view: "inbox", shows: ".peek .document-text", size: [1280, 800] },
  { name: "today", view: "today", shows: ".today-row", size: [1280, 800] },
  { name: "project", view: "project?name=payments-api", shows: ".project-counts", size: [1280, 1000] },
  { name: "search", view: "search?query=rate+limitng", shows: ".search-result", size: [1280, 800] },
];

if (!hasBrowser) throw new Error("There is no Chromium here: install one (apt install chromium).");
mkdirSync(FOLDER, { recursive: true });
await withFolder("screenshots", async (root) => {
  writeNotes(root);
  const args = [PROGRAM, "board", "--root", root, "--no-open"];
  const server = spawn(process.execPath, args, { cwd: root, env: { HOME: root, TZ: "UTC" } });
  const browser = await launch();
  try {
    const [line] = (await once(createInterface(server.stdout), "line")) as [string];
    const { token } = (await (await redeem(line)).json()) as { token: string };
    for (const picture of PICTURES) await draw(browser, { origin: new URL(line).origin, token }, picture);
  } finally {
    await browser.close();
    server.kill();
    await once(server, "close");
  }
});

function writeNotes(root: string): void {
  const files = demoFiles(NOW);
  writeFiles(root, Object.fromEntries(files.map(({ path, content }) => [path, content])));
  for (const { path } of files) utimesSync(join(root, path), NOW, NOW);
}

async function draw(
  browser: Browser,
  { origin, token }: { origin: string; token: string },
  { name, view, shows, size, colorScheme }: Picture,
) {
  const [width, height] = size;
  const page = await browser.newPage({
    viewport: { width, height },
    locale: "en-US",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    colorScheme: colorScheme ?? "light",
    bypassCSP: true,
  });
  await page.clock.setFixedTime(NOW);
  await page.goto(`${origin}/#/${view}${view.includes("?") ? "&" : "?"}token=${token}`);
  await page.getByRole("status").getByText("Live").waitFor({ state: "attached" });
  await page.locator(shows).first().waitFor();
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
  await page.getByText("Loading…").waitFor({ state: "detached" });
  await page.addStyleTag({ content: FONT });
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  await page.close();
}
