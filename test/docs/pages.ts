import { readdirSync, readFileSync } from "node:fs";

const docs = readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`);

/** Every page of the project, with `/` in its path. */
export const PAGES = [...readdirSync("."), ...docs]
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.replaceAll("\\", "/"));

/** The shell scripts of a page; of a `console` block, the lines after its prompts. */
export function scriptsOf(page: string): string[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^( *)```(bash|sh|console)\n([\s\S]*?)^ *```/gm);
  return [...blocks].map(([, indent = "", language, text = ""]) => {
    const lines = text.split("\n").map((line) => line.slice(indent.length));
    if (language !== "console") return lines.join("\n");
    const typed = lines.filter((line) => line.startsWith("$ "));
    return typed.map((line) => line.slice(2)).join("\n");
  });
}
