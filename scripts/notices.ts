import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { groupBy } from "../src/core/lib/collections.ts";

const SQLITE = "@sqlite.org/sqlite-wasm";

/**
 * The licences of the packages that the bundled files (`inputs`) come from, as comments: whose each is, and the terms that they share
 * once. Throws for a package without one.
 */
export function notices(inputs: readonly string[]): string {
  const names = new Set(inputs.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]));
  const packages = [...names].filter((name) => name !== undefined).sort();
  const shared = [...groupBy(packages, (name) => termsOf(licence(name)).replace(/\s+/g, " "))];
  const own = comment(`${withVersion(SQLITE)}\n\n${sqlite()}`);
  return [...shared.map(([, names]) => notice(names)), own].join("");
}

/** Those of the same terms: each with its own words before them, equal ones once. */
function notice(names: readonly string[]): string {
  const texts = new Map(names.map((name) => [name, licence(name)]));
  const [terms = ""] = [...texts.values()].map(termsOf);
  const owners = groupBy(names, (name) => {
    const text = texts.get(name) ?? "";
    return text.slice(0, text.length - termsOf(text).length).trim();
  });
  const heads = [...owners].map(([head, names]) => `${names.map(withVersion).join("\n")}\n\n${head}`);
  return comment([...heads, terms].join("\n\n"));
}

/** A licence without the words before its terms: whose it is. */
function termsOf(text: string): string {
  return text.slice(Math.max(0, text.search(/^Permission (?:is hereby granted|to use)/m)));
}

function comment(text: string): string {
  const lines = text.replaceAll("©", "(c)").trim().split(/\r?\n/);
  return [...lines, ""]
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
