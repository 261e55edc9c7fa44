import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { test } from "node:test";

/** The rooms of src/, lowest first: a file imports from the lines above its own, or from its own room. */
const ROOMS = [
  ["core/lib"],
  ["core/markdown", "core/sqlite", "core/config"],
  ["core/notes"],
  ["core/storage", "core/index"],
  ["core/watch", "core/search", "core/git"],
  ["core/indexing", "core/stale"],
  ["core/history"],
  ["core/workspace"],
  [
    "core/mcp/here.ts",
    "core/mcp/words.ts",
    "core/mcp/heard.ts",
    "core/mcp/argument-schema.ts",
    "core/mcp/parts-read.ts",
    "core/mcp/again.ts",
  ],
  ["core/mcp/tool.ts"],
  ["core/mcp/argument-names.ts"],
  ["core/mcp/arguments.ts"],
  ["core/mcp/tools", "core/mcp/resources", "core/mcp/prompts", "core/mcp/api-v1", "core/mcp/vault"],
  ["core/mcp/api.ts"],
  ["core/mcp"],
  ["core/stdio"],
  ["sessions/transcripts"],
  ["together/sync", "sessions/capture", "serve", "setup/clients", "setup/imports", "board"],
  ["cli"],
  ["main.ts"],
];

/** What only some rooms may touch. */
const RESERVED = [
  {
    what: /^node:fs/,
    only: ["core/storage", "core/watch", "core/history", "core/sqlite/binary.ts"],
  },
  { what: /^node:(?:http|https|net|tls)$/, only: ["serve"] },
  { what: /^@sqlite\.org\//, only: ["core/sqlite"] },
  { what: /^(?:diff|string-width)$/, only: ["core/lib"] },
  { what: /^js-yaml$/, only: ["core/markdown"] },
  { what: /^(?:jsonc-parser|smol-toml)$/, only: ["setup/clients"] },
  {
    what: /^@modelcontextprotocol\//,
    only: ["server", "protocol", "notifications", "error-boundary"]
      .map((name) => `core/mcp/${name}.ts`)
      .concat("core/stdio", "serve"),
  },
  { what: /^(?:preact|micromark|@atlaskit)(?:$|[-/])/, only: ["board"] },
  { what: /^zod$/, only: ["core/mcp"] },
];

interface Import {
  file: string;
  specifier: string;
}

const files = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => /\.tsx?$/.test(name));

const imports: Import[] = files.flatMap((file) => {
  const text = readFileSync(join("src", file), "utf8");
  const specifiers = text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"([^"]+)"/g);
  return [...specifiers].map((match) => ({ file, specifier: match[1] ?? "" }));
});

/** The room whose name is the longest beginning of the path. */
const roomOf = (file: string) =>
  ROOMS.flat()
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0] ?? "";
const lineOf = (room: string) => ROOMS.findIndex((line) => line.includes(room));

test("every file of src belongs to a room", () => {
  assert.deepEqual(
    files.filter((file) => lineOf(roomOf(file)) === -1),
    [],
  );
});

test("a file imports only from its own room or from the lines above it", () => {
  const wrong = imports.filter(({ file, specifier }) => {
    if (!specifier.startsWith(".")) return false;
    const target = roomOf(join(dirname(file), specifier));
    return target !== roomOf(file) && lineOf(target) >= lineOf(roomOf(file));
  });
  assert.deepEqual(wrong, []);
});

/** `core`, or another floor; what people type and the start of the program know all floors. */
const floorOf = (file: string) => file.split("/")[0] ?? "";

test("core imports no other floor, and the others import only core", () => {
  const wrong = imports.filter(({ file, specifier }) => {
    if (!specifier.startsWith(".") || ["cli", "main.ts"].includes(floorOf(file))) return false;
    return !["core", floorOf(file)].includes(floorOf(join(dirname(file), specifier)));
  });
  assert.deepEqual(wrong, []);
});

test("no file imports itself by way of others, not even for a type", () => {
  const targets = (file: string) =>
    imports
      .filter((one) => one.file === file && one.specifier.startsWith("."))
      .map(({ specifier }) => join(dirname(file), specifier));
  // What imports nothing that is left goes, until only circles are left.
  let left = files;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    const names = new Set(left);
    left = left.filter((file) => targets(file).some((target) => names.has(target)));
  }
  assert.deepEqual(left, []);
});

/** What a file loads as soon as it is loaded itself: neither types nor what it imports when it runs. */
function loaded(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  const code = readFileSync(join("src", file), "utf8").replaceAll(/^import type [^;]*;/gm, "");
  for (const [, specifier = ""] of code.matchAll(/\bfrom\s+"([^"]+)"/g)) {
    if (specifier.startsWith(".")) loaded(join(dirname(file), specifier), known);
    else known.add(specifier);
  }
  return known;
}

test("a start of the program loads no protocol, no schemas and no index, and brief neither of the first two", () => {
  const heavy =
    /^(?:@modelcontextprotocol|zod$|core\/sqlite\/|node:(?:zlib|crypto|net|stream|readline|http))/;
  const loads = (file: string, what: RegExp) => [...loaded(file)].filter((name) => what.test(name));
  for (const file of ["main.ts", "core/workspace/place/current-project.ts"])
    assert.deepEqual(loads(file, heavy), [], file);
  for (const file of ["cli/commands/brief.ts", "cli/commands/merge.ts", "cli/commands/search.ts"])
    assert.deepEqual(loads(file, /^string-width$/), [], file);
  for (const file of ["core/workspace/workspace.ts", "cli/commands/brief.ts"])
    assert.deepEqual(loads(file, /^(?:@modelcontextprotocol|zod$)/), [], file);
  const server = loaded("cli/commands/serve.ts");
  assert.ok(server.has("zod"));
  // Node compiles it when it is imported: `promises` of node:fs waits until it is used.
  assert.ok(!server.has("node:fs/promises"));
  assert.ok(
    [...loaded("main.ts")].every((name) => !/^(?:js-yaml|string-width|diff|jsonc-parser)$/.test(name)),
  );
});

test("only serve and board load the web page, and with it HTTP", () => {
  const page = "serve/http/board-page.ts";
  assert.ok(loaded("serve/http/listen.ts").has(page));
  const commands = files.filter((file) => /^(?:main|cli\/commands\/[^/]+)\.ts$/.test(file));
  for (const file of [...commands, "core/mcp/server.ts", "core/stdio/stdio.ts"])
    assert.ok(!loaded(file).has(page), file);
  const http = (file: string) =>
    imports.some((one) => one.file === file && /http\/listen/.test(one.specifier));
  assert.deepEqual(commands.filter(http), ["cli/commands/board.ts", "cli/commands/serve.ts"]);
});

test("the web page runs in browsers: it loads pure rules, and from the tools takes types only", () => {
  const page = [...loaded("board/main.tsx")];
  const foreign = page.filter(
    (name) => /\.tsx?$/.test(name) && !/^(?:board|core\/(?:lib|markdown|notes))\//.test(name),
  );
  assert.deepEqual(foreign, []);
  const pure = files.filter((file) => /^(?:board|core\/(?:markdown|notes))\//.test(file)).concat(page);
  for (const file of pure.filter((name) => files.includes(name))) {
    const code = readFileSync(join("src", file), "utf8");
    assert.doesNotMatch(code, /"node:|\b(?:Buffer|process)\./, file);
  }
  const others = imports.filter(({ file, specifier }) => {
    const target = specifier.startsWith(".") ? join(dirname(file), specifier) : "";
    return (
      file.startsWith("board/") && target !== "" && !/^(?:board|core\/(?:lib|markdown|notes))\//.test(target)
    );
  });
  assert.deepEqual(
    others.filter(({ specifier }) => !/\/mcp\/(?:tool|tools\/[^/]+)\.ts$/.test(specifier)),
    [],
  );
});

test("the product imports nothing that only builds or tests it", () => {
  const outside = imports.filter(({ file, specifier }) => join(dirname(file), specifier).startsWith(".."));
  assert.deepEqual(outside, []);
});

test("what is reserved to a room is touched nowhere else", () => {
  const wrong = imports.filter(({ file, specifier }) =>
    RESERVED.some(
      ({ what, only }) => what.test(specifier) && !only.some((room) => `${file}/`.startsWith(`${room}/`)),
    ),
  );
  assert.deepEqual(wrong, []);
});

test("one door out: only workspace/change makes changes of files, where their rules are, and the history itself", () => {
  const making = /\b(?:makeChanges|changeFile|createAt)\(/;
  const others = files.filter((file) => !/^core\/(?:history|storage|workspace\/change)\//.test(file));
  const wrong = others.filter((file) => making.test(readFileSync(join("src", file), "utf8")));
  assert.deepEqual(wrong, []);
  const doors = files.filter((file) => /\bmakeChanges\(/.test(readFileSync(join("src", file), "utf8")));
  assert.deepEqual(doors, ["core/history/make-changes.ts", "core/workspace/change/change.ts"]);
});

test("what writes a file in place is handed to that door, or writes what is not of the workspace", () => {
  const writing = /\b(?:createFile|replaceFile|changeRead)\(/;
  const others = files.filter((file) => !/^core\/(?:history|storage)\//.test(file));
  const writers = others.filter((file) => writing.test(readFileSync(join("src", file), "utf8")));
  const handed = ["core/mcp/vault/vault-create.ts", "core/mcp/vault/vault-replace.ts"];
  const elsewhere = ["cli/commands/demo.ts", "cli/commands/merge.ts", "together/sync/store.ts"];
  assert.deepEqual(writers.sort(), [...elsewhere, ...handed].sort());
});

test("git is started in one place; other programs are what a person looks at and writes with", () => {
  const starting = files.filter((file) =>
    readFileSync(join("src", file), "utf8").includes("node:child_process"),
  );
  const persons = ["cli/browser.ts", "cli/commands/edit.ts"];
  assert.deepEqual(starting.sort(), [...persons, "core/git/run-git.ts"].sort());
});

test("only the command line reads arguments and the environment, and exits", () => {
  // The example notes hold code samples of their own.
  const code = files.filter((file) => !file.startsWith("cli/commands/demo/"));
  const readers = code.filter((file) =>
    /process\.(?:argv|env|exit)\b/.test(readFileSync(join("src", file), "utf8")),
  );
  assert.deepEqual(readers, ["main.ts"]);
});

test("the imports are really seen", () => {
  assert.ok(imports.length > 100);
  assert.ok(imports.some(({ file, specifier }) => file === "main.ts" && specifier === "./cli/run.ts"));
});
