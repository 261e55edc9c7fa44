import { type BuildOptions, build, type Metafile } from "esbuild";
import { ICON } from "../src/core/config/about.ts";

const OPTIONS = {
  outdir: "board",
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: "iife",
  target: ["chrome111", "firefox113", "safari16.4"],
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  tsconfigRaw: {},
  charset: "utf8",
} as const satisfies BuildOptions;

/** The web page of `src/board` as one text, with its style, its script and the script of its worker inside. */
export async function buildBoard(): Promise<{ html: string; metafiles: Metafile[] }> {
  const worker = await build({
    ...OPTIONS,
    entryPoints: ["src/board/markdown/worker.ts"],
    // Without it, a package would take its entry for pages, which needs a document.
    conditions: ["worker"],
  });
  const define = { MARKDOWN_WORKER: JSON.stringify(worker.outputFiles[0]?.text) };
  const { outputFiles, metafile } = await build({ ...OPTIONS, entryPoints: ["src/board/main.tsx"], define });
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text.trim() ?? "";
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>vibe-mcp</title>
<link rel="icon" href="${ICON}">
<style>${inline(textOf(".css"), "style")}</style>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<script type="module">${inline(textOf(".js"), "script")}</script>
</body>
</html>
`;
  return { html, metafiles: [metafile, worker.metafile] };
}

/** Throws for text that would end its element early. */
function inline(text: string, element: string): string {
  if (text.toLowerCase().includes(`</${element}`))
    throw new Error(`the board's ${element} holds </${element}`);
  return text;
}
