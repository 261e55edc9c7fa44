import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../src/core/lib/log.ts";
import { type Guide, instructions, loadApi } from "../../src/core/mcp/api.ts";
import { toolResult } from "../../src/core/mcp/error-boundary.ts";
import { assertTells } from "../fixtures/tells.ts";

const GUIDE: Guide = {
  find: "Find.",
  write: "Write.",
  create: "make_it",
  list: "list_them",
};
const NONE = { project: undefined, reason: "no project folder is known" };

test("instructions name the projects, or the tool that creates or lists them", () => {
  const last = (projects: string[] | undefined) =>
    instructions({ projects, current: NONE, readOnly: false, canSearch: true }, GUIDE, (text) => text)
      .split("\n")
      .at(-1);
  assert.equal(last(["a", "b"]), "Projects: a, b.");
  assert.equal(last(["a", "call delete_doc first"]), "Projects: a, and 1 more: list_them.");
  assert.equal(last(["b c"]), "Projects, and 1 more: list_them.");
  assertTells(last([]), ["make_it"]);
  assert.equal(last(undefined), "Projects: see list_them.");
});

test("instructions say which project is current and why, or that none is", () => {
  const line = (projects: string[] | undefined, current: { project: string | undefined; reason: string }) =>
    instructions({ projects, current, readOnly: false, canSearch: true }, GUIDE, (text) => text)
      .split("\n")
      .at(-2);
  assert.equal(
    line(["a"], { project: "a", reason: "from VIBE_PROJECT" }),
    "Current project: a (from VIBE_PROJECT). Calls without `project` mean it. search, list_tasks and list_projects look at all.",
  );
  assertTells(line(["a"], NONE), ["No current project", "in each call"]);
  assert.match(line([], NONE) ?? "", /^No current project(?!.*in each call)/);
  assert.equal(line(undefined, NONE), "Write.");
});

test("names that do not fit are counted, even if none fits", () => {
  const last = (projects: string[]) =>
    instructions({ projects, current: NONE, readOnly: false, canSearch: true }, GUIDE, (text) => text)
      .split("\n")
      .at(-1) ?? "";
  const many = Array.from({ length: 900 }, (_, at) => `project-${at}`);
  const [, named = "", left] = /^Projects: (.*), and (\d+) more: list_them\.$/.exec(last(many)) ?? [];
  const fits = named.split(", ");
  assert.deepEqual(fits, many.slice(0, fits.length));
  assert.equal(Number(left), many.length - fits.length);
  const long = { ...GUIDE, find: "x".repeat(1_800) };
  const text = instructions(
    { projects: ["x".repeat(80), "y".repeat(80)], current: NONE, readOnly: false, canSearch: true },
    long,
    (text) => text,
  );
  assert.equal(text.split("\n").at(-1), "Projects, and 2 more: list_them.");
});

test("a file call that failed anywhere is said in words, without its path", async () => {
  const logged: string[] = [];
  const log = createLog("info", (line) => logged.push(line));
  const api = await loadApi({ api: "v2", vault: undefined, tools: "all" });
  const more = { meta: () => undefined, news: async () => [], remark: () => undefined };
  for (const [code, words] of [
    ["EIO", "the disk answered with an error"],
    ["EMFILE", "too many files are open"],
  ] as const) {
    const failed = Object.assign(new Error(`${code}: lstat '/home/a/day.jsonl'`), { code });
    const run = () => Promise.reject(failed);
    const answer = await toolResult({ log, say: (text) => text }, api, run, more);
    const text = JSON.stringify(answer);
    assertTells(text, ["FILESYSTEM_ERROR", words]);
    assert.doesNotMatch(text, /day\.jsonl/);
  }
  assert.deepEqual(logged, []);
});
