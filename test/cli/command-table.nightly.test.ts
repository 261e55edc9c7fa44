import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { matchSnapshot } from "../fixtures/snapshot.ts";
import { person, type Typed } from "../fixtures/terminal.ts";
import { writeVibeMcp } from "../fixtures/vibe-mcp-project.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

type Line = readonly [line: string, code?: number, typed?: Typed];

/** What people type, with one snapshot and one workspace per list. */
const TYPED: Record<string, readonly Line[]> = {
  search: [
    ["search deployment"],
    ["search deploymint --limit 1"],
    ["search deployment --json"],
    ["search xylophone", 1],
  ],
  projects: [["projects"], ["projects vibemcp --folder tasks"], ["projects --names"], ["projects --json"]],
  tasks: [
    ["tasks vibeMCP"],
    ["tasks vibeMCP --limit 1", 0, { columns: 60 }],
    ["tasks vibeMCP", 0, { columns: 50 }],
    ["tasks --ready"],
    ["tasks vibeMCP --status blocked --json"],
  ],
  show: [
    ["show vibeMCP/changelog/v0.1.0.md"],
    ["show 8 --project vibemcp"],
    ["show vibeMCP/status.md --section Decisions"],
    ["show sessions/2025-02-06 --project vibeMCP --json"],
  ],
  new: [
    ["new Añadir login --project vibeMCP"],
    ["show 9 --project vibeMCP"],
    [
      "new Two --project vibeMCP --objective Why --step a --step b --tag X --criterion c --after 009 " +
        "--file src/a.ts --status blocked --notes n --json",
    ],
    ["show 10 --project vibeMCP"],
  ],
  status: [["status 5 in-progress --project vibeMCP"], ["status #5 done --project vibeMCP --json"]],
  log: [
    ['log "- Rotated the keys" --project vibeMCP'],
    ["log Again --project vibeMCP --json"],
    ["show sessions/2025-02-10 --project vibeMCP"],
  ],
  brief: [["brief vibeMCP --max-tokens 900"], ["brief vibeMCP --focus 008 --max-tokens 500 --json"]],
  init: [['init "new one" --json'], ["projects"]],
  reindex: [["reindex"], ["reindex vibeMCP --full --json"]],
};

function transcript(t: TestContext, name: string, mode: "inPipe" | "onScreen"): string {
  const someone = person(t, `${temporaryFolder(t)}/vibe`);
  writeVibeMcp(someone.root);
  const parts = (TYPED[name] ?? []).map(([line, code = 0, typed]) => {
    const args = [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, inner]) => inner ?? word);
    const { status, stdout, stderr } = someone[mode](args, typed);
    assert.equal(status, code, `${line}: ${stderr}${stdout}`);
    const width = typed?.columns === undefined || mode === "inPipe" ? "" : `  (${typed.columns} columns)`;
    return `$ vibe-mcp ${args.join(" ")}${width}\n${someone.normal(stdout + stderr)}`;
  });
  return `${parts.join("\n")}\n`;
}

for (const name of Object.keys(TYPED)) {
  test(`${name} prints the reviewed text to a pipe`, (t) => {
    matchSnapshot(`cli/${name}.pipe.txt`, transcript(t, name, "inPipe"));
  });
  test(`${name} prints the reviewed text on a terminal`, (t) => {
    matchSnapshot(`cli/${name}.terminal.txt`, transcript(t, name, "onScreen"));
  });
}

const COMMANDS_WITH_PROJECT: readonly (readonly string[])[] = [
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

test("a wrong project, no project and no workspace lead to suggestions", (t) => {
  const someone = person(t);
  const lines = (title: string, list: readonly (readonly string[])[]) => {
    const said = list.map((args) => {
      const { status, stdout, stderr } = someone.inPipe(args);
      return `$ vibe-mcp ${args.join(" ")}\n${someone.normal(stdout + stderr)}(${status})\n`;
    });
    return `# ${title}\n\n${said.join("\n")}`;
  };
  const bare = COMMANDS_WITH_PROJECT.map((args) => args.filter((word) => word !== "--project"));
  const unnamed = (text: string) => text.replaceAll(/vibe-test-\w+/g, "FOLDER");
  const missing = unnamed(lines("No workspace", [...bare, ["doctor"]]));
  writeVibeMcp(someone.root);
  const wrong = lines("A wrong name", [
    ...COMMANDS_WITH_PROJECT.map((args) => [...args, "vibeMPC"]),
    ["show", "99", "--project", "vibeMCP"],
    ["show", "vibeMCP/tasks/004-definir"],
    ["status", "99", "done", "--project", "vibeMCP"],
    ["projects", "vibeMCP", "--folder", "tsks"],
    ["init", "../x"],
  ]);
  const none = unnamed(lines("No project", bare));
  matchSnapshot("cli/errors.txt", [missing, wrong, none].join("\n"));
});
