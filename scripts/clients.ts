import { type SpawnSyncReturns, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { countTokens } from "../src/core/lib/text.ts";
import { type Body, type Call, type Model, ourTools, startModel } from "./clients/model.ts";
import { PROGRAMS, type Program } from "./clients/programs.ts";
import { PROGRAM, say, withFolder } from "./shared.ts";

/**
 * Installs the plugin in real clients, each with an empty home folder and a model that follows a script, and prints what their first
 * requests hold of it, in tokens. Programs that are not in PATH come from npm; those that cannot be had within two minutes are
 * named. `--only codex` runs one.
 */
const PROJECT = "payments-api";
const CALLS: readonly Call[] = [
  ["search", { query: "Why do we retry webhooks?" }],
  ["claim_task", { project: PROJECT, agent: "scripted" }],
  ["log_session", { project: PROJECT, content: "## Done\n- The script ran.\n" }],
];
const MOST_MS = 120_000;
/** For all programs together. */
const FETCH_MS = 120_000;
/** Codex may send its first request before the server is there. */
const ATTEMPTS = 4;
const CAPTURE_MS = 20_000;

interface Stage {
  program: Program;
  home: string;
  project: string;
  env: Record<string, string>;
  model: Model;
}

async function main(): Promise<number> {
  const at = process.argv.indexOf("--only");
  const wanted = at === -1 ? undefined : process.argv[at + 1];
  const chosen = PROGRAMS.filter(({ client }) => wanted === undefined || client === wanted);
  return withFolder("clients", async (folder) => {
    const rows: string[] = [];
    const fetchedBy = Date.now() + FETCH_MS;
    let failed = 0;
    const programs = join(folder, "programs");
    const bins = new Map(chosen.map((program) => [program, commandFolder(program, programs, fetchedBy)]));
    for (const program of chosen) {
      const bin = bins.get(program);
      if (bin === undefined) {
        console.error(`${program.client}: ${program.package} cannot be had: not run`);
        continue;
      }
      const home = join(folder, program.client);
      // Once the first call is answered, what happens is news.
      const model = await startModel(CALLS, (tool) => tool === "claim_task" && meet(home));
      const problems = await problemsOf(program, { bin, home, model });
      for (const problem of problems) console.error(`${program.client}: ${problem}`);
      failed += problems.length;
      const [first] = model.requests.filter((body) => ourTools(body).length > 0);
      if (first !== undefined) rows.push(row(program, first));
      model.close();
    }
    const head = ["| client | tools | instructions | skill | briefing |", "|---|---:|---:|---:|---:|"];
    say([...head, ...rows, ""].join("\n"));
    return failed === 0 ? 0 : 1;
  });
}

/** Where the command is: in PATH, or freshly installed by then; undefined if it cannot be had. */
function commandFolder({ command, package: name }: Program, prefix: string, by: number): string | undefined {
  const path = (process.env["PATH"] ?? "").split(delimiter);
  const present = path.find((folder) => existsSync(join(folder, command)));
  if (present !== undefined) return present;
  mkdirSync(prefix, { recursive: true });
  const timeout = by - Date.now();
  if (timeout <= 0) return undefined;
  spawnSync("npm", ["install", "--prefix", prefix, name], { stdio: "ignore", timeout });
  const bin = join(prefix, "node_modules", ".bin");
  return existsSync(join(bin, command)) ? bin : undefined;
}

async function problemsOf(
  program: Program,
  { bin, home, model }: { bin: string; home: string; model: Model },
): Promise<string[]> {
  const project = join(home, "code", PROJECT);
  mkdirSync(join(project, ".git"), { recursive: true });
  const path = [bin, process.env["PATH"] ?? ""].join(delimiter);
  const stage: Stage = { program, home, project, model, env: { PATH: path, HOME: home, TERM: "dumb" } };
  ours(stage, ["demo", join(home, ".vibe")]);
  ours(stage, ["init", "--link"]);
  share(home);
  const problems = install(stage);
  ours(stage, ["capture", "--on"]);
  Object.assign(stage.env, program.prepare(home, model.url));
  for (let attempt = 0; attempt < ATTEMPTS && !isDone(stage); attempt++) {
    model.clear();
    await talk(stage);
  }
  // The hook does not let the program wait for it.
  const end = Date.now() + CAPTURE_MS;
  while (program.captures && !isCaptured(stage) && Date.now() < end) await setTimeout(100);
  return [...problems, ...missing(stage), ...remove(stage)];
}

/** The notes are synced, with another machine too. */
function share(home: string): void {
  const remote = join(home, "notes.git");
  spawnSync("git", ["init", "-q", "--bare", remote]);
  for (const machine of [home, otherMachine(home)]) onMachine(machine, ["sync", "--setup", remote]);
}

/** Both machines use one number for a task, and the other is faster. */
function meet(home: string): void {
  for (const machine of [otherMachine(home), home]) {
    const tasks = join(machine, ".vibe", PROJECT, "tasks");
    const name = machine === home ? "ours" : "theirs";
    writeFileSync(join(tasks, `${100 + readdirSync(tasks).length}-${name}.md`), `# Task: It is ${name}\n`);
    onMachine(machine, ["sync"]);
  }
}

function otherMachine(home: string): string {
  return join(home, "other");
}

function onMachine(home: string, args: string[]): void {
  mkdirSync(home, { recursive: true });
  spawnSync(process.execPath, [PROGRAM, ...args], { env: { ...process.env, HOME: home }, cwd: home });
}

function ours({ env, project }: Stage, args: string[]): SpawnSyncReturns<string> {
  return spawnSync(process.execPath, [PROGRAM, ...args], { env, cwd: project, encoding: "utf8" });
}

function theirs({ program, env, project }: Stage, args: string[]): SpawnSyncReturns<string> {
  const options = { env, cwd: project, timeout: MOST_MS, encoding: "utf8" } as const;
  if (!program.asks) return spawnSync(program.command, args, options);
  // It hands its questions on to a copy of itself, which finds no more than what is still being written.
  return spawnSync("sh", ["-c", `yes | "$0" "$@"`, program.command, ...args], options);
}

/** Writes the plugin and installs it; a second time changes nothing. */
function install(stage: Stage): string[] {
  const { program, home } = stage;
  if (program.isOnlyServer) return connect(stage);
  const folder = join(home, "vibe-plugin");
  const write = () => JSON.parse(ours(stage, ["plugin", program.client, folder, "--json"]).stdout);
  const { next } = write() as { next: string[] };
  const problems: string[] = [];
  const lines = [
    ...(program.validate ? [program.validate(folder)] : []),
    ...next.map((line) => line.split(" ").slice(1)),
  ];
  for (const line of lines) {
    const { status, stdout, stderr } = theirs(stage, line);
    if (status !== 0) problems.push(`${program.command} ${line.join(" ")} failed: ${stdout}${stderr}`);
  }
  if ((write() as { written: number }).written !== 0) problems.push("writing the plugin again changed it");
  return problems;
}

/** The same for the server alone. */
function connect(stage: Stage): string[] {
  const add = ["connect", stage.program.client, "--yes", "--json"];
  const [first, second] = [1, 2].map(() => JSON.parse(ours(stage, add).stdout) as { written: boolean });
  return first?.written && !second?.written ? [] : ["connecting again changed the settings"];
}

/** Not in step with this process: the model must answer meanwhile. */
async function talk({ program, env, project }: Stage): Promise<void> {
  const options = { env, cwd: project, stdio: "ignore", timeout: MOST_MS } as const;
  const child = spawn(program.command, program.talk, options);
  await new Promise<void>((done) => child.once("close", () => done()).once("error", () => done()));
}

function isDone(stage: Stage): boolean {
  return notesOf(stage).some((note) => note.includes("The script ran."));
}

function isCaptured(stage: Stage): boolean {
  return notesOf(stage).some((note) => note.includes("<!-- vibe-mcp capture "));
}

function notesOf({ home }: Stage): string[] {
  const sessions = join(home, ".vibe", PROJECT, "sessions");
  return readdirSync(sessions).map((name) => readFileSync(join(sessions, name), "utf8"));
}

function* missing(stage: Stage): Generator<string> {
  const [first] = stage.model.requests.filter((body) => ourTools(body).length > 0);
  if (first === undefined) return yield "no request had the tools";
  // opencode shows no instructions of servers.
  const fromPlugin = /skill|briefing|instructions/;
  for (const [what, text] of Object.entries(partsOf(first)))
    if (text === "" && !(stage.program.isOnlyServer && fromPlugin.test(what)))
      yield `the first request has no ${what}`;
  const all = JSON.stringify(stage.model.requests);
  if (!all.includes("The tasks, plans, decisions and session notes of this project"))
    yield "no request has the block of init";
  if (!all.includes("a signed >>>webhook<<< that is >>>retried<<< for 24 hours"))
    yield "search answered no passage";
  if (!all.includes("Another machine used that name or number first")) yield "the news did not arrive";
  const tasks = join(stage.home, ".vibe", PROJECT, "tasks");
  const isClaimed = readdirSync(tasks).some((name) =>
    readFileSync(join(tasks, name), "utf8").includes("owner: scripted"),
  );
  if (!isClaimed) yield "no task is claimed";
  if (!isDone(stage)) yield "no session is logged";
  if (stage.program.captures && !isCaptured(stage)) yield "no session is captured";
}

function remove(stage: Stage): string[] {
  const { program, home } = stage;
  for (const line of program.remove ?? []) theirs(stage, line);
  if (program.isOnlyServer) ours(stage, ["connect", program.client, "--remove", "--yes"]);
  const file = join(home, program.settings);
  // Copilot CLI keeps it as switched off.
  const left = existsSync(file) && /"vibe"|vibe@vibe-mcp(?!": false)/.test(readFileSync(file, "utf8"));
  return left ? [`${program.settings} still names the plugin`] : [];
}

/** What a request holds of the plugin, as text. */
function partsOf(body: Body): Record<"tools" | "instructions" | "skill" | "briefing", string> {
  const texts: string[] = [];
  collect(body, texts);
  const find = (pattern: RegExp) => texts.map((text) => pattern.exec(text)?.[0]).find(Boolean) ?? "";
  return {
    tools: JSON.stringify(ourTools(body)),
    // Copilot CLI shows their beginning.
    instructions: find(/Project context in Markdown: (?:[\s\S]*?\nProjects: .*|.*?\.{3})/),
    skill: find(/.*Project memory in Markdown: .*/),
    briefing: find(/# Session Start: [\s\S]*?what blocks, what comes next\./),
  };
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (value !== null && typeof value === "object")
    for (const part of Object.values(value)) collect(part, texts);
}

function row({ client }: Program, body: Body): string {
  const { tools, instructions, skill, briefing } = partsOf(body);
  const tokens = [tools, instructions, skill, briefing].map((text) => Math.round(countTokens(text)));
  return `| ${client} | ${tokens.join(" | ")} |`;
}

process.exitCode = await main();
