import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { matchSnapshot } from "../fixtures/snapshot.ts";
import { noTerminal, person, type Typed } from "../fixtures/terminal.ts";
import { writeVibeMcp } from "../fixtures/vibe-mcp-project.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

type Line = readonly [args: readonly string[], code?: number, typed?: Typed];

/** What people type, one list a snapshot; each list has a workspace of its own. */
const TYPED: Record<string, readonly Line[]> = {
  search: [
    [["search", "deployment"]],
    [["search", "deploymint", "--limit", "1"]],
    [["search", "deployment", "--json"]],
    [["search", "xylophone"], 1],
  ],
  projects: [
    [["projects"]],
    [["projects", "vibemcp", "--folder", "tasks"]],
    [["projects", "--names"]],
    [["projects", "--json"]],
  ],
  tasks: [
    [["tasks", "vibeMCP"]],
    [["tasks", "vibeMCP", "--limit", "1"], 0, { columns: 60 }],
    [["tasks", "vibeMCP"], 0, { columns: 50 }],
    [["tasks", "--ready"]],
    [["tasks", "vibeMCP", "--status", "blocked", "--json"]],
  ],
  show: [
    [["show", "vibeMCP/changelog/v0.1.0.md"]],
    [["show", "8", "--project", "vibemcp"]],
    [["show", "vibeMCP/status.md", "--section", "Decisions"]],
    [["show", "sessions/2025-02-06", "--project", "vibeMCP", "--json"]],
  ],
  new: [
    [["new", "Añadir", "login", "--project", "vibeMCP"]],
    [["show", "9", "--project", "vibeMCP"]],
    [
      [
        ...[
          "new",
          "Two",
          "--project",
          "vibeMCP",
          "--objective",
          "Why",
          "--step",
          "a",
          "--step",
          "b",
          "--tag",
          "X",
        ],
        ...[
          "--criterion",
          "c",
          "--after",
          "009",
          "--file",
          "src/a.ts",
          "--status",
          "blocked",
          "--notes",
          "n",
          "--json",
        ],
      ],
    ],
    [["show", "10", "--project", "vibeMCP"]],
  ],
  status: [
    [["status", "5", "in-progress", "--project", "vibeMCP"]],
    [["status", "#5", "done", "--project", "vibeMCP", "--json"]],
  ],
  log: [
    [["log", "- Rotated the keys", "--project", "vibeMCP"]],
    [["log", "Again", "--project", "vibeMCP", "--json"]],
    [["show", "sessions/2025-02-10", "--project", "vibeMCP"]],
  ],
  brief: [
    [["brief", "vibeMCP", "--max-tokens", "900"]],
    [["brief", "vibeMCP", "--focus", "008", "--max-tokens", "500", "--json"]],
  ],
  init: [[["init", "new one", "--json"]], [["projects"]]],
  reindex: [[["reindex"]], [["reindex", "vibeMCP", "--full", "--json"]]],
};

function transcript(t: TestContext, name: string, mode: "inPipe" | "onTerminal"): string {
  const someone = person(t, `${temporaryFolder(t)}/vibe`);
  writeVibeMcp(someone.root);
  const parts = (TYPED[name] ?? []).map(([args, code = 0, typed]) => {
    const { status, stdout, stderr } = someone[mode](args, typed);
    assert.equal(status, code, `${args.join(" ")}: ${stderr}${stdout}`);
    const width = typed?.columns === undefined || mode === "inPipe" ? "" : `  (${typed.columns} columns)`;
    return `$ vibe-mcp ${args.join(" ")}${width}\n${someone.normal(stdout + stderr)}`;
  });
  return `${parts.join("\n")}\n`;
}

for (const name of Object.keys(TYPED)) {
  test(`${name} prints into a pipe what was reviewed`, (t) => {
    matchSnapshot(`cli/${name}.pipe.txt`, transcript(t, name, "inPipe"));
  });
  test(`${name} prints on a terminal what was reviewed`, { skip: noTerminal() }, (t) => {
    matchSnapshot(`cli/${name}.terminal.txt`, transcript(t, name, "onTerminal"));
  });
}

test("NO_COLOR and a terminal without colours get none", { skip: noTerminal() }, (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  assert.ok(someone.onTerminal(["tasks"]).stdout.includes("\x1b["));
  for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
    const { stdout } = someone.onTerminal(["tasks"], { env: env as Record<string, string> });
    assert.ok(!stdout.includes("\x1b["));
  }
});

test("control characters of a note reach no terminal", { skip: noTerminal() }, (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  const evil = "x \x1b]0;owned\x07 \x9b2J y";
  assert.equal(someone.inPipe(["log", evil, "--project", "vibeMCP"]).status, 0);
  for (const args of [
    ["show", "vibeMCP/sessions/2025-02-10.md"],
    ["search", "owned"],
    ["brief", "vibeMCP"],
  ]) {
    const { stdout } = someone.onTerminal(args);
    assert.match(stdout, /owned/);
    for (const bad of ["\x1b]", "\x07", "\x9b"]) assert.ok(!stdout.includes(bad), args.join(" "));
  }
  const { stdout } = someone.inPipe(["show", "vibeMCP/sessions/2025-02-10.md"]);
  assert.ok(stdout.includes(evil));
});

const EVERY: readonly (readonly string[])[] = [
  ["search", "x", "--project"],
  ["projects"],
  ["tasks"],
  ["show", "1", "--project"],
  ["new", "x", "--project"],
  ["status", "1", "done", "--project"],
  ["log", "x", "--project"],
  ["brief"],
  ["reindex"],
];

test("a wrong project, no project and no workspace each say what to type next", (t) => {
  const someone = person(t);
  const lines = (title: string, list: readonly (readonly string[])[]) => {
    const said = list.map((args) => {
      const { status, stdout, stderr } = someone.inPipe(args);
      return `$ vibe-mcp ${args.join(" ")}\n${someone.normal(stdout + stderr)}(${status})\n`;
    });
    return `# ${title}\n\n${said.join("\n")}`;
  };
  const bare = [...EVERY.map((args) => args.filter((word) => word !== "--project")), ["init"]];
  const unnamed = (text: string) => text.replaceAll(/vibe-test-\w+/g, "FOLDER");
  const missing = unnamed(lines("No workspace", [...bare, ["doctor"]]));
  writeVibeMcp(someone.root);
  const wrong = lines("A wrong name", [
    ...EVERY.map((args) => [...args, "vibeMPC"]),
    ["show", "99", "--project", "vibeMCP"],
    ["show", "vibeMCP/tasks/004-definir"],
    ["status", "99", "done", "--project", "vibeMCP"],
    ["projects", "vibeMCP", "--folder", "tsks"],
    ["init", "vibemcp"],
    ["init", "../x"],
  ]);
  const none = unnamed(lines("No project", bare));
  matchSnapshot("cli/errors.txt", [missing, wrong, none].join("\n"));
});

test("a failure in JSON is the envelope of the tools, with the line for people on stderr", (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  const { status, stdout, stderr } = someone.inPipe(["brief", "vibeMPC", "--json"]);
  assert.equal(status, 1);
  const { success, error } = JSON.parse(stdout) as { success: boolean; error: Record<string, unknown> };
  assert.equal(success, false);
  assert.equal(error["code"], "PROJECT_NOT_FOUND");
  assert.deepEqual((error["details"] as { suggestions: string[] }).suggestions, ["vibeMCP"]);
  assert.match(stderr, /^vibe-mcp: .*Did you mean: vibeMCP\?/);
});

test("what was typed wrong is told to a script that asked for JSON as well", (t) => {
  const { status, stdout, stderr } = person(t).inPipe(["status", "1", "soon", "--json"]);
  assert.equal(status, 2);
  const { success, error } = JSON.parse(stdout) as { success: boolean; error: Record<string, unknown> };
  assert.deepEqual([success, error["code"]], [false, "INVALID_ARGUMENT"]);
  assert.match(stderr, /^vibe-mcp: "soon" is not one of pending, /);
});

test("a folder's name does not turn what stands beside it", { skip: ON_WINDOWS }, (t) => {
  const someone = person(t);
  const odd = "odd\u202E";
  writeFiles(someone.root, { [`${odd}/tasks/001-x\u2066.md`]: "# One\n\nStatus: pending\n" });
  for (const args of [
    ["tasks", "nobody"],
    ["new", "Two", "--project", odd],
    ["log", "Done.", "--project", odd],
    ["status", "1", "done", "--project", odd],
    ["show", "9", "--project", odd],
  ]) {
    const { stdout, stderr } = someone.inPipe(args);
    assert.match(stdout + stderr, /odd\\(?:u\{|U0000)202e/, args.join(" "));
    assert.doesNotMatch(stdout + stderr, /[\u202E\u2066]/, args.join(" "));
  }
  assert.equal(someone.inPipe(["projects", "--names"]).stdout, `${odd}\n`);
});

test("a read-only person reads, and is told why nothing is written", (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  const env = { VIBE_READ_ONLY: "1" };
  assert.equal(someone.inPipe(["tasks"], { env }).status, 0);
  const { status, stderr } = someone.inPipe(["new", "x", "--project", "vibeMCP"], { env });
  assert.equal(status, 1);
  assert.match(stderr, /read-only here: leave out --read-only, or unset VIBE_READ_ONLY/);
});

test("on a terminal a hyphen is no note", { skip: noTerminal() }, (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  const { status, stdout } = someone.onTerminal(["log", "-", "--project", "vibeMCP"]);
  assert.equal(status, 2);
  assert.match(stdout, /log needs text, as words or from a pipe/);
});

test("a note is read from a pipe, and a reader that stops early is no error", (t) => {
  const someone = person(t);
  writeVibeMcp(someone.root);
  for (const args of [["log"], ["log", "-"]]) {
    const { status, stderr } = someone.inPipe([...args, "--project", "vibeMCP"], {
      input: `piped ${args.length}\n`,
    });
    assert.equal(status, 0, stderr);
  }
  const { stdout } = someone.inPipe(["show", "vibeMCP/sessions/2025-02-10.md"]);
  assert.match(stdout, /piped 1\n[\s\S]*piped 2\n/);
});
