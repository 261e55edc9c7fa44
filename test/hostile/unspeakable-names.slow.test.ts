import assert from "node:assert/strict";
import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { person } from "../fixtures/terminal.ts";
import { makeWorkspace, writeFiles } from "../fixtures/workspace.ts";
import { serve } from "./server.ts";

const skip = ON_WINDOWS && "Windows has no such names";
const NAMES = ["a\nb", "a\r", "a\tb", "a\x1b[2Jb", "a\x7fb", "a\u0085b", "a\x9bb", "a\u2028b", "a\u2029b"];
const REASON = "its name has a control character or a line break";

/** As written in logs and reports. */
const escaped = (name: string) =>
  name.replace(/[\p{Cc}\u2028\u2029]/gu, (bad) => `\\u{${bad.codePointAt(0)?.toString(16)}}`);

interface Found {
  results: { path: string }[];
}

test("a folder whose name cannot be written on a line is no project", { skip }, async (t) => {
  const root = makeWorkspace(t, { "plain/x.md": "# Word\n" });
  writeFiles(root, Object.fromEntries(NAMES.map((name) => [`${name}/tasks/001-x.md`, "# Word\n"])));
  symlinkSync("plain", join(root, "link\nto"));
  const { client, call, fail, logged } = await serve(t, root);
  assert.match(client.getInstructions() ?? "", /\nProjects: plain\.$/);
  const { projects } = await call<{ projects: { name: string }[] }>("list_projects");
  assert.deepEqual(
    projects.map(({ name }) => name),
    ["plain"],
  );
  const { results } = await call<Found>("search", { query: "word" });
  assert.deepEqual(
    results.map(({ path }) => path),
    ["plain/x.md"],
  );
  for (const project of NAMES) {
    assert.equal((await fail("list_tasks", { project })).code, "PROJECT_NOT_FOUND");
    assert.equal((await fail("get_briefing", { project })).code, "PROJECT_NOT_FOUND");
  }
  const { completion } = await client.complete({
    ref: { type: "ref/prompt", name: "session_start" },
    argument: { name: "project", value: "" },
  });
  assert.deepEqual(completion.values, ["plain"]);
  const { resources } = await client.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri).filter((uri) => /%0A|%1B|%E2%80%A8/i.test(uri)),
    [],
  );
  for (const name of [...NAMES, "link\nto"]) {
    const lines = logged().filter((line) => line.includes(`${escaped(name)}: ${REASON}`));
    assert.equal(lines.length, 1, name);
  }
});

test("files and folders of such names are in no list, no answer and no vault", { skip }, async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-x.md": "# Word\n\nStatus: pending\n" });
  for (const name of NAMES)
    writeFiles(root, {
      [`p/tasks/${name}.md`]: "# Word\n",
      [`p/${name}/x.md`]: "# Word\n",
      [`p/${name}.txt`]: "x",
    });
  const { client, call, fail, logged } = await serve(t, root);
  const seen = [
    await call("search", { query: "word" }),
    await call("list_tasks", { project: "p" }),
    await call("list_projects", { project: "p" }),
    await call("get_briefing", { project: "p" }),
    await call("vault_ls", { path: "p" }),
    await call("vault_ls", { path: "p/tasks" }),
    await client.listResources(),
    await fail("read_doc", { project: "p", folder: "tasks", filename: "ab" }),
    await fail("read_doc", { project: "p", folder: "b", filename: "x" }),
  ];
  for (const answer of seen)
    assert.doesNotMatch(JSON.stringify(answer), /a(?:\\[nrt]|\\u00|[\x7f-\x9f\u2028\u2029])/);
  for (const name of NAMES) {
    const named = await fail("read_doc", { project: "p", folder: "tasks", filename: `${name}.md` });
    assert.equal(named.code, "INVALID_PATH");
    assert.equal(
      (await fail("vault_read", { path: `p/tasks/${name}.md`, range: { start_line: 1 } })).code,
      "invalid_path",
    );
  }
  // A file that would not be read anyway is not mentioned.
  assert.deepEqual(
    logged().filter((line) => line.includes(".txt")),
    [],
  );
});

test("a folder that is renamed while a server runs disappears and comes back", { skip }, async (t) => {
  const root = makeWorkspace(t, { "p/good.md": "# Word\n", "p/sub/other.md": "# Word\n" });
  const { call } = await serve(t, root);
  const paths = async () => {
    const { results } = await call<Found>("search", { query: "word" });
    return results.map(({ path }) => path).sort();
  };
  const move = (from: string, to: string) => renameSync(join(root, from), join(root, to));
  assert.deepEqual(await paths(), ["p/good.md", "p/sub/other.md"]);
  move("p/good.md", "p/go\nod.md");
  move("p/sub", "p/su\x1bb");
  assert.deepEqual(await paths(), []);
  move("p/go\nod.md", "p/good.md");
  move("p/su\x1bb", "p/sub");
  assert.deepEqual(await paths(), ["p/good.md", "p/sub/other.md"]);
});

test("doctor names them, says what to do, and finds nothing once they are renamed", { skip }, (t) => {
  const someone = person(t);
  writeFiles(someone.root, {
    "p/a.md": "# A\n",
    "p/x\n\nvibe-mcp: all is well.md": "x",
    "q\x1b[2J/a.md": "x",
    "p/Icon\r": "",
  });
  const found = someone.inPipe(["doctor"]);
  assert.equal(found.status, 1);
  for (const name of ["p/x\\u{a}\\u{a}vibe-mcp: all is well.md", "q\\u{1b}[2J"])
    assert.ok(found.stdout.includes(`${name}: ${REASON}.`), found.stdout);
  assert.match(found.stdout, /Rename it: /);
  assert.doesNotMatch(found.stdout, /(?!\n)\p{Cc}|Icon/u);
  const left = () => {
    const { stdout } = someone.inPipe(["doctor", "--json"]);
    const { findings } = JSON.parse(stdout) as { findings: { check: string }[] };
    return findings.filter(({ check }) => check === "left-out").length;
  };
  assert.equal(left(), 2);
  renameSync(join(someone.root, "p/x\n\nvibe-mcp: all is well.md"), join(someone.root, "p/x.md"));
  renameSync(join(someone.root, "q\x1b[2J"), join(someone.root, "q"));
  assert.equal(left(), 0);
});
