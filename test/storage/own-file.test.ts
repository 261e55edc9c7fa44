import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { closeToOthers, writeOwnFile } from "../../src/core/storage/own-file.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const options = { skip: process.platform === "win32" };
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

test(
  "a folder that others could enter is closed with all that is in it; what a link leads to stays",
  options,
  (t) => {
    const [parent, other] = [temporaryFolder(t), temporaryFolder(t)];
    const folder = join(parent, "vibe-mcp");
    mkdirSync(join(folder, "sync/notes.git"), { recursive: true });
    const files = {
      "history.key": 0o600,
      "sync/sync.json": 0o644,
      "sync/notes.git/object": 0o444,
      "sync/run": 0o775,
    };
    for (const [name, mode] of Object.entries(files)) {
      writeFileSync(join(folder, name), "x");
      chmodSync(join(folder, name), mode);
    }
    for (const name of [folder, join(folder, "sync"), join(folder, "sync/notes.git"), other])
      chmodSync(name, 0o755);
    symlinkSync(other, join(folder, "sync/link"));
    closeToOthers(folder);
    const names = ["history.key", "sync/sync.json", "sync/notes.git/object", "sync/run"].map((name) =>
      join(folder, name),
    );
    assert.deepEqual(names.map(modeOf), ["600", "600", "400", "700"]);
    assert.deepEqual([folder, join(folder, "sync"), join(folder, "sync/notes.git")].map(modeOf), [
      "700",
      "700",
      "700",
    ]);
    assert.equal(modeOf(other), "755");
    closeToOthers(join(parent, "missing"));
    assert.deepEqual(readdirSync(parent), ["vibe-mcp"]);
  },
);

test(
  "what this program writes for the user is for no one else, nor are the folders it makes for it",
  options,
  async (t) => {
    const before = process.umask(0o002);
    t.after(() => process.umask(before));
    const parent = temporaryFolder(t);
    const file = join(parent, "state", "vibe-mcp", "boards", "x");
    await writeOwnFile(file, "1 token\n");
    const places = [
      join(parent, "state"),
      join(parent, "state/vibe-mcp"),
      join(parent, "state/vibe-mcp/boards"),
      file,
    ];
    assert.deepEqual(places.map(modeOf), ["700", "700", "700", "600"]);
  },
);
