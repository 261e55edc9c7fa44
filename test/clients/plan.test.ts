import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { commandOf, type Entry } from "../../src/setup/clients/entry.ts";
import { applyPlan, hasChanges, planRemove, planWrite } from "../../src/setup/clients/plan.ts";
import { CLIENTS, type Client } from "../../src/setup/clients/table.ts";
import { serverTarget } from "../../src/setup/clients/target.ts";
import { REAL, readAs } from "../fixtures/client-settings.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const LAUNCH = {
  command: "C:\\Program Files\\nodejs\\node.exe",
  args: ["/opt/vibe mcp.cjs", "--root", "/ñ/日本"],
};
const REMOTE = { url: "https://notes.example.com/mcp", token: "VIBE_AUTH_TOKEN" };

function settings(t: TestContext, client: Client, text: string | Buffer | undefined) {
  const file = join(temporaryFolder(t), "deep", "settings");
  if (text !== undefined) {
    mkdirSync(dirname(file));
    writeFileSync(file, text);
  }
  const place = { file, shown: "settings", within: [dirname(dirname(file))] };
  const target = serverTarget(client, "vibe");
  const write = async (entry: Entry) => {
    const plan = await planWrite(place, target, entry);
    return hasChanges(plan) ? await applyPlan(plan) : null;
  };
  const remove = async () => {
    const plan = await planRemove(place, target);
    return hasChanges(plan) ? await applyPlan(plan) : null;
  };
  const bytes = () => readFileSync(file);
  return {
    file,
    write,
    remove,
    bytes,
    text: () => bytes().toString(),
    names: () => readdirSync(dirname(file)).sort(),
  };
}

for (const client of CLIENTS) {
  const original = REAL[client.name] ?? "";
  const entries = [client.stdio(LAUNCH), ...(client.remote === undefined ? [] : [client.remote(REMOTE)])];

  test(`${client.name}: the entry is added, nothing else changes, and a second run does nothing`, async (t) => {
    for (const entry of entries) {
      const { write, text, names } = settings(t, client, original);
      await write(entry);
      const expected = structuredClone(readAs(client, original));
      const servers = (expected[client.servers] ?? {}) as Entry;
      expected[client.servers] = { ...servers, vibe: entry };
      assert.deepEqual(readAs(client, text()), expected);
      for (const [comment] of original.matchAll(/\/\/ .*|\/\*.*\*\/|(?<=\n|^)# .*/g))
        assert.ok(text().includes(comment), comment);
      assert.equal(/\r\n/.test(text()), /\r\n/.test(original));
      if (/\r\n/.test(original)) assert.doesNotMatch(text(), /[^\r]\n/);
      assert.equal(text().startsWith("\ufeff"), original.startsWith("\ufeff"));
      assert.equal(await write(entry), null);
      assert.deepEqual(names(), ["settings", "settings.bak"]);
    }
  });

  test(`${client.name}: --remove takes out the entry alone, and keeps the old file`, async (t) => {
    const { file, write, remove, text, names } = settings(t, client, original);
    for (const entry of [...entries, ...entries]) await write(entry);
    await remove();
    const { [client.servers]: servers = {}, ...others } = readAs(client, original);
    const { [client.servers]: left = {}, ...rest } = readAs(client, existsSync(file) ? text() : "{}");
    assert.deepEqual({ servers: left, ...rest }, { servers, ...others });
    assert.equal(await remove(), null);
    assert.ok(names().includes("settings.bak"));
  });

  test(`${client.name}: a new file is removed again`, async (t) => {
    const none = settings(t, client, undefined);
    assert.equal(await none.write(client.stdio(LAUNCH)), undefined);
    assert.deepEqual(readAs(client, none.text()), { [client.servers]: { vibe: client.stdio(LAUNCH) } });
    await none.remove();
    assert.ok(!existsSync(none.file));
  });

  test(`${client.name}: what a person set in the entry stays in place`, async (t) => {
    const own = { disabled: false, timeout: 30 };
    const isToml = client.format === "toml";
    const before = isToml
      ? `[mcp_servers.vibe]\n# mine\ncommand = "old" # why\ntimeout = 30\n[mcp_servers.vibe.env]\nA = "1"\n\n[x]\ny = 1\n`
      : JSON.stringify(
          { [client.servers]: { vibe: { command: "old", ...own, env: { A: "1" } }, b: {} }, c: 1 },
          null,
          4,
        );
    const { write, text } = settings(t, client, before);
    await write(client.stdio(LAUNCH));
    const vibe = ((readAs(client, text())[client.servers] as Entry)["vibe"] ?? {}) as Entry;
    assert.equal(commandOf(vibe)[0], LAUNCH.command);
    assert.equal(vibe["timeout"], 30);
    assert.deepEqual(vibe["env"], { A: "1" });
    if (isToml) assert.match(text(), /# mine\ncommand = .* # why\n/);
    if (client.remote === undefined) return;
    await write(client.remote(REMOTE));
    const remote = ((readAs(client, text())[client.servers] as Entry)["vibe"] ?? {}) as Entry;
    assert.equal(remote["command"], undefined);
    assert.equal(remote["env"], undefined);
    assert.equal(remote["timeout"], 30);
  });

  test(`${client.name}: broken settings are refused with the line, and unchanged`, async (t) => {
    const isToml = client.format === "toml";
    const texts = isToml
      ? [
          'a = 1\n\nb = "x\n',
          "a = 1\na = 2\n",
          "mcp_servers = 3\n",
          "mcp_servers = { a = { command = 'x' } }\n",
          '[mcp_servers]\nvibe.command = "x"\n',
        ]
      : [
          '{\n  "a": 1\n  "b": 2\n}',
          "{\n",
          "[]",
          `{"${client.servers}": []}`,
          `{"${client.servers}": {}, "${client.servers}": {}}`,
          '{"a": 1} x',
        ];
    for (const broken of [...texts, Buffer.from([0x7b, 0xff, 0x7d])]) {
      const { write, bytes, names } = settings(t, client, broken);
      await assert.rejects(
        write(client.stdio(LAUNCH)),
        /settings(?:, line \d+)?: .*Nothing was written/s,
        String(broken),
      );
      assert.deepEqual(bytes(), Buffer.from(broken));
      assert.deepEqual(names(), ["settings"]);
    }
    const { write } = settings(t, client, texts[0]);
    await assert.rejects(write(client.stdio(LAUNCH)), /line 3:/);
  });
}

test("the only server of an object with a comma behind it is removed, too", async (t) => {
  const zed = CLIENTS.find(({ name }) => name === "zed") as Client;
  const { remove, text } = settings(t, zed, '{ "context_servers": { "vibe": { "command": "a" }, }, "a": 1 }');
  await remove();
  assert.deepEqual(readAs(zed, text()), { context_servers: {}, a: 1 });
});

const cursor = CLIENTS.find(({ name }) => name === "cursor") as Client;

test("backups are never overwritten, and keep the permissions", { skip: ON_WINDOWS }, async (t) => {
  const { file, write, names } = settings(t, cursor, "{}");
  chmodSync(file, 0o600);
  writeFileSync(`${file}.bak`, "mine");
  writeFileSync(`${file}.bak.7`, "mine too");
  const backup = await write({ command: "a" });
  assert.match(String(backup), /settings\.bak\.8$/);
  assert.equal(readFileSync(`${file}.bak`, "utf8"), "mine");
  assert.equal(readFileSync(`${file}.bak.8`, "utf8"), "{}");
  for (const path of [file, `${file}.bak.8`]) assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(names(), ["settings", "settings.bak", "settings.bak.7", "settings.bak.8"]);
});

test("a symbolic link stays, and a concurrent change is not lost", { skip: ON_WINDOWS }, async (t) => {
  const { file, text } = settings(t, cursor, "{}");
  const link = join(temporaryFolder(t), "mcp.json");
  symlinkSync(file, link);
  const place = { file: link, shown: "mcp.json", within: [dirname(link), dirname(file)] };
  const target = serverTarget(cursor, "vibe");
  const plan = await planWrite(place, target, { command: "a" });
  writeFileSync(file, '{"mine": 1}');
  await assert.rejects(applyPlan(plan), { code: "CONFLICT" });
  assert.equal(text(), '{"mine": 1}');
  await applyPlan(await planWrite(place, target, { command: "a" }));
  assert.ok(lstatSync(link).isSymbolicLink());
  assert.deepEqual(JSON.parse(text()), { mine: 1, mcpServers: { vibe: { command: "a" } } });
});
