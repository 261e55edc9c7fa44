import assert from "node:assert/strict";
import { test } from "node:test";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

test("of many names the first are told with the number of the others", async (t) => {
  const names = Array.from({ length: 25 }, (_, at) => `p${10 + at}`);
  const { fail } = await connect(
    t,
    makeWorkspace(t, Object.fromEntries(names.map((name) => [`${name}/`, ""]))),
  );
  const { code, message } = await fail("list_tasks", { project: "unlike" });
  assert.equal(code, "PROJECT_NOT_FOUND");
  assert.ok(message.includes(`Known projects: ${names.slice(0, 20).join(", ")} and 5 more.`), message);
});

test("a name of any length is told short, on one line", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "x" }));
  const filename = `${"long/".repeat(80)}x.md`;
  const { code, message } = await fail("read_doc", { project: "p", folder: "", filename });
  assert.equal(code, "FILE_NOT_FOUND");
  assert.ok(message.startsWith(`File '${filename.slice(0, 299)}…' not found in project 'p'.`), message);
});

test("a section is named that is there, or it is said that there is none", async (t) => {
  const files = { "p/a.md": "# A\n\n## One\n\nx\n", "p/b.md": "no heading\n" };
  const { fail } = await connect(t, makeWorkspace(t, files));
  const section = (filename: string) =>
    fail("read_doc", { project: "p", folder: "", filename, section: "Two" });
  assert.match((await section("a.md")).message, /^'p\/a\.md' has no section 'Two'\. Its headings: .*One/);
  assert.match((await section("b.md")).message, /^'p\/b\.md' has no section 'Two'\. It has no headings\.$/);
});

test("an empty tag is refused instead of finding nothing", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, { "p/a.md": "---\ntags: [x]\n---\ntext\n" }));
  for (const tag of ["", " "]) {
    const { code, message } = await fail("search", { query: "text", tag });
    assert.deepEqual(
      [code, message],
      ["INVALID_ARGUMENT", "'tag' is empty. Leave it out to search all tags."],
      tag,
    );
  }
});

test("a plan that is not there is told by the name it would have, whether or not that was whole", async (t) => {
  const { call } = await connect(t, makeWorkspace(t, { "p/plans/next.md": "# Next\n" }));
  for (const name of ["none", "none.md"]) {
    const { exists, path } = await call("get_plan", { project: "p", filename: name });
    assert.deepEqual([exists, path], [false, "p/plans/none.md"], name);
  }
  const { exists, content } = await call("get_plan", { project: "p", filename: "next" });
  assert.deepEqual([exists, content], [true, "# Next\n"]);
});
