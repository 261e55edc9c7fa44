import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommandLine } from "../../src/cli/args.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { commandHelp, DAILY, overview, usage, usageOfOption } from "../../src/cli/help.ts";
import { LINES } from "../../src/cli/other-words.ts";

const parse = (...argv: string[]) => parseCommandLine(argv, COMMANDS);

test("words, options and settings come in any order, and a double hyphen ends the options", () => {
  const line = parse("--root", "notes", "search", "two", "--limit=3", "words", "--json", "--", "--more");
  assert.equal(line.command?.name, "search");
  assert.deepEqual(line.words, ["two", "words", "--more"]);
  assert.deepEqual(line.settings, { root: "notes" });
  assert.deepEqual([line.options.number("limit"), line.options.has("json")], [3, true]);
  assert.equal(line.options.number("offset"), undefined);
  assert.deepEqual(parse("log", "- a well-known line", "-5", "--json").words, ["- a well-known line", "-5"]);
  assert.deepEqual(parse("new", "x", "--step", "- a step", "--step=-b").options.texts("step"), [
    "- a step",
    "-b",
  ]);
  assert.equal(parse("search", "x", "--project=--odd").options.text("project"), "--odd");
});

test("--no- switches a setting off, but not an option of a command", () => {
  assert.deepEqual(parse("--no-read-only").settings, { readOnly: false });
  assert.throws(() => parse("search", "x", "--no-json"), { message: /^search has no option --no-json\./ });
});

test("help works before and after a command, which then needs no words", () => {
  for (const argv of [
    ["help", "search"],
    ["-h", "search"],
  ]) {
    const { command, help, words } = parse(...argv);
    assert.deepEqual([command?.name, help, words], ["search", true, []], argv.join(" "));
  }
  assert.deepEqual([parse("help").command, parse("help").help], [undefined, true]);
  assert.equal(parse("-V").version, true);
  for (const argv of [
    ["help", "settings"],
    ["settings", "-h"],
  ])
    assert.deepEqual([parse(...argv).command, parse(...argv).help], [undefined, "settings"], argv.join(" "));
});

test("help with --all is about every command", () => {
  for (const argv of [
    ["help", "--all"],
    ["--all", "-h"],
  ])
    assert.deepEqual([parse(...argv).command, parse(...argv).help], [undefined, "all"], argv.join(" "));
  assert.throws(() => parse("--all"), { message: /^the server has no option --all\./ });
  assert.equal(parse("tasks", "--all", "--help").help, true);
});

test("the first help names at most fourteen commands, all of which exist", () => {
  const names = DAILY.flatMap(([, list]) => list);
  assert.ok(names.length <= 14);
  const text = overview(COMMANDS, "1.0.0", false);
  for (const name of names) assert.match(text, new RegExp(`^  ${name} `, "m"));
  const all = overview(COMMANDS, "1.0.0", true);
  for (const { name, hidden } of COMMANDS) assert.equal(all.includes(`\n  ${name} `), hidden !== true, name);
});

test("a command by a habitual name is answered with the line that does it, with what was typed", () => {
  const lines: [string[], string][] = [
    [["done", "255"], "status 255 done"],
    [["Done", "255", "--project", "api"], "status 255 done --project api"],
    [["done"], "status <task> done"],
    [["complete", "3"], "status 3 done"],
    [["start", "#4"], 'status "#4" in-progress'],
    [["ls"], "tasks"],
    [["list", "api", "--ready"], "tasks api --ready"],
    [["add", "Add login", "--step", "one"], 'new "Add login" --step one'],
    [["rm", "api/plans/old.md", "--yes"], "delete api/plans/old.md --yes"],
    [["mv", "a.md"], "move a.md <place>"],
    [["grep", "rate", "limit"], "search rate limit"],
    [["next"], "tasks --ready"],
  ];
  for (const [argv, line] of lines)
    assert.throws(() => parse(...argv), {
      message: `there is no command '${argv.find((word) => !word.startsWith("-"))}'. Type: vibe-mcp ${line}`,
    });
});

test("no habitual name hides a command, and each line names one", () => {
  const names = COMMANDS.map(({ name }) => name);
  for (const [habits, line] of LINES) {
    assert.ok(names.includes(line.split(" ")[0] ?? ""), line);
    for (const habit of habits.split(" ")) assert.ok(!names.includes(habit), habit);
  }
});

test("a mistake is refused with a hint", () => {
  const cases: [string[], RegExp][] = [
    [
      ["search", "x", "--limt", "2"],
      /^search has no option --limt\. Did you mean --limit\? See: vibe-mcp search/,
    ],
    [["search", "x", "--qqqqqq"], /^search has no option --qqqqqq\. See: vibe-mcp search --help$/],
    [
      ["tasks", "--folder", "x"],
      /^tasks has no option --folder\. It belongs to search, projects, init\. See: /,
    ],
    [["--json"], /^the server has no option --json\. It belongs to search, projects, tasks, …\. See: /],
    [["show", "-x.md"], /^show has no option -x\.md\. Put words that .* last, after "--"\. See: /],
    [["--foo"], /^the server has no option --foo\. See: /],
    [["foo"], /^there is no command 'foo'\. See: vibe-mcp help --all$/],
    [["serch"], /^there is no command 'serch'\. Type: vibe-mcp search$/],
    [["serach", "tree sitter", "--limit", "2"], /Type: vibe-mcp search "tree sitter" --limit 2$/],
    [["--root", "a b", "taks", "p"], /Type: vibe-mcp --root "a b" tasks p$/],
    [["help", "setings"], /^there is no command 'setings'\. /],
    [["search", "x", "--port", "80"], /^--port works with serve only: vibe-mcp serve --port\./],
    [["search", "x", "--json=yes"], /^--json takes no value\./],
    [["search", "x", "--limit", "--json"], /^--limit needs a value: --limit <number>\./],
    [["search", "x", "--limit", "many"], /^--limit must be a whole number from 1 to \d+, not 'many'$/],
    [["brief", "--max-tokens", "1"], /^--max-tokens must be a whole number from \d+ .*, not '1'$/],
    [["tasks", "--status", "someday"], /^--status must be one of pending, .*, not 'someday'$/],
    [["status", "4", "doign"], /^'doign' is not one of .*\. Did you mean 'in-progress'\?$/],
    [["status", "4", "someday"], /^'someday' is not one of [a-z, -]*$/],
    [["completion", "tcsh"], /^'tcsh' is not one of bash, /],
    [["brief", "one", "two"], /^unexpected argument 'two': vibe-mcp brief \[project\]\. Put several/],
  ];
  for (const [argv, message] of cases) assert.throws(() => parse(...argv), { message }, argv.join(" "));
});

test("the help of a command names each word and option, and has a working example", () => {
  for (const command of COMMANDS) {
    const help = commandHelp(command);
    assert.ok(help.startsWith(`Usage: vibe-mcp ${usage(command)}`), command.name);
    for (const option of command.options)
      assert.ok(help.includes(`\n  ${usageOfOption(option)}  `), `${command.name} --${option.flag}`);
    assert.ok(help.includes(`\nExample: vibe-mcp ${command.example}\n`), command.name);
    assert.equal(parse(...(command.example.match(/"[^"]*"|\S+/g) ?? [])).command, command);
  }
  const help = (name: string) =>
    COMMANDS.filter((command) => command.name === name)
      .map(commandHelp)
      .join("");
  assert.match(help("new"), /^ {2}--step <\w+> … {2}/m);
  assert.match(help("search"), /^ {2}<words…> +Words to find\.$/m);
  assert.match(help("serve"), /^ {2}--port <\w+> +.*VIBE_PORT/m);
  assert.doesNotMatch(help("search"), /--port/);
});

test("connect takes the names that people give a client, and meets a misspelt one with the nearest", () => {
  for (const [typed, name] of [
    ["gemini-cli", "gemini"],
    ["OpenCode", "opencode"],
    ["codex-cli", "codex"],
  ] as const)
    assert.deepEqual(parseCommandLine(["connect", typed], COMMANDS).words, [name]);
  for (const [typed, name] of [
    ["codx", "codex"],
    ["curser", "cursor"],
  ] as const)
    assert.throws(
      () => parseCommandLine(["connect", typed], COMMANDS),
      new RegExp(`'${typed}' .* '${name}'\\?`),
    );
});

test("statuses and priorities are taken in the words of notes", () => {
  const { words } = parse("status", "4", "Hecho");
  assert.deepEqual(words, ["4", "done"]);
  assert.deepEqual(parse("priority", "4", "urgente").words, ["4", "high"]);
  assert.deepEqual(parse("priority", "4", "-").words, ["4", "-"]);
  const { options } = parse("new", "A", "--status", "to do", "--priority", "P1");
  assert.deepEqual([options.text("status"), options.text("priority")], ["pending", "high"]);
});

test("help names the values of an argument, says more than its name, and its overview has a column of 80", () => {
  for (const command of COMMANDS.filter(({ hidden }) => !hidden)) {
    const rows = [...command.words, ...command.options];
    for (const { help, values } of rows) {
      if (Array.isArray(values))
        for (const value of values) assert.ok(help.includes(value), `${command.name}: ${help}`);
      assert.ok(help.split(" ").length > 2 || /^a step|tag|goal/i.test(help), `${command.name}: ${help}`);
    }
  }
});
