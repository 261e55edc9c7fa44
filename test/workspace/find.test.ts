import assert from "node:assert/strict";
import { readdirSync, truncateSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { test } from "node:test";
import { pathKey } from "../../src/core/lib/file-names.ts";
import { documentUri } from "../../src/core/notes/link/address.ts";
import { baseName, STANDARD_FOLDERS } from "../../src/core/notes/names.ts";
import { MAX_DOCUMENT_BYTES, scanWorkspace } from "../../src/core/storage/walk.ts";
import type { DoctorContext } from "../../src/core/workspace/doctor/finding.ts";
import { checkNames } from "../../src/core/workspace/doctor/names.ts";
import { findIfThere } from "../../src/core/workspace/find/document.ts";
import { someOf } from "../fixtures/num-runs.ts";
import {
  NOTE_PATH,
  noteSpellings,
  PROJECT,
  SPELLED_FILES,
  TASK_PATH,
  taskSpellings,
} from "../fixtures/spellings.ts";
import { type Connected, connect, makeWorkspace, writeFiles } from "../fixtures/workspace.ts";

const project = PROJECT.normalize("NFC").toLowerCase();

/** A tool by the name it takes a document in, and where it answers the path. */
type Door = (connected: Connected, name: string) => Promise<unknown>;

const path = async ({ call }: Connected, tool: string, args: Record<string, unknown>) =>
  (await call<{ path: string }>(tool, { project, ...args })).path;
const taskPath = async ({ call }: Connected, tool: string, args: Record<string, unknown>) =>
  (await call<{ task: { path: string } }>(tool, { project, ...args })).task.path;

/** What a new task that shall depend on another one says. */
async function dependenciesOf(call: Connected["call"], ...dependencies: string[]): Promise<string[]> {
  const asked = { project, title: "After", objective: "x", context: { dependencies } };
  const { task } = await call<{ task: { path: string } }>("create_task", asked);
  const { content } = await call<{ content: string }>("read_doc", { path: task.path });
  return /Dependencies: (.*)$/m.exec(content)?.[1]?.split(", ") ?? [];
}

const DOCUMENT_DOORS: Record<string, Door> = {
  "read_doc by path": (at, name) => path(at, "read_doc", { path: name }),
  "read_doc by filename": (at, name) => path(at, "read_doc", { filename: name }),
  update_doc: (at, name) => path(at, "update_doc", { path: name, frontmatter: { tags: ["a"] } }),
  delete_doc: async ({ fail }, name) =>
    (await fail("delete_doc", { project, path: name, expected_hash: "0".repeat(16) })).details["path"],
  move_doc: async ({ call }, name) =>
    (await call("move_doc", { project, path: name, to_folder: "plans", dry_run: true }))["previous_path"],
  history: async ({ call }, name) =>
    (await call<{ versions: { path: string }[] }>("history", { project, path: name })).versions[0]?.path,
  restore_doc: async ({ call }, name) => {
    await call("update_doc", { project, path: name, frontmatter: { owner: name } });
    const { versions } = await call<{ versions: { change: string }[] }>("history", { limit: 1 });
    const whole = pathKey(name).replaceAll("\\", "/");
    const isWhole = isAbsolute(name) || /^(?:vibe|file):/.test(name) || whole.includes(`${project}/`);
    const given = isWhole ? name : `${project}/${name}`;
    return (await call("restore_doc", { path: given, change: versions[0]?.change }))["path"];
  },
};

const TASK_DOORS: Record<string, Door> = {
  update_task: (at, name) => taskPath(at, "update_task", { task: name, done_steps: [1] }),
  update_task_status: (at, name) => taskPath(at, "update_task_status", { task: name, status: "in-progress" }),
  claim_task: (at, name) => taskPath(at, "claim_task", { task: name, agent: "ana" }),
  "read_doc by folder and filename": (at, name) => path(at, "read_doc", { folder: "TASKS/", filename: name }),
  "create_task's dependencies": async ({ call }, name) => {
    const [dependency = ""] = await dependenciesOf(call, name);
    return /^0*3$|^003-diseñar$/.test(dependency.normalize("NFC")) ? TASK_PATH : dependency;
  },
  archive_tasks: async ({ call }, name) => {
    await call("update_task_status", { project, task: "3", status: "done" });
    const { moved } = await call<{ moved: string[] }>("archive_tasks", {
      project,
      tasks: [name],
      dry_run: true,
    });
    return moved[0]?.replace("/Archive/", "/");
  },
};

for (const [what, spellings, expected, doors] of [
  ["document", noteSpellings, NOTE_PATH, DOCUMENT_DOORS],
  ["task", taskSpellings, TASK_PATH, { ...DOCUMENT_DOORS, ...TASK_DOORS }],
] as const)
  for (const [door, answer] of Object.entries(doors))
    test(`${door} finds a ${what} by every spelling of its name`, async (t) => {
      const root = makeWorkspace(t, SPELLED_FILES);
      const connected = await connect(t, root);
      // The history knows it from here on.
      const { call } = connected;
      await call("update_doc", { path: expected, frontmatter: { owner: "ana" } });
      for (const name of someOf(spellings(root)))
        assert.equal(await answer(connected, name), expected, `${door} ${name}`);
    });

test("a project is found as a path, an address, and with other marks between its words", async (t) => {
  const root = makeWorkspace(t, {
    "shop-api/status.md": "x\n",
    "a_b/status.md": "x\n",
    "a-b/status.md": "x\n",
  });
  const { call, fail } = await connect(t, root);
  for (const name of [
    "shop-api/",
    "/shop-api",
    "Shop API",
    "shop_api",
    join(root, "shop-api"),
    "vibe://projects/shop-api",
  ])
    assert.equal((await call("list_projects", { project: name }))["name"], "shop-api", name);
  assert.equal((await fail("list_projects", { project: "a b" })).code, "PROJECT_NOT_FOUND");
  assert.equal((await call("list_projects", { project: "a_b" }))["name"], "a_b");
});

test("a dependency on a task of another project is never one on the task that has its number here", async (t) => {
  const files = { ...SPELLED_FILES, "other/tasks/003-o.md": "# Task: O\n\nStatus: done\n" };
  const { call } = await connect(t, makeWorkspace(t, files));
  const names = ["other/3", "OTHER/Tasks/003-o.md", "vibe://projects/other/tasks/003-o.md", "other/tasks/#3"];
  for (const name of names) assert.deepEqual(await dependenciesOf(call, name), ["other/tasks/003-o"], name);
  assert.deepEqual(await dependenciesOf(call, "design/"), ["design"], "nothing is dropped");
});

test("resources and API v1 find a document by every spelling of its parts", async (t) => {
  const root = makeWorkspace(t, SPELLED_FILES);
  const { client } = await connect(t, root);
  const { client: v1 } = await connect(t, root, { api: "v1" });
  const parts = [TASK_PATH, TASK_PATH.normalize("NFC"), TASK_PATH.toLowerCase(), TASK_PATH.toUpperCase()];
  for (const name of [...parts, `${project}/tasks/3`]) {
    const { contents } = await client.readResource({ uri: documentUri(name) });
    assert.match((contents[0] as { text: string }).text, /"path":"[^"]*Tasks/, name);
    const [own, folder, filename] = name.split("/");
    const read = await v1.callTool({ name: "read_doc", arguments: { project: own, folder, filename } });
    assert.equal((read.structuredContent as { path: string }).path, TASK_PATH, name);
    const args = { project: own, task_file: `${folder}/${filename}`, new_status: "pending" };
    const set = await v1.callTool({ name: "tool_update_task_status", arguments: args });
    assert.equal((set.structuredContent as { path: string }).path, TASK_PATH, name);
  }
});

test("the vault finds files and folders in any letter case and composition, and writes them as they are spelled", async (t) => {
  const root = makeWorkspace(t, SPELLED_FILES);
  const { call } = await connect(t, root, { tools: "vault" });
  for (const name of [
    NOTE_PATH,
    NOTE_PATH.normalize("NFC"),
    NOTE_PATH.toUpperCase(),
    NOTE_PATH.toLowerCase(),
  ]) {
    for (const tool of ["vault_read", "vault_scan"])
      assert.match(
        String((await call(tool, { path: name, ...(tool === "vault_read" && { full: true }) }))["text"]),
        /walrus/,
      );
    const { written_path } = await call("vault_replace", { path: name, find: "walrus", replace: "walrus" });
    assert.equal(written_path, NOTE_PATH);
    const { base_path } = await call("vault_ls", { path: name.slice(0, name.lastIndexOf("/")) });
    assert.equal(`${base_path}/${baseName(NOTE_PATH)}`, NOTE_PATH);
  }
});

test("a plan is found by every spelling of its name", async (t) => {
  const plan = `${PROJECT}/Plans/Execution-Plan.MD`;
  const root = makeWorkspace(t, { ...SPELLED_FILES, [plan]: "# Plan\n\nquokka\n" });
  const { call } = await connect(t, root);
  const whole = [join(root, plan), documentUri(plan.toLowerCase()), plan.toUpperCase()];
  for (const filename of [
    "execution-plan",
    "EXECUTION-PLAN.md",
    "plans/execution-plan.md",
    "Plans/execution-plan",
    ...whole,
  ]) {
    assert.equal((await call("get_plan", { project, filename }))["path"], plan, filename);
    assert.equal(
      (await call("create_plan", { project, filename, content: filename }))["path"],
      plan,
      filename,
    );
  }
  assert.match(String((await call("get_plan", { project, filename: "other" }))["hint"]), /Execution-Plan/);
});

test("prompts and completion find a project, a folder and a task by every spelling", async (t) => {
  const root = makeWorkspace(t, SPELLED_FILES);
  const { client } = await connect(t, root);
  for (const focus of taskSpellings(root)) {
    const { messages } = await client.getPrompt({ name: "session_start", arguments: { project, focus } });
    assert.match(JSON.stringify(messages), /## Task Details\\n\\n### 003 - “Diseñar”/, focus);
  }
  const ref = { type: "ref/resource", uri: "vibe://projects/{name}/{folder}/{+file}" } as const;
  for (const folder of ["tasks", "Tasks", "TASKS"]) {
    const context = { arguments: { name: project, folder } };
    const { completion } = await client.complete({ ref, argument: { name: "file", value: "" }, context });
    assert.deepEqual(completion.values, [baseName(TASK_PATH)], folder);
  }
});

test("a picture is found in any letter case and composition", async (t) => {
  const path = `${PROJECT}/Assets/Café.PNG`.normalize("NFD");
  const root = makeWorkspace(t, { ...SPELLED_FILES, [path]: "no picture" });
  const { client } = await connect(t, root);
  for (const name of [path, path.normalize("NFC"), path.toLowerCase()]) {
    const { contents } = await client.readResource({ uri: documentUri(name) });
    assert.ok("blob" in (contents[0] ?? {}), name);
  }
});

for (const folder of [...STANDARD_FOLDERS, "archive"])
  test(`${folder}/ is found in capitals by readers, filters, writers and moves`, async (t) => {
    const [disk, name] = [folder.toUpperCase(), folder.slice(0, 1).toUpperCase() + folder.slice(1)];
    const root = makeWorkspace(t, { [`p/${disk}/001-a.md`]: "# walrus\n", "p/notes/b.md": "# B\n" });
    const { call } = await connect(t, root);
    for (const one of [folder, disk, name]) {
      assert.equal((await call("search", { query: "walrus", folder: one }))["total_matches"], 1, one);
      const { folders } = await call<{ folders: Record<string, unknown[]> }>("list_projects", {
        project: "p",
        folder: one,
      });
      assert.equal(folders[folder]?.length, 1, one);
      const read = await call("read_doc", { project: "p", folder: `${one}/`, filename: "001-a" });
      assert.deepEqual([read["folder"], read["path"]], [folder, `p/${disk}/001-a.md`], one);
    }
    if (folder !== "archive") {
      const { path } = await call("create_doc", { path: `p/${folder}/c.md`, content: "x" });
      assert.equal(path, `p/${disk}/c.md`);
    }
    assert.equal(
      (await call("move_doc", { path: "p/notes/b", to_folder: name }))["path"],
      `p/${disk}/${folder === "archive" ? "notes/" : ""}b.md`,
    );
    assert.deepEqual(readdirSync(join(root, "p")).sort(), [disk, "notes"].sort());
  });

test("standard folders count under any letter case, and new documents go where they are", async (t) => {
  const root = makeWorkspace(t, {
    ...SPELLED_FILES,
    [`${PROJECT}/Plans/Execution-Plan.md`]: "# Plan\n\nquokka\n",
  });
  const { call } = await connect(t, root);
  const { tasks } = await call<{ tasks: { path: string }[] }>("list_tasks", { project });
  assert.deepEqual(
    tasks.map((task) => task.path),
    [TASK_PATH],
  );
  const created = await call<{ task: { number: string; path: string } }>("create_task", {
    project,
    title: "New",
    objective: "o",
  });
  assert.deepEqual([created.task.number, created.task.path], ["008", `${PROJECT}/Tasks/008-new.md`]);
  assert.equal((await call("get_plan", { project }))["path"], `${PROJECT}/Plans/Execution-Plan.md`);
  assert.equal(
    (await call("create_doc", { project, folder: "références", filename: "b", content: "b" }))["path"],
    `${PROJECT}/${"Références".normalize("NFD")}/b.md`,
  );
  for (const folder of ["Tasks", "tasks", "TASKS"])
    assert.equal((await call("search", { query: "diseñar", folder }))["total_matches"], 1, folder);
  assert.equal((await call("search", { query: "old", folder: "archive" }))["total_matches"], 1);
  assert.equal((await call("search", { query: "old" }))["total_matches"], 0);
  await call("log_session", { project, content: "x" });
  await call("log_session", { project, content: "y" });
  const folders = readdirSync(join(root, PROJECT)).map((name) => name.normalize("NFC").toLowerCase());
  assert.equal(new Set(folders).size, folders.length);
});

test("an archived number is never given again, and archive and back keep the spelling of the folders", async (t) => {
  const root = makeWorkspace(t, SPELLED_FILES);
  const { call } = await connect(t, root);
  await call("update_task_status", { project, task: 3, status: "done" });
  await call("archive_tasks", { project, tasks: ["3"] });
  const archived = `${PROJECT}/Archive/Tasks/003-diseñar.md`.normalize("NFD");
  assert.equal(findIfThere(root, { project, path: "3" }), archived);
  assert.equal(
    (await call<{ task: { number: string } }>("create_task", { project, title: "New", objective: "o" })).task
      .number,
    "008",
  );
  await call("archive_tasks", { project, tasks: ["3"], restore: true });
  assert.equal(findIfThere(root, { project, path: "3" }), TASK_PATH);
});

test("a backslash in a folder or a filename is a slash, unless a file is called so", (t) => {
  const root = makeWorkspace(t, { "p/references/deep/b.md": "1", "p/notes/a/b.md": "2" });
  const found = (folder: string, filename: string) => findIfThere(root, { project: "p", folder, filename });
  for (const [folder, filename] of [
    ["references", "deep\\b.md"],
    ["references\\deep", "b"],
    ["references", "deep\\b.md#x"],
  ] as const)
    assert.equal(found(folder, filename), "p/references/deep/b.md", `${folder} ${filename}`);
  if (process.platform === "win32") return;
  writeFiles(root, { "p/notes/a\\b.md": "3" });
  assert.equal(found("notes", "a\\b.md"), "p/notes/a\\b.md");
});

test("review is asked for by a status.md of any letter case", async (t) => {
  const root = makeWorkspace(t, {
    ...SPELLED_FILES,
    [`${PROJECT}/STATUS.md`]: "---\nreview: required\n---\n# P\n",
  });
  const { call } = await connect(t, root);
  const { task } = await call<{ task: { new_status: string } }>("update_task_status", {
    project,
    task: "3",
    status: "done",
  });
  assert.equal(task.new_status, "review");
});

test("of several entries that are alike, each is found by its exact name, and none is guessed", async (t) => {
  const root = makeWorkspace(t, {
    "p/Ref/Flow.md": "1",
    "p/Ref/flow.md": "2",
    "p/ref/x.md": "3",
    "p/REF/x.md": "4",
    "Shop/a.md": "5",
    "shop/a.md": "6",
  });
  if (readdirSync(join(root, "p")).length < 3) return t.skip("this disk tells no letter case apart");
  const { call, fail } = await connect(t, root);
  for (const path of ["p/Ref/Flow.md", "p/Ref/flow.md", "p/ref/x.md", "p/REF/x.md", "Shop/a.md", "shop/a.md"])
    assert.equal((await call("read_doc", { path }))["path"], path);
  const twins = await fail("read_doc", { path: "p/ref/FLOW.md" });
  assert.deepEqual(twins.details.suggestions, ["p/Ref/Flow.md", "p/Ref/flow.md"]);
  assert.deepEqual((await fail("read_doc", { path: "p/rEF/x.md" })).details.suggestions, [
    "p/REF/x.md",
    "p/ref/x.md",
  ]);
  assert.deepEqual((await fail("list_tasks", { project: "SHOP" })).details.suggestions, ["Shop", "shop"]);
  const folders = await fail("create_doc", { project: "p", folder: "rEf", filename: "y", content: "y" });
  assert.equal(folders.code, "INVALID_FOLDER");
  assert.deepEqual(folders.details.suggestions, ["REF", "Ref", "ref"]);
  assert.equal(
    (await call("create_doc", { project: "p", folder: "REF", filename: "y", content: "y" }))["path"],
    "p/REF/y.md",
  );
});

test("doctor names entries that are alike, and standard folders that are spelled otherwise", (t) => {
  const composed = ["p/refs/café.md", "p/refs/café.md".normalize("NFD")];
  const root = makeWorkspace(t, {
    "p/Tasks/001-a.md": "x",
    "p/Ref/a.md": "x",
    "p/ref/b.md": "x",
    "Q/a.md": "x",
  });
  writeFiles(root, { "q/a.md": "x", "p/refs/x.md": "x", "p/refs/X.md": "x" });
  for (const path of composed) writeFiles(root, { [path]: "x" });
  if (readdirSync(root).length < 3) return t.skip("this disk tells no letter case apart");
  const context = { config: { root }, scan: scanWorkspace(root) } as DoctorContext;
  const messages = checkNames(context).map(({ message }) => message);
  const alike = [["Q", "q"], ["p/Ref", "p/ref"], ["p/refs/X.md", "p/refs/x.md"], [...composed].reverse()];
  for (const names of alike)
    assert.ok(
      messages.some((message) => message.startsWith(`${names.join(", ")} differ`)),
      names.join(),
    );
  assert.match(messages.at(-1) ?? "", /^p\/Tasks: read and written like/);
  assert.equal(messages.length, alike.length + 1);
});

test("tasks in two folders that are alike are counted together", async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n" });
  writeFiles(root, { "p/TASKS/002-b.md": "# Task: B\n\nStatus: pending\n" });
  const { call } = await connect(t, root);
  assert.equal((await call("list_tasks", { project: "p" }))["total"], 2);
  const { task } = await call<{ task: { path: string } }>("update_task_status", {
    project: "p",
    task: "2",
    status: "in-progress",
  });
  assert.match(task.path, /\/002-b\.md$/);
  assert.equal(
    (await call<{ task: { number: string } }>("create_task", { project: "p", title: "C", objective: "o" }))
      .task.number,
    "003",
  );
});

test("a task that search leaves out, since it is too large, keeps its number", async (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": "# Task: A\n\nStatus: pending\n",
    "p/tasks/002-b.md": "",
  });
  truncateSync(join(root, "p/tasks/002-b.md"), MAX_DOCUMENT_BYTES + 1);
  assert.equal(findIfThere(root, { project: "p", path: "2" }), "p/tasks/002-b.md");
  const { call } = await connect(t, root);
  const { task } = await call<{ task: { number: string } }>("create_task", {
    project: "p",
    title: "C",
    objective: "o",
  });
  assert.equal(task.number, "003");
});
