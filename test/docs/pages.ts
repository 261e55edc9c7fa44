import { readdirSync } from "node:fs";

const docs = readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) => `docs/${name}`);

/** Every page of the project, with `/` in its path. */
export const PAGES = [...readdirSync("."), ...docs]
  .filter((name) => name.endsWith(".md"))
  .map((name) => name.replaceAll("\\", "/"));
