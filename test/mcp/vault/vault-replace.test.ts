import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { withLock } from "../../../src/core/storage/locks.ts";
import { numRuns } from "../../fixtures/num-runs.ts";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

async function file(t: TestContext, content: string | Buffer) {
  const root = makeWorkspace(t, { "p/a.md": content });
  const place = join(root, "p", "a.md");
  const connected = await connect(t, root);
  const replace = (args: Record<string, unknown>) =>
    connected.call<{ replacements: number; hint?: string }>("vault_replace", { path: "p/a.md", ...args });
  return { ...connected, root, place, replace, text: () => readFileSync(place, "utf8") };
}

test("the output of vault_replace has every field of the source and nothing more", async (t) => {
  const { replace, text } = await file(t, "- [ ] Deploy\n- [ ] Test\n");
  assert.deepEqual(await replace({ find: "- [ ] Test", replace: "- [x] Test" }), {
    written_path: "p/a.md",
    replacements: 1,
  });
  assert.equal(text(), "- [ ] Deploy\n- [x] Test\n");
});

test("max_replacements is 1 by default, and 0 replaces nothing", async (t) => {
  const { replace, text } = await file(t, "a a a a a");
  const steps = [
    [{}, 1, "b a a a a"],
    [{ max_replacements: null }, 1, "b b a a a"],
    [{ max_replacements: 0 }, 0, "b b a a a"],
    [{ max_replacements: 2 }, 2, "b b b b a"],
    [{ max_replacements: 100 }, 1, "b b b b b"],
    [{ max_replacements: 100 }, 0, "b b b b b"],
  ] as const;
  for (const [args, replacements, after] of steps) {
    assert.equal((await replace({ find: "a", replace: "b", ...args })).replacements, replacements);
    assert.equal(text(), after);
  }
});

test("a replacement says what it took away, like any write", async (t) => {
  const { replace } = await file(t, "# A\n\n## Why\n1\n2\n3\n4\n\n## Next\nx\n");
  const { hint } = await replace({ find: "## Why\n1\n2\n3\n4\n\n", replace: "" });
  assertTells(hint, ["5 of 8 lines", "section Why", "restore_doc"]);
});

test("a call that replaces nothing says why and what to check", async (t) => {
  const { replace, text } = await file(t, "one\r\ntwo\r\n");
  for (const args of [
    { find: "three" },
    { find: "One" },
    { find: "one\ntwo" },
    { find: "x", max_replacements: 9 },
  ]) {
    const { hint, ...answer } = await replace({ replace: "x", ...args });
    assert.deepEqual(answer, { written_path: "p/a.md", replacements: 0 });
    assertTells(hint, ["Nothing", "'find'", "case", "\\n", "\\r\\n", "vault_read"]);
  }
  const { hint, ...answer } = await replace({ find: "one", replace: "x", max_replacements: 0 });
  assert.deepEqual(answer, { written_path: "p/a.md", replacements: 0 });
  assertTells(hint, ["Nothing", "'max_replacements'", "0"]);
  assert.equal(text(), "one\r\ntwo\r\n");
});

test("a file that is not valid UTF-8 is a conflict and stays unchanged", async (t) => {
  const bytes = Buffer.from([0x61, 0xff, 0x62]);
  const { fail, place } = await file(t, bytes);
  for (const find of ["a", "b", "\ufffd", "zzz"]) {
    const error = await fail("vault_replace", { path: "p/a.md", find, replace: "x" });
    assert.equal(error.code, "conflict");
  }
  assert.deepEqual(readFileSync(place), bytes);
});

test("0 replacements leave the file untouched, byte for byte, and its times too", async (t) => {
  const { replace, place } = await file(t, "\ufeffa\r\nb");
  const before = statSync(place, { bigint: true });
  for (const args of [
    { find: "zzz", replace: "x" },
    { find: "a", replace: "x", max_replacements: 0 },
  ]) {
    assert.equal((await replace(args)).replacements, 0);
  }
  assert.equal((await replace({ find: "a", replace: "a" })).replacements, 1);
  const after = statSync(place, { bigint: true });
  assert.deepEqual([after.ino, after.mtimeNs, after.ctimeNs], [before.ino, before.mtimeNs, before.ctimeNs]);
});

test("below .system and daily nothing is replaced, however it is spelled", async (t) => {
  const files = { ".system/a.md": "a", "daily/2026-02-03.md": "a", "p/.system/a.md": "a" };
  const { fail, call } = await connect(t, makeWorkspace(t, files));
  const paths = [".system/a.md", ".SYSTEM/a.md", "./.system/./a.md", ".\\.System\\a.md", "p/.system/a.md"];
  const daily = ["daily/2026-02-03.md", "DAILY/2026-02-03.md", "./daily\\2026-02-03.md", "daily/none.md"];
  for (const path of [...paths, ...daily]) {
    const error = await fail("vault_replace", { path, find: "a", replace: "b" });
    assert.equal(error.code, "forbidden", path);
  }
  for (const path of [".system/a.md", "daily/2026-02-03.md"]) {
    assert.equal((await call("vault_read", { path, full: true }))["text"], "a");
  }
});

test("many replacements at once all arrive, and leave no litter", async (t) => {
  const boxes = Array.from({ length: 30 }, (_, n) => `- [ ] task ${n};\n`).join("");
  const { call, text, root } = await file(t, boxes);
  const tick = (n: number) =>
    call("vault_replace", { path: "p/a.md", find: `- [ ] task ${n};`, replace: `- [x] task ${n};` });
  await Promise.all(Array.from({ length: 30 }, (_, n) => tick(n)));
  assert.equal(text(), boxes.replaceAll("[ ]", "[x]"));
  assert.deepEqual(readdirSync(join(root, "p")), ["a.md"]);
});

test("a replacement waits for the project's lock", async (t) => {
  const { replace, root, place, text } = await file(t, "one");
  let replaced: Promise<unknown> | undefined;
  await withLock(root, "p", async () => {
    replaced = replace({ find: "two", replace: "three" });
    await new Promise((resolve) => setImmediate(resolve));
    writeFileSync(place, "two");
  });
  assert.deepEqual(await replaced, { written_path: "p/a.md", replacements: 1 });
  assert.equal(text(), "three");
});

test("permissions stay, and the change is found by the next search", async (t) => {
  const { replace, place, call } = await file(t, "# Notes\n\naxolotl\n");
  if (process.platform !== "win32") chmodSync(place, 0o640);
  await replace({ find: "axolotl", replace: "quokka" });
  if (process.platform !== "win32") assert.equal(statSync(place).mode & 0o777, 0o640);
  const { total_matches } = await call<{ total_matches: number }>("search", { query: "quokka" });
  assert.equal(total_matches, 1);
});

test("a replacement gives what a literal replacement of the text gives", async (t) => {
  const { replace, place, text } = await file(t, "");
  const word = fc.string({
    unit: fc.constantFrom("a", "b", "é", "語", "😀", "\ufeff", "\n", "\r\n", "$&"),
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { maxLength: 30 }),
      word.filter((find) => find !== ""),
      word,
      fc.nat({ max: 5 }),
      async (words, find, by, most) => {
        const before = words.join("");
        writeFileSync(place, before);
        const { replacements } = await replace({ find, replace: by, max_replacements: most });
        const parts = before.split(find);
        assert.equal(replacements, Math.min(most, parts.length - 1));
        const head = parts.slice(0, replacements + 1).join(by);
        const tail = parts.slice(replacements + 1).map((part) => find + part);
        assert.equal(text(), head + tail.join(""));
      },
    ),
    { numRuns: numRuns(500) },
  );
});
