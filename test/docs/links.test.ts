import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { test } from "node:test";
import { PAGES } from "./pages.ts";

const read = (file: string) => readFileSync(file, "utf8");
const prose = (file: string) => read(file).replaceAll(/^```[\s\S]*?^```/gm, "");

/** The anchors of a page, as code hosts make them. */
function anchors(file: string): string[] {
  return [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
}

const links = PAGES.flatMap((file) =>
  [
    ...prose(file)
      .replaceAll(/`[^`\n]*`/g, "")
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target = ""]) => ({
    file,
    target,
  })),
);

test("every link of the documentation leads to a file and a heading that exist", () => {
  assert.ok(links.length > 15);
  const wrong = links.filter(({ file, target }) => {
    if (/^[a-z]+:/.test(target)) return !URL.canParse(target);
    const [path = "", anchor] = target.split("#");
    const page = path === "" ? file : join(dirname(file), path);
    return !existsSync(page) || (anchor !== undefined && !anchors(page).includes(anchor));
  });
  assert.deepEqual(wrong, []);
});

test("every page is linked from another one", () => {
  const linked = links.map(({ file, target = "" }) => join(dirname(file), target.split("#")[0] ?? ""));
  const pages = PAGES.filter((page) => page.startsWith("docs/") && !page.startsWith("docs/decisions/"));
  assert.deepEqual(
    pages.filter((page) => !links.some(({ file }, at) => file !== page && linked[at] === page)),
    [],
  );
});

test("every source file that a page for contributors names exists", () => {
  const files = ["src", "scripts", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map(
      (name) => `/${folder}/${name.replaceAll("\\", "/")}`,
    ),
  );
  const pages = PAGES.filter((page) => /^(?:AGENTS|CONTRIBUTING|docs\/contributing\/)/.test(page));
  const named = pages.flatMap((page) =>
    [...prose(page).matchAll(/`([\w./-]+\.(?:tsx?|cjs|jsonl))`/g)].map(([, name = ""]) => ({ page, name })),
  );
  assert.ok(named.length > 20);
  assert.deepEqual(
    named.filter(({ name }) => !name.includes("dist/") && !files.some((file) => file.endsWith(`/${name}`))),
    [],
  );
});

test("the translations of the README lead to the same places, by the same commands", () => {
  const targets = (file: string) =>
    links
      .filter((link) => link.file === file && !link.target.startsWith("README"))
      .map(({ target }) => target);
  // In the blocks, and inside a sentence.
  const commands = (file: string) =>
    [...read(file).matchAll(/(?:^|`)(?:(?:sudo )?npm|node|vibe-mcp) [^#`\n]*/gm)].map(([command]) =>
      command.trim(),
    );
  for (const file of ["README.es.md", "README.ja.md"]) {
    assert.deepEqual(targets(file).sort(), targets("README.md").sort(), file);
    assert.deepEqual(commands(file), commands("README.md"), file);
  }
});

test("no page calls the history, which lies in .vibe-mcp, disposable", () => {
  const careless = PAGES.filter((page) => /\.vibe-mcp[^.]*any\s+time/.test(read(page)));
  assert.deepEqual(careless, []);
});
