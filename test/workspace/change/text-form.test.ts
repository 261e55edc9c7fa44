import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace } from "../../fixtures/workspace.ts";

const TASK = "# Task: Größe\n\nStatus: pending\n\n## Steps\n1. [ ] eins\n";
const utf16 = Buffer.from(TASK, "utf16le");
const mark = (bytes: Buffer, ...marks: number[]) => Buffer.concat([Buffer.from(marks), bytes]);

const FORMS: [name: string, bytes: Buffer][] = [
  ["UTF-16 LE", mark(utf16, 0xff, 0xfe)],
  ["UTF-16 BE", mark(Buffer.from(utf16).swap16(), 0xfe, 0xff)],
  ["UTF-16 without a mark", utf16],
  ["plain UTF-16 without a mark", Buffer.from(TASK.replace("ö", "o").replace("ß", "s"), "utf16le")],
  ["Latin-1", Buffer.from(TASK, "latin1")],
  ["Shift-JIS", Buffer.concat([Buffer.from(`${TASK}\n`, "ascii"), Buffer.from([0x83, 0x5e, 0x83, 0x58])])],
  ["CR alone", Buffer.from(TASK.replaceAll("\n", "\r"))],
  ["NUL bytes alone", Buffer.alloc(100)],
  ["no byte", Buffer.alloc(0)],
  ["a byte order mark alone", Buffer.from("\uFEFF")],
];

const EDITS: [tool: string, args: object][] = [
  ["update_task_status", { project: "p", task: "1", status: "blocked" }],
  ["update_task", { project: "p", task: "1", priority: "high" }],
  ["update_task", { project: "p", task: "1", dependencies: ["2"] }],
  ["update_task", { project: "p", task: "1", title: "New" }],
  ["claim_task", { project: "p", task: "1", agent: "a" }],
  ["update_doc", { path: "p/tasks/001-a.md", frontmatter: { x: 1 } }],
  ["update_doc", { path: "p/references/a.md", mode: "append", content: "more" }],
  ["log_session", { project: "p", content: "more" }],
];

interface Listed {
  tasks: { ready: boolean; problem?: string }[];
  left_out?: object[];
}

for (const [form, bytes] of FORMS) {
  const isEmpty = bytes.length < 4;
  test(`a file of ${form} is neither changed nor handed out, and one sentence says why`, async (t) => {
    const day = new Date().toISOString().slice(0, 10);
    const paths = ["p/tasks/001-a.md", "p/references/a.md", `p/sessions/${day}.md`];
    const root = makeWorkspace(t, { ...Object.fromEntries(paths.map((path) => [path, bytes])) });
    const { call, client } = await connect(t, root);
    // An empty file may get a text.
    const edits = EDITS.filter(
      ([tool, args]) => !isEmpty || (tool !== "log_session" && !/mode|title/.test(JSON.stringify(args))),
    );
    for (const [tool, args] of edits) {
      const answer = await client.callTool({ name: tool, arguments: { ...args } });
      const said = JSON.stringify(answer);
      assert.match(said, /UTF-8|CR alone|NUL bytes|is empty|empty, or not/, `${tool}: ${said}`);
      for (const path of paths) assert.deepEqual(readFileSync(join(root, path)), bytes, tool);
    }
    const { tasks, left_out = [] } = await call<Listed>("list_tasks", { project: "p" });
    assert.equal(tasks.length + left_out.length, 1);
    for (const { ready, problem } of tasks) assert.match(`${ready} ${problem}`, /^false .*UTF-8/);
    assert.equal((await call<{ task: unknown }>("claim_task", { project: "p", agent: "a" })).task, null);
    for (const path of paths) assert.deepEqual(readFileSync(join(root, path)), bytes);
  });
}

test("files in capitals, with a byte order mark, single NULs or CRLF are edited as they stand", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-A.MD": TASK,
    "p/tasks/002-b.md": `\uFEFF${TASK}`,
    "p/tasks/003-c.md": TASK.replace("eins", "e\0ns"),
    "p/tasks/004-d.md": TASK.replaceAll("\n", "\r\n"),
  });
  const { call } = await connect(t, root);
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  for (const [number, name] of ["001-A.MD", "002-b.md", "003-c.md", "004-d.md"].entries()) {
    const before = read(`p/tasks/${name}`);
    await call("update_task_status", { project: "p", task: String(number + 1), status: "blocked" });
    assert.equal(read(`p/tasks/${name}`), before.replace("pending", "blocked"));
  }
});
