import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { test } from "node:test";

const PAGES = [
  "README.md",
  "AGENTS.md",
  "CHANGELOG.md",
  ...readdirSync("docs").map((name) => `docs/${name}`),
].filter((name) => name.endsWith(".md"));

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
  [...prose(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ file, target })),
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
