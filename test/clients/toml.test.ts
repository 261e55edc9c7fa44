import assert from "node:assert/strict";
import { test } from "node:test";
import { parseToml, removeToml, setToml } from "../../src/setup/clients/toml.ts";

const PATH = ["servers", "vibe"];
const set = (
  text: string,
  entry: Record<string, string | string[] | Record<string, string>>,
  ...remove: string[]
) => setToml(text, PATH, { set: entry, remove });

test("a table is added after the last line, with or without a line break", () => {
  const table = '[servers.vibe]\ncommand = "a"\n';
  assert.equal(set("", { command: "a" }), table);
  assert.equal(set("x = 1", { command: "a" }), `x = 1\n\n${table}`);
  assert.equal(set("x = 1\r\n", { command: "a" }), `x = 1\r\n\r\n${table.replaceAll("\n", "\r\n")}`);
});

test("names and values with special characters are quoted, and read back unchanged", () => {
  const entry = { "a key": "x", env: { "a.b": "1", C: "2" }, args: ["p", 'q"'] };
  const text = setToml("", ["servers", "a name"], { set: entry, remove: [] });
  assert.ok(text.startsWith('[servers."a name"]\n"a key" = "x"\n'));
  assert.deepEqual(JSON.parse(JSON.stringify(parseToml(text))), { servers: { "a name": entry } });
});

test("a key is changed in place, or added after the last one of its table", () => {
  const text = '[servers.vibe] # mine\ncommand = "a" # why\n\n[other]\nx = 1\n';
  assert.equal(set(text, { command: "b" }), text.replace('"a"', '"b"'));
  assert.equal(set(text, { url: "u" }), text.replace("why\n", 'why\nurl = "u"\n'));
  assert.equal(set("[servers.vibe]", { url: "u" }), '[servers.vibe]\nurl = "u"\n');
  assert.equal(set(text, { url: "u" }, "command"), text.replace('command = "a" # why', 'url = "u"'));
});

test("a key that is a table is removed with its lines, and a list of tables stays", () => {
  const text = '[servers.vibe]\ncommand = "a"\n\n[servers.vibe.env]\nA = "1"\n\n[[lists]]\nx = 1\n';
  assert.equal(set(text, {}, "env"), '[servers.vibe]\ncommand = "a"\n\n[[lists]]\nx = 1\n');
  assert.equal(removeToml(`y = 1\n\n${text}`, PATH), "y = 1\n\n[[lists]]\nx = 1\n");
  assert.equal(removeToml('x = 1\n\n[servers.vibe]\ncommand = "a"', PATH), "x = 1\n");
  assert.equal(removeToml(text, ["servers", "none"]), text);
});

test("invalid TOML is refused with the line", () => {
  assert.throws(() => parseToml("a = 1\nb = \n"), {
    message: "not valid TOML",
    line: 2,
  });
});
