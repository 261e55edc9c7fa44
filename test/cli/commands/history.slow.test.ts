import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { assertTells } from "../../fixtures/tells.ts";
import { person } from "../../fixtures/terminal.ts";
import { connect, writeFiles } from "../../fixtures/workspace.ts";

function writer(t: TestContext) {
  const someone = person(t);
  writeFiles(someone.root, { "p/tasks/001-t.md": "# T\n\nStatus: pending\n", "q/a.md": "x" });
  const run = (...args: string[]) => someone.inPipe(args);
  run("status", "1", "done", "--project", "p");
  run("log", "hello", "--project", "q");
  return { ...someone, run };
}

test("history lists the changes of commands, of a project or a document", (t) => {
  const { run } = writer(t);
  const [first = "", second = ""] = run("history").stdout.split("\n");
  assert.match(
    first,
    /^2025-02-10 09:00:00 {2}created {3}q\/sessions\/2025-02-10\.md {2}vibe-mcp log {2}[0-9a-f]{12}$/,
  );
  assert.match(second, /^2025-02-10 09:00:00 {2}replaced {2}p\/tasks\/001-t\.md .*vibe-mcp status/);
  const paths = (...args: string[]) =>
    (JSON.parse(run("history", "--json", ...args).stdout) as { versions: { path: string }[] }).versions.map(
      ({ path }) => path,
    );
  assert.deepEqual(paths("--project", "p"), ["p/tasks/001-t.md"]);
  assert.deepEqual(paths("tasks/001-t", "--project", "p"), ["p/tasks/001-t.md"]);
  assert.deepEqual(paths("q/sessions/2025-02-10.md"), ["q/sessions/2025-02-10.md"]);
  assert.match(run("history", "--limit", "1").stderr, /^1 more: --limit 2\n/);
  assertTells(run("history", "q/a.md").stderr, ["no history", "q/a.md"]);
  const { status, stderr } = run("history", "q/b.md");
  assert.equal(status, 1);
  assert.match(stderr, /'q\/b\.md' has no history\. Run `.* history`/);
});

test("history of an empty workspace says so", (t) => {
  assertTells(person(t).inPipe(["history"]).stderr, ["no history"]);
});

test("--purge removes the texts only when asked to, and a server that runs does not bring them back", async (t) => {
  const { run, root } = writer(t);
  const server = await connect(t, root);
  for (const text of ["zqhunter", "nothing"]) {
    writeFileSync(join(root, "p/a.md"), text);
    run("search", text);
    await server.call("search", { query: text });
  }
  const isIndexed = (word = "zqhunter") => readFileSync(join(root, "index.db")).includes(word);
  assert.ok(isIndexed());
  const refused = run("history", "--purge", "p/tasks/001-t.md");
  assert.equal(refused.status, 1);
  assertTells(refused.stdout, ["Nothing removed", "history --purge p/tasks/001-t.md --yes"]);
  const purged = run("history", "--purge", "p/tasks/001-t.md", "--yes");
  assertTells(purged.stdout, ["Removed", "1 change", "p/tasks/001-t.md"]);
  assert.ok(!isIndexed());
  await server.call("create_doc", { path: "p/b.md", content: "zqafterwards\n" });
  for (; !isIndexed("zqafterwards"); await sleep(50)) await server.call("search", { query: "zqafterwards" });
  assert.ok(!isIndexed());
  assert.doesNotMatch(run("history").stdout, /001-t/);
  assertTells(run("history", "--purge", "--yes").stdout, ["Removed", "change"]);
  assertTells(run("history").stderr, ["no history"]);
  assert.deepEqual(
    readdirSync(join(root, ".vibe-mcp/history/blobs"), { recursive: true }).filter(
      (name) => String(name).length > 3,
    ),
    [],
  );
  assert.match(run("history", "--purge", "--read-only").stderr, /read-only/);
});

test("after --purge of one path, a change of several files is not undone in part", (t) => {
  for (const purged of ["p/tasks/001-t.md", "p/plans/001-t.md"]) {
    const { run, root } = writer(t);
    run("move", "p/tasks/001-t.md", "plans/", "--yes");
    run("history", "--purge", purged, "--yes");
    run("undo", "--project", "p", "--yes");
    assert.equal(existsSync(join(root, "p/plans/001-t.md")), true);
    assert.equal(existsSync(join(root, "p/tasks/001-t.md")), false);
  }
});

test("the history of a moved document says under which path it goes on, and so does --purge", (t) => {
  const { run } = writer(t);
  run("move", "p/tasks/001-t.md", "plans/", "--yes");
  const { stdout, stderr } = run("history", "p/plans/001-t.md");
  assert.match(stdout, / moved {5}p\/plans\/001-t\.md /);
  assert.match(stderr, /^Before the move: .* history p\/tasks\/001-t\.md\n/);
  const purged = run("history", "--purge", "p/plans/001-t.md", "--yes");
  assert.match(purged.stderr, /^It was also p\/tasks\/001-t\.md: .* history --purge p\/tasks\/001-t\.md\n$/);
  assert.equal(run("history", "--purge", "p/tasks/001-t.md", "--yes").stderr, "");
});

test("--purge asks on a terminal", (t) => {
  const { onScreen, run } = writer(t);
  const { stdout } = onScreen(["history", "--purge"], { answer: ["[y/N]", "y\n"] });
  assertTells(stdout, ["2 changes", "cannot be undone"]);
  assertTells(run("history").stderr, ["no history"]);
});
