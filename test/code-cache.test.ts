import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { handshake, placeBuilt, startBuilt } from "./support/built.ts";
import { temporaryFolder } from "./support/workspace.ts";

// As long as each other, which is all that V8 itself looks at: what runs tells whose code was taken.
const [ONE, TWO] = ["(() => 'one')()", "(() => 'two')()"];

/** Starts one program after another, in one folder for caches. */
function machine(t: TestContext) {
  const home = temporaryFolder(t);
  const folder = join(home, "vibe-mcp");
  const program = join(home, "program.cjs");
  const run = (source: string, { state = "1", env = {}, flags = [] as string[] } = {}) => {
    const args = [...flags, "--import", "tsx", "test/support/code-cache.ts", program, state, source];
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: home, XDG_CACHE_HOME: home, LOCALAPPDATA: home, ...env },
    });
    assert.equal(status, 0, stderr);
    return stdout.trim();
  };
  const files = () => (existsSync(folder) ? readdirSync(folder) : []);
  const only = () => {
    assert.equal(files().length, 1);
    return join(folder, files()[0] ?? "");
  };
  return { home, folder, run, files, only };
}

const skip =
  (process.platform !== "linux" && "the folder for caches is another") ||
  (process.env["NODE_V8_COVERAGE"] !== undefined && "nothing is kept while coverage is measured");

test("what one process compiled and unpacked is taken by the next", { skip }, (t) => {
  const { run, only } = machine(t);
  assert.equal(run(ONE), `one ${ONE}`);
  assert.equal(run(TWO), `one ${ONE}`);
  assert.equal(statSync(only()).mode & 0o777, 0o600);
});

test("what was made of another state of the program is made again, and kept instead", { skip }, (t) => {
  const { run, only } = machine(t);
  run(ONE);
  assert.equal(run(TWO, { state: "2" }), `two ${TWO}`);
  assert.equal(run(ONE, { state: "2" }), `two ${TWO}`);
  only();
});

test("code that was made under other flags of V8 is kept beside", { skip }, (t) => {
  const { run, files } = machine(t);
  const flags = ["--no-opt"];
  run(ONE);
  assert.equal(run(TWO, { flags }), `two ${TWO}`);
  assert.equal(run(ONE, { flags }), `two ${TWO}`);
  assert.equal(run(TWO), `one ${ONE}`);
  assert.equal(files().length, 2);
});

test("damaged code is never run: it is made again", { skip }, (t) => {
  const { run, only } = machine(t);
  run(ONE);
  const file = only();
  const whole = readFileSync(file);
  const start = whole.indexOf("\n") + 1;
  const answers: string[] = [];
  for (let at = start + 32; at < whole.length; at += 200) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    writeFileSync(file, damaged);
    answers.push(run(TWO));
  }
  assert.ok(answers.length > 2);
  assert.deepEqual(new Set(answers), new Set([`two ${ONE}`]));
});

for (const [name, text] of [
  ["empty", ""],
  ["no line", "x".repeat(100)],
  ["another head", '{"key":1,"parts":null}\n'],
  ["cut", undefined],
] as const) {
  test(`a file of kept code that is ${name} is replaced`, { skip }, (t) => {
    const { run, only } = machine(t);
    run(ONE);
    const file = only();
    writeFileSync(file, text ?? readFileSync(file).subarray(0, 60));
    assert.equal(run(TWO), `two ${TWO}`);
    assert.equal(run(ONE), `two ${TWO}`);
  });
}

test("code that others than the user could have written is not run", { skip }, (t) => {
  const { run, only } = machine(t);
  run(ONE);
  chmodSync(only(), 0o666);
  assert.equal(run(TWO), `two ${TWO}`);
  assert.equal(statSync(only()).mode & 0o777, 0o600, "replaced");
});

test("Node's own variables say whether code is kept, and where", { skip }, (t) => {
  const { home, run, files } = machine(t);
  run(ONE, { env: { NODE_DISABLE_COMPILE_CACHE: "1" } });
  assert.deepEqual(files(), []);
  run(ONE, { env: { NODE_COMPILE_CACHE: join(home, "elsewhere") } });
  assert.deepEqual(files(), []);
  assert.equal(readdirSync(join(home, "elsewhere", "vibe-mcp")).length, 1);
});

test("code that V8 does not take is replaced", { skip }, (t) => {
  const { run } = machine(t);
  const long = "(() => 'a longer one')()";
  run(long);
  assert.equal(run(ONE), `one ${long}`);
  assert.equal(run(TWO), `one ${long}`);
});

test("nobody's home is not the folder the program was started in", { skip }, (t) => {
  const { run } = machine(t);
  for (const HOME of ["", "relative"]) run(ONE, { env: { HOME, XDG_CACHE_HOME: "" } });
  for (const name of [".cache", "relative"]) assert.equal(existsSync(name), false);
});

test("where nothing can be kept the program runs", { skip }, (t) => {
  const { home, run } = machine(t);
  writeFileSync(join(home, "vibe-mcp"), "a file in the place of the folder");
  assert.equal(run(ONE), `one ${ONE}`);
  assert.equal(run(ONE, { env: { HOME: join(home, "vibe-mcp"), XDG_CACHE_HOME: "relative" } }), `one ${ONE}`);
});

test("what was not written for a month goes when something is kept", { skip }, (t) => {
  const { folder, run, files, only } = machine(t);
  run(ONE);
  const old = only();
  const longAgo = Date.now() / 1000 - 40 * 24 * 3600;
  const another = join(folder, "other.code");
  writeFileSync(another, "");
  utimesSync(another, longAgo, longAgo);
  run(TWO, { state: "2" });
  assert.deepEqual(files(), [old.slice(folder.length + 1)]);
});

/** Counts how often V8 takes code that was kept. */
const COUNT = `
  const vm = require("node:vm");
  let taken = 0;
  vm.Script = class extends vm.Script {
    constructor(source, options) {
      super(source, options);
      if (options.cachedData !== undefined && !this.cachedDataRejected) taken++;
    }
  };
  process.on("exit", () => process.stderr.write("taken " + taken + "\\n"));
`;

test("a server keeps its code, the next one takes it, and both work where it is damaged", {
  skip,
}, async (t) => {
  const home = temporaryFolder(t);
  const file = join(home, "vibe-mcp.cjs");
  placeBuilt(file);
  const count = join(home, "count.cjs");
  writeFileSync(count, COUNT);
  const start = async () => {
    const env = { XDG_CACHE_HOME: home, NODE_OPTIONS: `--require ${count}` };
    const server = startBuilt(t, ["--root", join(home, "notes")], { file, env });
    await handshake(server);
    server.request(1, "tools/call", { name: "search", arguments: { query: "nothing" } });
    assert.notEqual((await server.reply(1)).result?.["isError"], true);
    return server;
  };
  mkdirSync(join(home, "notes", "project"), { recursive: true });
  writeFileSync(join(home, "notes", "project", "note.md"), "# A note\n");
  const folder = join(home, "vibe-mcp");
  // It builds the index, with other flags.
  const builder = await start();
  builder.child.stdin.end();
  await builder.exit;
  const first = await start();
  for (let turn = 0; turn < 200 && !existsSync(folder); turn++) await sleep(100);
  await sleep(200);
  const kept = join(folder, readdirSync(folder)[0] ?? "");
  assert.ok(statSync(kept).size > 1e6);
  first.child.stdin.end();
  await first.exit;
  const bytes = readFileSync(kept);
  const taken: number[] = [];
  for (const image of [
    bytes,
    bytes.map((byte, at) => (at % 50_000 === 49_999 ? byte ^ 1 : byte)),
    bytes.subarray(0, 1e6),
  ]) {
    writeFileSync(kept, image, { mode: 0o600 });
    const next = await start();
    next.child.stdin.end();
    assert.equal((await next.exit).code, 0);
    assert.equal(next.stderr().includes("error"), false, next.stderr());
    taken.push(Number(/taken (\d+)/.exec(next.stderr())?.[1]));
  }
  const [whole = 0, damaged = 0, cut = 0] = taken;
  assert.ok(whole > 20 && damaged < whole && cut < whole, `${taken}`);
});
