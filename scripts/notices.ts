import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { groupBy } from "../src/lib/collections.ts";

const SQLITE = "@sqlite.org/sqlite-wasm";

/** The licences of the packages that the bundled files (`inputs`) come from, as comments, equal ones once. Throws for a package without one. */
export function notices(inputs: readonly string[]): string {
  const names = new Set(inputs.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
  const packages = [...names].filter((name) => name !== undefined).sort();
  const texts = [...groupBy(packages, licence)].map(([text, names]) => notice(names, text));
  return [...texts, notice([SQLITE], sqlite())].join("");
}

function notice(names: readonly string[], text: string): string {
  const lines = text.replaceAll("©", "(c)").trim().split(/\r?\n/);
  return [...names.map(withVersion), "", ...lines, ""]
    .map((line) => `// ${line}`.trimEnd())
    .join("\n")
    .concat("\n//\n");
}

function withVersion(name: string): string {
  const { version } = JSON.parse(readFileSync(join("node_modules", name, "package.json"), "utf8"));
  return `${name} ${version}`;
}

function licence(name: string): string {
  const folder = join("node_modules", name);
  const file = readdirSync(folder).find((one) => /^(?:licen[cs]e|copying)(?:\.|$)/i.test(one));
  if (file === undefined) throw new Error(`${name} has no licence text`);
  return readFileSync(join(folder, file), "utf8");
}

/** Its package ships no licence text, so the texts come from elsewhere. */
function sqlite(): string {
  const mit = readFileSync("LICENSE", "utf8").replace(/^[\s\S]*?(?=Permission is)/, "");
  return `SQLite is in the public domain (https://sqlite.org/copyright.html). The package that its WebAssembly comes from is under the
Apache License 2.0 (below). The WebAssembly holds parts of Emscripten (Copyright (c) 2010-2014 Emscripten authors)
and of musl (Copyright (c) 2005-2020 Rich Felker, et al.), both under the MIT licence (here):

${mit}
${licence("typescript")}`;
}
