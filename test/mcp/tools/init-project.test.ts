import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { assertTells } from "../../fixtures/tells.ts";
import { connect, makeWorkspace, temporaryFolder } from "../../fixtures/workspace.ts";

const clock = { now: () => new Date(2025, 1, 9, 14, 30, 15) };

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

test("names that differ only in case create one project, even at the same time", async (t) => {
  const root = makeWorkspace(t, {});
  const { client } = await connect(t, root);
  const create = (project: string) => client.callTool({ name: "init_project", arguments: { project } });
  const answers = await Promise.all(["np", "NP", "Np", "np", "nP"].map(create));
  assert.equal(answers.filter(({ isError }) => isError !== true).length, 1);
  assert.equal(readdirSync(root).filter((name) => name.toLowerCase() === "np").length, 1);
});

test("a project cannot have the name of the index", async (t) => {
  const { fail } = await connect(t, makeWorkspace(t, {}));
  assert.equal((await fail("init_project", { project: "index.db" })).code, "INVALID_PATH");
});

test("an unknown project is refused with the tools that list and create projects", async (t) => {
  const root = makeWorkspace(t, { "pay/": "" });
  const { fail } = await connect(t, root);
  const project = "pya";
  for (const [tool, args] of Object.entries({
    create_task: { project, title: "x", objective: "x" },
    update_task_status: { project, task: "1", status: "done" },
    log_session: { project, content: "x" },
    create_doc: { project, folder: "", filename: "x", content: "x" },
    update_doc: { project, folder: "", filename: "x", content: "x" },
    create_plan: { project, content: "x" },
  })) {
    const { code, message, details } = await fail(tool, args);
    assert.equal(code, "PROJECT_NOT_FOUND", tool);
    assertTells(message, ["pay", "list_projects", "init_project"]);
    assert.deepEqual(details.suggestions, ["pay"], tool);
  }
  const empty = await connect(t, makeWorkspace(t, {}));
  const { message } = await empty.fail("log_session", { project, content: "x" });
  assertTells(message, ["init_project", "vibe-mcp init my-project"]);
});
