import assert from "node:assert/strict";
import { readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { UserError } from "../../src/core/lib/errors.ts";
import { gateOf, isInside, NO_LINKS } from "../../src/core/storage/path-gate.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const LINKS: Record<string, string> = {
  "root/p/out": "../../outside",
  "root/p/out.md": "../../outside/secret.md",
  "root/p/up": "../..",
  "root/p/twin": "../../root-twin",
  "root/p/to-root": "..",
  "root/p/git": "../.git",
  "root/p/hidden": ".hidden",
  "root/p/hidden.md": ".secret.md",
  "root/p/loop": "loop",
  "root/p/circle-a": "circle-b",
  "root/p/circle-b": "circle-a",
  "root/p/broken.md": "nowhere.md",
  "root/p/back": "../../outside/back",
  "root/p/there": "tasks",
  "root/q": "p",
  "outside/back": "../root/p",
};

/** A root among hostile neighbours: readable files say "inside", all others "secret". */
function makeHostileRoot(t: TestContext): { base: string; root: string } {
  const base = temporaryFolder(t);
  writeFiles(base, {
    "root/p/tasks/a.md": "inside",
    "root/p/folder.md/b.md": "inside",
    "root/p/con.md": "inside",
    "root/p/.hidden/x.md": "secret",
    "root/p/.secret.md": "secret",
    "root/.git/x.md": "secret",
    "root-twin/x.md": "secret",
    "outside/secret.md": "secret",
    "secret.md": "secret",
  });
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, join(base, ...path.split("/")));
  return { base, root: join(base, "root") };
}

/** Where a path leads, relative to the root; "missing"; or the code of the error. */
function outcome(root: string, path: string): string {
  try {
    const found = gateOf(root).resolve(path);
    return found === undefined ? "missing" : found.file.slice(realpathSync.native(root).length + 1);
  } catch (error) {
    assert.ok(error instanceof UserError, String(error));
    return error.code;
  }
}

const REFUSED: [name: string, path: string][] = [
  ["the parent of the root", ".."],
  ["a climb", "p/../../outside/secret.md"],
  ["a climb from a folder that does not exist", "nowhere/../p/tasks/a.md"],
  ["an absolute path", "/etc/passwd"],
  ["an empty segment", "p//tasks/a.md"],
  ["a hidden folder of the root", ".git/x.md"],
  ["a hidden file", "p/.secret.md"],
  ["a NUL in the middle", "p/tasks/a.md\0.txt"],
  ["a folder link that leads out", "p/out/secret.md"],
  ["a file link that leads out", "p/out.md"],
  ["a link to a folder whose name starts with the root's name", "p/twin/x.md"],
  ["a link to a hidden folder of its own project", "p/hidden/x.md"],
  ["a link to a hidden file", "p/hidden.md"],
];

for (const [name, path] of REFUSED) {
  test(`the gate refuses ${name}`, (t) => {
    assert.equal(outcome(makeHostileRoot(t).root, path), "INVALID_PATH");
  });
}

const MISSING: [name: string, path: string][] = [
  ["a file that does not exist", "p/tasks/none.md"],
  ["a folder that does not exist", "none/none/none.md"],
  ["a link that leads nowhere", "p/broken.md"],
  ["a path through a file", "p/tasks/a.md/b.md"],
];

for (const [name, path] of MISSING) {
  test(`the gate finds nothing at ${name}`, (t) => {
    assert.equal(outcome(makeHostileRoot(t).root, path), "missing");
  });
}

const FOUND: [name: string, path: string, place: string][] = [
  ["a file", "p/tasks/a.md", "p/tasks/a.md"],
  ["a folder", "p/tasks", "p/tasks"],
  ["a folder link that stays inside", "p/there/a.md", "p/tasks/a.md"],
  ["a project that is a link", "q/tasks/a.md", "p/tasks/a.md"],
  ["a link to the root itself", "p/to-root/p/tasks/a.md", "p/tasks/a.md"],
];

for (const [name, path, place] of FOUND) {
  test(`the gate gives the link-free path of ${name}`, (t) => {
    assert.equal(outcome(makeHostileRoot(t).root, path), place.replaceAll("/", sep));
  });
}

test("a folder instead of a file is named as a folder", (t) => {
  const { root } = makeHostileRoot(t);
  assert.equal(gateOf(root).resolve("p/folder.md")?.stats.isFile(), false);
  assert.equal(gateOf(root).resolve("p/folder.md/b.md")?.stats.isFile(), true);
});

const UNFOLLOWED = {
  "p/loop": "FILESYSTEM_ERROR",
  "p/loop/x.md": "FILESYSTEM_ERROR",
  "p/circle-a/x.md": "FILESYSTEM_ERROR",
  [`p/${"x".repeat(300)}.md`]: "INVALID_PATH",
};

for (const [path, code] of Object.entries(UNFOLLOWED)) {
  test(`the gate answers '${path.slice(0, 20)}', which the disk cannot follow, with an error in words`, {
    skip: ON_WINDOWS && "Windows reports loops as missing",
  }, (t) => {
    assert.equal(outcome(makeHostileRoot(t).root, path), code);
  });
}

const WINDOWS_NAMES = [
  ..."con.md,CON,Aux.md,nul,prn.tar.md,com1,COM0.md,lpt9.md,com¹.md,conin$,CONOUT$.md,nul .md".split(","),
  "a\\b.md",
  "tasks\\..\\..\\x.md",
  "c:x.md",
  "a.md:stream",
  "a.md.",
  "a.md ",
];

for (const name of WINDOWS_NAMES) {
  test(`'${name}' is refused on Windows and a plain name elsewhere`, (t) => {
    const { root } = makeHostileRoot(t);
    if (!ON_WINDOWS) {
      writeFileSync(join(root, "p", name), "inside");
      assert.equal(outcome(root, `p/${name}`), `p/${name}`);
    }
    const platform = Object.getOwnPropertyDescriptor(process, "platform") as PropertyDescriptor;
    Object.defineProperty(process, "platform", { ...platform, value: "win32" });
    t.after(() => Object.defineProperty(process, "platform", platform));
    assert.equal(outcome(root, `p/${name}`), "INVALID_PATH");
    assert.equal(outcome(root, `${name}/x.md`), "INVALID_PATH");
    assert.equal(outcome(root, "p/tasks/a.md"), join("p", "tasks", "a.md"));
  });
}

test("names that only resemble a device are plain names everywhere", (t) => {
  const root = temporaryFolder(t);
  const names = ["console.md", "auxiliary.md", "com.md", "com10.md", "nullable.md", "my con.md"];
  writeFiles(root, Object.fromEntries(names.map((name) => [`p/${name}`, "inside"])));
  const platform = Object.getOwnPropertyDescriptor(process, "platform") as PropertyDescriptor;
  Object.defineProperty(process, "platform", { ...platform, value: "win32" });
  t.after(() => Object.defineProperty(process, "platform", platform));
  for (const name of names) assert.equal(outcome(root, `p/${name}`), join("p", name));
});

test("no path resolves outside the root or to a hidden file", (t) => {
  const { base, root } = makeHostileRoot(t);
  const real = realpathSync.native(root);
  const links = Object.keys(LINKS).map((path) => path.split("/").at(-1) ?? "");
  const part = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...links) },
    { weight: 4, arbitrary: fc.constantFrom("tasks", "tasks/a.md", "folder.md/b.md", "p/con.md", "p") },
    { weight: 1, arbitrary: fc.constantFrom(".hidden/x.md", ".git", "secret.md", "x.md", "root") },
    { weight: 1, arbitrary: fc.constantFrom("..", ".", "", "...", "~", "\0", "..\\..", base, root) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) },
  );
  const path = fc.tuple(fc.constantFrom("p/", "q/", "", "/"), fc.array(part, { minLength: 1, maxLength: 3 }));
  let resolved = 0;
  fc.assert(
    fc.property(path, ([start, parts]) => {
      const wanted = start + parts.join("/");
      if (/^(?:INVALID_PATH|FILESYSTEM_ERROR|missing)$/.test(outcome(root, wanted))) return;
      const found = gateOf(root).resolve(wanted);
      assert.ok(found !== undefined);
      assert.equal(realpathSync.native(found.file), found.file);
      assert.ok(found.file === real || found.file.startsWith(real + sep), found.file);
      assert.ok(!found.file.slice(real.length).includes(`${sep}.`), found.file);
      if (found.stats.isFile()) assert.equal(readFileSync(found.file, "utf8"), "inside");
      resolved++;
    }),
    { numRuns: 3000 },
  );
  assert.ok(resolved > 100, `only ${resolved} paths resolved: the property says little`);
});

test("where hidden names are allowed and no link is followed, nothing opens outside the root either", (t) => {
  const { root } = makeHostileRoot(t);
  const gate = gateOf(realpathSync.native(root), NO_LINKS);
  using hidden = gate.openFile("p/.hidden/x.md");
  assert.ok(hidden !== undefined);
  for (const path of ["..", "../outside", "p/../../outside", "p/out", "p/to-root", "p/there"])
    assert.throws(() => gate.findFolder(path), { code: "FILESYSTEM_ERROR" }, path);
  for (const path of ["../secret.md", "p/../../outside/secret.md", "p/out.md", "p/out/secret.md"])
    assert.throws(() => gate.openFile(path), { code: "FILESYSTEM_ERROR" }, path);
});

test("a root may be a link or below a hidden folder", (t) => {
  const base = temporaryFolder(t);
  writeFiles(base, { ".vibe/p/a.md": "inside", "secret.md": "secret" });
  symlinkSync(".vibe", join(base, "vibe"));
  symlinkSync("../../secret.md", join(base, ".vibe", "p", "out.md"));
  const file = join(realpathSync.native(base), ".vibe", "p", "a.md");
  for (const root of [join(base, ".vibe"), join(base, "vibe")]) {
    assert.equal(gateOf(root).resolve("p/a.md")?.file, file);
    assert.equal(outcome(root, "p/out.md"), "INVALID_PATH");
  }
});

test("a missing root has no files", (t) => {
  assert.equal(gateOf(join(temporaryFolder(t), "none")).resolve("p/a.md"), undefined);
});

test("a refusal names the path on one short line, and no other path", (t) => {
  const { base, root } = makeHostileRoot(t);
  for (const path of ["p/out.md", "p/loop", "a\n\0\u001b[31m.md", "x/".repeat(100_000)]) {
    assert.throws(
      () => gateOf(root).resolve(path),
      (error: UserError) => {
        const shown = JSON.stringify([error.message, error.details]);
        assert.ok(!shown.includes(base), shown);
        assert.ok(shown.length < 1200);
        assert.doesNotMatch(error.message, /\p{Cc}/u);
        return true;
      },
    );
  }
});

test("`isInside` is not fooled by paths that only look alike", () => {
  const root = join(sep, "a", "root");
  for (const inside of [root, join(root, "p"), join(root, "p", "x..md"), join(root, "p..")])
    assert.ok(isInside(root, inside), inside);
  for (const outside of [join(sep, "a"), join(sep, "a", "root-twin"), sep, join(root, "p", ".git", "x")])
    assert.ok(!isInside(root, outside), outside);
  assert.ok(isInside(sep, join(sep, "p", "x.md")));
});
