import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { connect, makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const clock = { now: () => new Date(2025, 1, 9, 14, 30, 15) };

test("create_doc writes the content byte for byte, and never over what exists", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call, fail } = await connect(t, root);
  const content = "\uFEFF# A\r\n\r\nno newline at the end \u0000 🙂";
  const answer = await call("create_doc", { project: "P", folder: "references", filename: "a", content });
  const { hash, ...rest } = answer as { hash: string };
  assert.match(hash, /^[0-9a-f]{64}$/);
  const path = "p/references/a.md";
  assert.deepEqual(rest, { success: true, path, absolute_path: join(root, path), indexed: true });
  assert.equal(readFileSync(join(root, path), "utf8"), content);
  for (const filename of ["a.md", "A.MD", "a"]) {
    const error = await fail("create_doc", { project: "p", folder: "references", filename, content: "x" });
    assert.equal(error.code, "FILE_EXISTS");
    assert.match(error.message, /update_doc/);
  }
  assert.equal(readFileSync(join(root, path), "utf8"), content);
});

test("create_doc puts frontmatter before the content, or into its own", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root);
  const base = { project: "p", folder: "", frontmatter: { tags: ["mcp", "protocol"] } };
  await call("create_doc", { ...base, filename: "one.md", content: "# One\n" });
  assert.equal(readFileSync(join(root, "p/one.md"), "utf8"), "---\ntags: [mcp, protocol]\n---\n# One\n");
  await call("create_doc", { ...base, filename: "two.md", content: "---\nowner: me\n---\n# Two\n" });
  assert.equal(
    readFileSync(join(root, "p/two.md"), "utf8"),
    "---\nowner: me\ntags: [mcp, protocol]\n---\n# Two\n",
  );
});

test("a name of 255 bytes can be created, and a longer one is no failure of the disk", async (t) => {
  const { call, fail } = await connect(t, makeWorkspace(t, { "p/": "" }));
  const name = { project: "p", folder: "scratch", filename: "a".repeat(252) };
  assert.equal((await call("create_doc", { ...name, content: "x" }))["indexed"], true);
  assert.equal((await call("read_doc", name))["content"], "x");
  for (const filename of ["a".repeat(253), "あ".repeat(90)]) {
    const { code, message } = await fail("read_doc", { ...name, filename });
    assert.equal(code, process.platform === "win32" ? "FILE_NOT_FOUND" : "INVALID_PATH");
    assert.match(message, process.platform === "win32" ? /list_projects/ : /255 bytes/);
  }
});

test("create_doc says what has the name, when that is no document", {
  skip: process.platform === "win32",
}, async (t) => {
  const root = makeWorkspace(t, { "p/folder.md/": "" });
  symlinkSync(join(root, "p", "nowhere"), join(root, "p", "link.md"));
  symlinkSync("loop.md", join(root, "p", "loop.md"));
  execFileSync("mkfifo", [join(root, "p", "pipe.md")]);
  const { fail } = await connect(t, root);
  for (const [filename, kind] of [
    ["link", /a broken link/],
    ["loop", /a broken link/],
    ["folder", /a folder/],
    ["pipe", /not a regular file/],
  ] as const) {
    const { code, message } = await fail("create_doc", { project: "p", folder: "", filename, content: "x" });
    assert.equal(code, "FILE_EXISTS");
    assert.match(message, kind);
    assert.doesNotMatch(message, /update_doc/);
  }
});

test("a task without a title and a session without a word are refused, with what to do", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { fail } = await connect(t, root);
  const title = await fail("create_task", { project: "p", title: " ", objective: "x" });
  assert.deepEqual([title.code, title.details], ["INVALID_ARGUMENT", { argument: "title" }]);
  assert.match(title.message, /Say in a few words/);
  const content = await fail("log_session", { project: "p", content: "\n" });
  assert.deepEqual([content.code, content.details], ["INVALID_ARGUMENT", { argument: "content" }]);
  assert.deepEqual(readdirSync(join(root, "p")), []);
});

test("UTF-16 is found and read, and never rewritten", async (t) => {
  const text = "\uFEFF# Tasmanian\n\nThe thylacine, フクロオオカミ.\n\nStatus: pending\n";
  const little = Buffer.from(text, "utf16le");
  const files = { "p/tasks/001-le.md": little, "p/tasks/002-be.md": Buffer.from(little).swap16() };
  const root = makeWorkspace(t, files);
  const { call, fail } = await connect(t, root);
  for (const query of ["thylacine", "オオカミ"])
    assert.equal((await call("search", { query }))["total_matches"], 2);
  for (const [path, bytes] of Object.entries(files)) {
    const filename = path.slice("p/tasks/".length);
    assert.equal((await call("read_doc", { project: "p", folder: "tasks", filename }))["content"], text);
    const { code, message } = await fail("update_task_status", {
      project: "p",
      task: filename,
      status: "done",
    });
    assert.equal(code, "CONFLICT");
    assert.match(message, /UTF-8/);
    assert.deepEqual(readFileSync(join(root, path)), bytes);
  }
});

test("new documents go to standard folders, existing folders and the project's own, and nowhere else", async (t) => {
  const outside = temporaryFolder(t);
  const root = makeWorkspace(t, { "p/notes/x.md": "x", "p/file.md": "x" });
  symlinkSync(outside, join(root, "p", "out"));
  const { call, fail } = await connect(t, root);
  const make = (folder: string, filename: string) => ({ project: "p", folder, filename, content: "x" });
  for (const [folder, filename] of [
    ["notes", "y.md"],
    ["plans", "y.md"],
    ["", "y.md"],
    ["assets", "deep/er/y.md"],
  ] as const) {
    const { path } = await call<{ path: string }>("create_doc", make(folder, filename));
    assert.ok(existsSync(join(root, path)));
  }
  const refused = [
    ["task", "a.md", "INVALID_FOLDER"],
    ["..", "a.md", "INVALID_FOLDER"],
    [".git", "a.md", "INVALID_FOLDER"],
    ["out", "a.md", "INVALID_FOLDER"],
    ["assets/deep", "a.md", "INVALID_FOLDER"],
    ["", "out/a.md", "INVALID_PATH"],
    ["notes", "../../a.md", "INVALID_PATH"],
    ["notes", ".hidden.md", "INVALID_PATH"],
    ["notes", "con.md", "INVALID_PATH"],
    ["notes", "10:30.md", "INVALID_PATH"],
    ["notes", "a\\b.md", "INVALID_PATH"],
    ["notes", "a\u0000b", "INVALID_PATH"],
    ["notes", "", "INVALID_PATH"],
    ["notes", "/etc/x.md", "INVALID_PATH"],
    ["notes", "trailing. ", "INVALID_PATH"],
    ["notes", "what?.md", "INVALID_PATH"],
    ["notes", "a".repeat(253), "INVALID_PATH"],
    ["", "file.md/x.md", "INVALID_PATH"],
  ] as const;
  for (const [folder, filename, code] of refused) {
    const error = await fail("create_doc", make(folder, filename));
    assert.equal(error.code, code, `${folder} ${filename}`);
    assert.ok(!JSON.stringify(error).includes(root));
  }
  assert.deepEqual(readdirSync(outside), []);
});

test("update_task_status changes one line, by number or name, and frontmatter where it says it too", async (t) => {
  const text =
    "---\nstatus: pending # now\n---\n# Task: A\n\n```\nStatus: fake\n```\n\nStatus: pending\n\nStatus: pending\n";
  const root = makeWorkspace(t, { "p/tasks/004-a.md": text, "p/tasks/005-b.md": "# Task: B\n\nText.\n" });
  const { call } = await connect(t, root);
  const answer = await call("update_task_status", { project: "p", task: "4", status: "in-progress" });
  assert.deepEqual(answer, {
    success: true,
    task: {
      filename: "004-a.md",
      path: "p/tasks/004-a.md",
      previous_status: "pending",
      new_status: "in-progress",
    },
    indexed: true,
  });
  const expected = text
    .replace("status: pending # now", "status: in-progress # now")
    .replace("\n\nStatus: pending", "\n\nStatus: in-progress");
  assert.equal(readFileSync(join(root, "p/tasks/004-a.md"), "utf8"), expected);
  await call("update_task_status", { project: "p", task: "005-b", status: "done" });
  assert.equal(readFileSync(join(root, "p/tasks/005-b.md"), "utf8"), "# Task: B\n\nStatus: done\n\nText.\n");
});

test("a task that is not there, or a number of two files, is explained", async (t) => {
  const root = makeWorkspace(t, { "p/tasks/004-a.md": "x", "p/tasks/04-b.md": "x", "p/tasks/007-c.md": "x" });
  const { fail } = await connect(t, root);
  const twice = await fail("update_task_status", { project: "p", task: "4", status: "done" });
  assert.match(twice.message, /004-a\.md, 04-b\.md/);
  const missing = await fail("update_task_status", { project: "p", task: "007-d", status: "done" });
  assert.deepEqual([missing.code, missing.details.suggestions], ["FILE_NOT_FOUND", ["007-c.md"]]);
  assert.equal(
    (await fail("update_task_status", { project: "p", task: "7", status: "finished" })).code,
    "INVALID_STATUS",
  );
});

test("create_plan creates, then updates and keeps the frontmatter", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call, fail } = await connect(t, root);
  const first = await call<{ hash: string }>("create_plan", {
    project: "p",
    content: "---\nowner: me\n---\n# Plan\n",
  });
  assert.deepEqual(
    { ...first, hash: "" },
    { success: true, path: "p/plans/execution-plan.md", action: "created", indexed: true, hash: "" },
  );
  const second = await call<{ action: string }>("create_plan", {
    project: "p",
    content: "# Plan 2\n",
    expected_hash: first.hash,
  });
  assert.equal(second.action, "updated");
  assert.equal(
    readFileSync(join(root, "p/plans/execution-plan.md"), "utf8"),
    "---\nowner: me\n---\n# Plan 2\n",
  );
  const late = { project: "p", content: "# Plan 3\n", expected_hash: first.hash };
  assert.equal((await fail("create_plan", late)).code, "CONFLICT");
  assert.equal((await fail("create_plan", { ...late, filename: "other" })).code, "CONFLICT");
  assert.equal(
    (await fail("create_plan", { project: "p", content: "x", filename: "../x" })).code,
    "INVALID_PATH",
  );
});

test("log_session writes the formats of the reference, and always adds to a note that exists", async (t) => {
  const root = makeWorkspace(t, { "p/": "" });
  const { call } = await connect(t, root, { clock });
  const answer = await call("log_session", { project: "p", content: "Earlier content..." });
  assert.deepEqual(answer, {
    success: true,
    session: { filename: "2025-02-09.md", path: "p/sessions/2025-02-09.md", action: "created" },
    indexed: true,
  });
  const file = join(root, "p/sessions/2025-02-09.md");
  assert.equal(readFileSync(file, "utf8"), "# Session Log - 2025-02-09\n\nEarlier content...\n");
  for (const append of [true, false]) {
    const { session } = await call<{ session: { action: string } }>("log_session", {
      project: "p",
      content: "New content appended here...",
      append,
    });
    assert.equal(session.action, "appended");
  }
  const entry = "\n---\n**14:30:15**\n\nNew content appended here...\n";
  assert.equal(
    readFileSync(file, "utf8"),
    `# Session Log - 2025-02-09\n\nEarlier content...\n${entry}${entry}`,
  );
  const { session } = await call<{ session: { filename: string } }>("log_session", {
    project: "p",
    content: "x",
    suffix: "Debugging Auth!",
  });
  assert.equal(session.filename, "2025-02-09-debugging-auth.md");
});

test("init_project creates the folders and a status, once", async (t) => {
  const root = join(temporaryFolder(t), "not", "yet");
  const { call, fail } = await connect(t, root, { clock });
  const folders = ["tasks", "plans", "sessions", "reports", "changelog", "references", "scratch", "assets"];
  assert.deepEqual(await call("init_project", { project: "Neu-Projekt" }), {
    success: true,
    path: "Neu-Projekt",
    indexed: true,
    project: "Neu-Projekt",
    absolute_path: join(root, "Neu-Projekt"),
    folders,
  });
  assert.deepEqual(readdirSync(join(root, "Neu-Projekt")).sort(), [...folders, "status.md"].sort());
  for (const project of ["Neu-Projekt", "neu-projekt"]) {
    assert.equal((await fail("init_project", { project })).code, "PROJECT_EXISTS");
  }
  for (const project of ["", ".git", "..", "a/b", "nul", "a:b", " x ", "\0"]) {
    assert.equal((await fail("init_project", { project })).code, "INVALID_PATH", project);
  }
});

test("two names that differ only in case are one project, however many ask at once", async (t) => {
  const root = makeWorkspace(t, {});
  const { client } = await connect(t, root);
  const create = (project: string) => client.callTool({ name: "init_project", arguments: { project } });
  const answers = await Promise.all(["np", "NP", "Np", "np", "nP"].map(create));
  assert.equal(answers.filter(({ isError }) => isError !== true).length, 1);
  assert.equal(readdirSync(root).filter((name) => name.toLowerCase() === "np").length, 1);
});

test("a project cannot take the place of the index", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, {}));
  assert.equal((await fail("init_project", { project: "index.db" })).code, "INVALID_PATH");
});

test("links among the tasks are walked once, and a task is one task", async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" });
  for (const name of ["a", "b", "c", "d", "e", "f"]) symlinkSync(".", join(root, "p", "tasks", name));
  const { call } = await connect(t, root);
  await call("update_task_status", { project: "p", task: "001", status: "done" });
  const { task } = await call<{ task: { number: string } }>("create_task", {
    project: "p",
    title: "B",
    objective: "x",
  });
  assert.equal(task.number, "002");
});

test("several dependencies in one text all count", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": "Status: done",
    "p/tasks/002-b.md": "Status: pending",
  });
  const { call } = await connect(t, root);
  const context = { dependencies: ["001, 002"] };
  await call("create_task", { project: "p", title: "C", objective: "x", context });
  const { tasks } = await call<{ tasks: { open_dependencies: string[] }[] }>("list_tasks", { project: "p" });
  assert.deepEqual(tasks[2]?.open_dependencies, ["002"]);
});

test("what somebody writes without a lock in the middle of an update is not lost", async (t) => {
  const root = makeWorkspace(t, { "p/references/a.md": "start\n" });
  const { client } = await connect(t, root);
  const file = join(root, "p/references/a.md");
  const name = { project: "p", folder: "references", filename: "a.md" };
  let conflicts = 0;
  for (let round = 0; round < 40; round++) {
    const update = client.callTool({
      name: "update_doc",
      arguments: { ...name, mode: "append", content: `ours ${round}` },
    });
    appendFileSync(file, `theirs ${round}\n`);
    if ((await update).isError === true) conflicts++;
  }
  const text = readFileSync(file, "utf8");
  assert.equal(text.match(/^theirs \d+$/gm)?.length, 40);
  assert.equal(text.match(/^ours \d+$/gm)?.length, 40 - conflicts);
});
