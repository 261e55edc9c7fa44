import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { handshake, startBuilt } from "../fixtures/built.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

/** Records the path of every file call, and prints all of them at the end. */
const RECORD = `
  const fs = require("node:fs");
  const { writeFileSync } = fs;
  const paths = new Set();
  for (const object of [fs, fs.promises])
    for (const [name, call] of Object.entries(object)) {
      if (typeof call !== "function" || /^[A-Z_]/.test(name)) continue;
      object[name] = Object.assign(function (...args) {
        if (typeof args[0] === "string") paths.add(args[0]);
        return call.apply(this, args);
      }, call);
    }
  process.on("exit", () => writeFileSync(process.env.RECORD, JSON.stringify([...paths])));
`;

test("a server reads and runs nothing from the user's folders, where code could be planted", async (t) => {
  const home = temporaryFolder(t);
  const place = temporaryFolder(t);
  const [preload, record, root] = [join(place, "record.cjs"), join(place, "paths"), join(place, "notes")];
  writeFileSync(preload, RECORD);
  mkdirSync(join(root, "project"), { recursive: true });
  writeFileSync(join(root, "project", "note.md"), "# A note\n");
  const env = {
    HOME: home,
    USERPROFILE: home,
    XDG_CACHE_HOME: join(home, "caches"),
    LOCALAPPDATA: home,
    NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
    RECORD: record,
  };
  const server = startBuilt(t, ["--root", root], { env });
  await handshake(server);
  server.request(1, "tools/call", { name: "search", arguments: { query: "note" } });
  assert.notEqual((await server.reply(1)).result?.["isError"], true);
  server.child.stdin.end();
  assert.equal((await server.exit).code, 0);
  const state = [join(home, "vibe-mcp"), join(home, "vibe-mcp", "sync")];
  const known = join(home, "vibe-mcp", "repositories");
  const paths = JSON.parse(readFileSync(record, "utf8")) as string[];
  assert.ok(paths.some((path) => path.startsWith(root)));
  assert.deepEqual(
    // The settings of sync and the folder of a repository are data, and a start closes the state folder to others.
    paths.filter((path) => path.startsWith(home) && !state.includes(path) && !path.startsWith(known)),
    [],
  );
});
