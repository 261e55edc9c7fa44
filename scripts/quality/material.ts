import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findHeadings } from "../../src/markdown/headings.ts";
import { describeDocument, locateDocument } from "../../src/notes/document.ts";

/** A document of a workspace, as questions are made from it. */
export interface Material {
  path: string;
  title: string;
  /** Its file's name and title, a line each. */
  name: string;
  /** A line each. */
  headings: string;
  /** Its text, without frontmatter. */
  body: string;
}

/** The documents below `root`, by path. */
export function readMaterial(root: string): Material[] {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => name.replaceAll("\\", "/")).sort();
  return paths.flatMap((path) => {
    const location = locateDocument(path);
    if (location === null) return [];
    const text = readFileSync(join(root, path), "utf8");
    const { title, bodyOffset } = describeDocument(location, text);
    const headings = findHeadings(text, bodyOffset).map((heading) => heading.text);
    const name = `${location.filename.replace(/\.md$/i, "")}\n${title}`;
    return [{ path, title, name, headings: headings.join("\n"), body: text.slice(bodyOffset) }];
  });
}
