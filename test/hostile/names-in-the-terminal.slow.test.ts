import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { noTerminal, type Person, person } from "../fixtures/terminal.ts";
import { writeFiles } from "../fixtures/workspace.ts";

const skip = (ON_WINDOWS && "Windows has no such names") || noTerminal();
const ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b2J\x1b[31m";
/** Reverses text, hides letters, ends a line. */
const ODD = "odd\u202E\u2066\u200B\u{E0041}";
const TITLE = `Title ${ESCAPES}\u202E\u2028end`;
/** What a terminal obeys, except tabs and line ends. */
const OBEYED = /(?![\n\t])\p{Cc}|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/u;
/** What the program itself writes without colours: line ends, the end of its progress bar, and the place of a question. */
const OWN = /\r+(?=\n)|\r\p{Cc}\[K|\p{Cc}\[(?:\d+G|0J)/gu;
/** `init` asks before it writes. */
const PLAIN = { env: { NO_COLOR: "1" }, answer: ["[Y/n]", "n\r"] } as const;

function hostile(someone: Person): void {
  const facts = `---\nstatus: "x${ESCAPES}\u202E"\nowner: "o${ESCAPES}"\ntags: ["t\u202E"]\n---\n`;
  writeFiles(someone.root, {
    [`${ODD}/tasks/001-${ODD}.md`]: `# ${TITLE}\n\nStatus: pending\nDependencies: d${ESCAPES}\u202E\n\nneedle ${ESCAPES}\u202E\n`,
    [`${ODD}/tasks/002-b.md`]: `${facts}# ${TITLE}\n\nneedle\n`,
    [`${ODD}/tasks/002-c.md`]: "# C\n",
    [`${ODD}/${ODD}/notes.md`]: `# ${TITLE}\n\nneedle\n`,
    [`${ODD}/status.md`]: `---\nbroken: [1\n---\n# ${TITLE}\n\n${ESCAPES}\n`,
    "plain/a.md": "# A\n",
  });
}

const COMMANDS: readonly (readonly string[])[] = [
  ["projects"],
  ["projects", ODD],
  ["projects", "--json"],
  ["tasks", ODD],
  ["search", "needle"],
  ["show", `${ODD}/tasks/001-${ODD}.md`],
  ["show", `${ODD}/none.md`],
  ["brief", ODD],
  ["new", `Two ${ESCAPES}`, "--project", ODD],
  ["status", "1", "done", "--project", ODD],
  ["log", "x", "--project", ODD],
  ["init", ODD],
  ["doctor"],
  ["tasks", `${ODD}x`],
];

test("no name, title or text controls the terminal, whatever the command", { skip }, (t) => {
  const someone = person(t);
  hostile(someone);
  const names = new RegExp(ODD);
  for (const args of someOf(COMMANDS)) {
    const { stdout, stderr } = someone.onTerminal(args, PLAIN);
    const shown = (stdout + stderr).replaceAll(OWN, "");
    assert.doesNotMatch(shown, OBEYED, args.join(" "));
    assert.doesNotMatch(shown, names, args.join(" "));
    assert.notEqual(shown, "", args.join(" "));
  }
});

test("a piped document keeps every byte", { skip }, (t) => {
  const someone = person(t);
  const text = `# A\r\n\t${ESCAPES}\u202E\u2028\u{E0041}\n`;
  writeFiles(someone.root, { "p/a.md": text });
  assert.equal(someone.inPipe(["show", "p/a.md"]).stdout, text);
  const { stdout } = someone.onTerminal(["show", "p/a.md"]);
  assert.ok(stdout.includes("\t\\u{1b}]0;owned\\u{7}"), stdout);
});

test("escaped JSON is read back unchanged", { skip }, (t) => {
  const someone = person(t);
  hostile(someone);
  const { stdout } = someone.onTerminal(["projects", "--json"], { env: { VIBE_LOG_LEVEL: "silent" } });
  const { projects } = JSON.parse(stdout) as { projects: { name: string }[] };
  assert.deepEqual(projects.map(({ name }) => name).sort(), [ODD, "plain"]);
});

test("a command to type next names what it means, as bash reads it", { skip }, (t) => {
  const someone = person(t);
  const project = `it's ${ODD} $(touch owned) \\u{41} \``;
  writeFiles(someone.root, { [`${project}/a.md`]: "# A\n" });
  const { stdout } = someone.onTerminal(["new", "Two", "--project", project]);
  const [, word = ""] = /--project (\$'.*')/.exec(stdout) ?? [];
  const env = { ...process.env, LC_ALL: "C.UTF-8" };
  const read = execFileSync("bash", ["-c", `printf %s ${word}`], {
    cwd: join(someone.root),
    env,
    encoding: "utf8",
  });
  assert.equal(read, project);
});

test("a repository that names an unusual project does not control the terminal", { skip }, (t) => {
  const someone = person(t);
  writeFiles(someone.root, { "plain/a.md": "# A\n" });
  writeFiles(someone.cwd, { "AGENTS.md": `vibe: x${ESCAPES}\u202E\n` });
  for (const args of [["init", "plain", "--link"], ["brief"], ["tasks"], ["init"]]) {
    const { stdout, stderr } = someone.onTerminal(args, PLAIN);
    assert.doesNotMatch((stdout + stderr).replaceAll(OWN, ""), OBEYED, args.join(" "));
    assert.notEqual(stdout + stderr, "", args.join(" "));
    writeFiles(someone.cwd, { "AGENTS.md": `vibe: x${ESCAPES}\u202E\n` });
  }
});

test("log lines on stderr do not control the terminal", { skip }, (t) => {
  const someone = person(t);
  hostile(someone);
  writeFiles(someone.root, { "plain/x\x1b[2J.md": "x" });
  for (const format of ["text", "json"]) {
    const env = { VIBE_LOG_LEVEL: "debug", VIBE_LOG_FORMAT: format };
    const { stderr } = someone.inPipe(["reindex", "--full"], { env });
    assert.match(stderr, /u\{?0*1b/);
    assert.doesNotMatch(stderr, OBEYED);
    assert.doesNotMatch(stderr, new RegExp(ODD));
  }
});
