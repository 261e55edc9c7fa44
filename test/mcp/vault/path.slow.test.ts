import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, linkSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { ON_WINDOWS, withMode } from "../../fixtures/disk.ts";
import { isNightly, numRuns } from "../../fixtures/num-runs.ts";
import { type Connected, connect, temporaryFolder, writeFiles } from "../../fixtures/workspace.ts";

const LINKS: Record<string, string> = {
  "root/p/out": "../../outside",
  "root/p/out.md": "../../outside/secret.md",
  "root/p/up": "../..",
  "root/p/inside": "tasks",
  "root/p/inside.md": "tasks/a.md",
  "root/p/loop": "loop",
  "root/p/broken": "nowhere",
  "root/q": "p",
  "root/p/index": "../index.db",
};

/** A root among hostile neighbours: what may be read says "inside", everything else "secret". */
async function hostile(t: TestContext): Promise<Connected & { base: string; root: string }> {
  const base = temporaryFolder(t);
  const root = join(base, "root");
  writeFiles(base, {
    "root/p/tasks/a.md": "inside",
    "root/p/swap/a.md": "inside",
    "root/.system/rules.md": "inside",
    "root/.git/x.md": "secret",
    "root/p/.hidden/x.md": "secret",
    "root/p/.secret.md": "secret",
    "root/.vibe-mcp/locks/x.lock": "secret",
    "root/index.db": "secret",
    "root/index.db-wal": "secret",
    "root-twin/a.md": "secret",
    "outside/a.md": "secret",
    "outside/secret.md": "secret",
    "secret.md": "secret",
  });
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, join(base, ...path.split("/")));
  return { base, root, ...(await connect(t, root, { tools: "vault", db: join(base, "mirror.db") })) };
}

/** A call of each tool that takes a path. */
const CALLS: [name: string, args: Record<string, unknown>][] = [
  ["vault_read", { full: true }],
  ["vault_scan", {}],
  ["vault_ls", {}],
  ["vault_replace", { find: "secret", replace: "broken" }],
  ["vault_create", { content: "made" }],
];

const FORBIDDEN = [
  "p/out/secret.md",
  "p/out.md",
  "p/inside/a.md",
  "q/tasks/a.md",
  "p/broken",
  "p/loop/x.md",
  "p/index",
  ".git/x.md",
  "p/.hidden/x.md",
  ".vibe-mcp/locks/x.lock",
  "p/...",
  ".systems/x.md",
  ".ѕystem/x",
];

const INDEX = ["index.db", "INDEX.DB", "./index.db", "index.db-wal", "index.db-shm", "index.db-journal"];

test("every tool answers forbidden for what is hidden, behind a link, or the index", async (t) => {
  const { fail, base, root } = await hostile(t);
  for (const path of [...FORBIDDEN, ...INDEX])
    for (const [name, args] of CALLS) {
      if (name === "vault_ls" && INDEX.includes(path)) continue;
      const error = await fail(name, { path, ...args });
      assert.equal(error.code, "forbidden", `${name} ${path}`);
      assert.ok(!JSON.stringify(error).includes(base));
    }
  assert.equal(readFileSync(join(root, "index.db"), "utf8"), "secret");
});

test("an index given by --db is forbidden, but other names that start like it are not", async (t) => {
  const root = temporaryFolder(t);
  writeFiles(root, { "p/my.sqlite": "secret", "p/index.db": "inside", "p/my.sqlite.bak": "inside" });
  const { call, fail } = await connect(t, root, { tools: "vault", db: join(root, "p", "my.sqlite") });
  assert.equal((await fail("vault_read", { path: "p/my.sqlite", full: true })).code, "forbidden");
  assert.equal((await fail("vault_read", { path: "p/MY.sqlite-wal", full: true })).code, "forbidden");
  for (const path of ["p/index.db", "p/my.sqlite.bak"]) {
    assert.equal((await call("vault_read", { path, full: true }))["text"], "inside");
  }
});

const INVALID = [
  "/etc/passwd",
  "\\\\host\\share\\x",
  "C:/x.md",
  "../secret.md",
  "p/../../secret.md",
  "p\\..\\..\\secret.md",
  "nowhere/../p/tasks/a.md",
  ".system/../p/tasks/a.md",
  "p/tasks/a.md\0",
  "p/\ud83d.md",
];

test("absolute paths, '..' and impossible names are invalid_path for every tool", async (t) => {
  const { fail } = await hostile(t);
  for (const path of INVALID) {
    for (const [name, args] of CALLS) {
      const error = await fail(name, { path, ...args });
      assert.equal(error.code, "invalid_path", `${name} ${path}`);
      assert.doesNotMatch(error.message, /\p{Cc}/u);
    }
  }
});

test("an empty path, or one with a final slash, is invalid_path for a file", async (t) => {
  const { fail } = await hostile(t);
  for (const path of ["", ".", "./", "p/tasks/a.md/", "p/tasks/a.md\\", "p/new/", "p/new/."]) {
    for (const [name, args] of CALLS.filter(([name]) => name !== "vault_ls")) {
      assert.equal((await fail(name, { path, ...args })).code, "invalid_path", `${name} ${path}`);
    }
  }
});

test("a folder, a device or nothing instead of a file is not_found, with similar names", async (t) => {
  const { fail } = await hostile(t);
  for (const path of [
    "p",
    "p/tasks",
    "p/none.md",
    "p/tasks/a.md/b.md",
    "none/a.md",
    `p/${"x".repeat(300)}`,
  ]) {
    for (const [name, args] of CALLS.slice(0, 2)) {
      assert.equal((await fail(name, { path, ...args })).code, "not_found", path);
    }
  }
  const { details } = await fail("vault_scan", { path: "p/tasks/b.md" });
  assert.deepEqual(details.suggestions, ["a.md"]);
});

test(".system can be read and listed, in whatever letter case the disk takes", async (t) => {
  const { call } = await hostile(t);
  for (const path of [
    ".system/rules.md",
    "./.system/rules.md",
    ".system\\rules.md",
    ".//.system//rules.md",
  ]) {
    assert.equal((await call("vault_read", { path, full: true }))["text"], "inside");
  }
  const { items } = await call<{ items: { path: string }[] }>("vault_ls", { path: ".system" });
  assert.deepEqual(
    items.map(({ path }) => path),
    [".system/rules.md"],
  );
});

/** What is below a folder: names, sizes and times. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const { size, mtimeMs } = statSync(join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}

const DOTS = ["..", ".", "…", "．．", "%2e%2e", "...", "..\u200b", "~"];
const SLASHES = ["/", "\\", "//", "∕", "／", "⁄", "＼", "%2f", "%5c", "\u29f8", "/./", "\\.\\"];
const NAMES = [
  "p",
  "q",
  "tasks",
  "a.md",
  "out",
  "out.md",
  "up",
  "inside",
  "loop",
  "secret.md",
  "root",
  "root-twin",
  ".system",
  ".git",
  ".vibe-mcp",
  "index.db",
  "NUL",
  "a.md::$DATA",
  "\\\\?\\C:\\",
  "/proc/self/root",
  "\0",
  "\n",
];

const PATHS = numRuns(2000);

test(`${PATHS} hostile paths reach nothing outside the root`, async (t) => {
  const { client, base, root } = await hostile(t);
  const outside = () => [
    stateOf(join(base, "outside")),
    stateOf(join(base, "root-twin")),
    readFileSync(join(base, "secret.md")),
  ];
  const before = outside();
  const word = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...NAMES) },
    { weight: 3, arbitrary: fc.constantFrom(...DOTS) },
    { weight: 1, arbitrary: fc.constantFrom(base, root, join(base, "outside")) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
  );
  const path = fc
    .tuple(
      fc.constantFrom("", "", "p/", "./", "/"),
      fc.array(fc.tuple(word, fc.constantFrom(...SLASHES)), { minLength: 1, maxLength: 4 }),
    )
    .map(([start, parts]) => start + parts.flat().slice(0, -1).join(""));
  // A write takes as long as ten readers.
  const call = fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...CALLS.slice(0, -1)) },
    { weight: 1, arbitrary: fc.constantFrom(...CALLS.slice(-1)) },
  );
  const codes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(path, call, async (given, [name, args]) => {
      const result = await client.callTool({ name, arguments: { path: given, ...args } });
      const [{ text = "" } = {}] = result.content as { text?: string }[];
      const code =
        result.isError === true ? (JSON.parse(text) as { error: { code: string } }).error.code : "ok";
      codes.set(code, (codes.get(code) ?? 0) + 1);
      assert.match(code, /^(?:ok|invalid_path|out_of_scope|not_found|forbidden|conflict)$/, given);
      assert.ok(!JSON.parse(text).text?.includes("secret"), given);
      assert.ok(given.includes(base) || !text.includes(base), given);
    }),
    { numRuns: PATHS },
  );
  assert.deepEqual(outside(), before);
  assert.equal(readFileSync(join(root, "index.db"), "utf8"), "secret");
  for (const code of ["ok", "invalid_path", "not_found", "forbidden", "conflict"]) {
    assert.ok(
      (codes.get(code) ?? 0) > PATHS / 1000 || !isNightly,
      `${code}: ${codes.get(code)}, which says little`,
    );
  }
});

test("hard links are ordinary files, and special files are not", { skip: ON_WINDOWS }, async (t) => {
  const { call, fail, root } = await hostile(t);
  linkSync(join(root, "p", "tasks", "a.md"), join(root, "p", "twin.md"));
  assert.equal((await call("vault_read", { path: "p/twin.md", full: true }))["text"], "inside");
  const socket = createServer().listen(join(root, "p", "pipe.md"));
  t.after(() => socket.close());
  await once(socket, "listening");
  assert.equal((await fail("vault_read", { path: "p/pipe.md", full: true })).code, "not_found");
  const { items } = await call<{ items: { name: string }[] }>("vault_ls", { path: "p" });
  assert.ok(items.every(({ name }) => name !== "pipe.md"));
});

test("errors of the disk are explained, without absolute paths", { skip: ON_WINDOWS }, async (t) => {
  const { fail, base, root } = await hostile(t);
  const file = join(root, "p", "tasks", "a.md");
  chmodSync(base, 0o755);
  await withMode(file, 0o000, async () => {
    const { code, message } = await fail("vault_scan", { path: "p/tasks/a.md" });
    assert.equal(code, "FILESYSTEM_ERROR");
    assert.match(message, /'p\/tasks\/a\.md'.*permission/);
  });
});

test("no call leaves a file open", { skip: process.platform !== "linux" }, async (t) => {
  const { client } = await hostile(t);
  const paths = [
    "p/tasks/a.md",
    "p/none.md",
    "p/out/x.md",
    "p/tasks",
    "none/x",
    "p/out.md",
    ".system/rules.md",
  ];
  const opened = () => readdirSync("/proc/self/fd").length;
  const round = () =>
    Promise.all(
      paths.flatMap((path) =>
        CALLS.map(([name, args]) => client.callTool({ name, arguments: { path, ...args } })),
      ),
    );
  await round();
  const before = opened();
  for (let n = 0; n < 5; n++) await round();
  assert.ok(opened() <= before + 2, `${opened()} after ${before}`);
});
