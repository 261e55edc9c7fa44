import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createFile, replaceFile } from "../../src/core/storage/atomic-write.ts";
import { ON_WINDOWS, replaceAsyncCall, replaceCall, systemError, withMode } from "../fixtures/disk.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const BYTES = Buffer.from([0xef, 0xbb, 0xbf, 0x00, 0xff, 0xfe, 0x0d, 0x0a, 0x0d, 0x80, 0x0a, 0x20]);
const noModes = { skip: ON_WINDOWS && "Windows keeps no permission bits" };

const modeOf = (file: string) => statSync(file).mode & 0o777;

test("a replaced file has the new bytes, all parts in their order", async (t) => {
  const root = makeWorkspace(t, { "a.md": "the old text, which is longer than the new one" });
  await replaceFile(join(root, "a.md"), [BYTES, Buffer.alloc(0), Buffer.from("tail")]);
  assert.deepEqual(readFileSync(join(root, "a.md")), Buffer.concat([BYTES, Buffer.from("tail")]));
  assert.deepEqual(readdirSync(root), ["a.md"]);
});

test("a replacement may create the file, and may be empty", async (t) => {
  const root = temporaryFolder(t);
  await replaceFile(join(root, "new.md"), [Buffer.from("x")]);
  assert.equal(readFileSync(join(root, "new.md"), "utf8"), "x");
  await replaceFile(join(root, "new.md"), []);
  assert.equal(readFileSync(join(root, "new.md"), "utf8"), "");
});

test("a replaced file is a new file: other programs keep the old one if they have it open or linked", async (t) => {
  const root = makeWorkspace(t, { "a.md": "old" });
  linkSync(join(root, "a.md"), join(root, "before.md"));
  await replaceFile(join(root, "a.md"), [Buffer.from("new")]);
  assert.equal(readFileSync(join(root, "before.md"), "utf8"), "old");
});

test("a reader during a replacement sees the old bytes or the new ones", async (t) => {
  const root = makeWorkspace(t, { "a.md": "old" });
  const file = join(root, "a.md");
  const seen = new Set<string>();
  replaceCall(t, "renameSync", (real) => (...args) => {
    seen.add(readFileSync(file, "utf8"));
    real(...args);
    seen.add(readFileSync(file, "utf8"));
  });
  await replaceFile(file, [Buffer.from("new "), Buffer.from("bytes")]);
  assert.deepEqual([...seen], ["old", "new bytes"]);
});

test("of many replacements at once, one is left, complete", async (t) => {
  const file = join(temporaryFolder(t), "a.md");
  const texts = Array.from({ length: 20 }, (_, number) => `${number};`.repeat(20_000));
  await Promise.all(texts.map((text) => replaceFile(file, [Buffer.from(text)])));
  assert.ok(texts.includes(readFileSync(file, "utf8")));
  assert.deepEqual(readdirSync(join(file, "..")), ["a.md"]);
});

test("a replaced file keeps its permissions, whatever the umask", noModes, async (t) => {
  const root = temporaryFolder(t);
  const umask = process.umask(0o027);
  t.after(() => process.umask(umask));
  for (const mode of [0o600, 0o640, 0o666, 0o755, 0o444]) {
    const file = join(root, `${mode}.md`);
    writeFileSync(file, "old");
    chmodSync(file, mode);
    await replaceFile(file, [Buffer.from("new")]);
    assert.deepEqual([modeOf(file), readFileSync(file, "utf8")], [mode, "new"]);
  }
});

test("others can never read the bytes of a private file", noModes, async (t) => {
  const root = makeWorkspace(t, { "a.md": "old" });
  chmodSync(join(root, "a.md"), 0o600);
  const opened: unknown[] = [];
  replaceAsyncCall(t, "open", (real) => async (...args) => {
    const handle = await real(...args);
    opened.push(modeOf(String(args[0])));
    return handle;
  });
  await replaceFile(join(root, "a.md"), [Buffer.from("new")]);
  assert.deepEqual(opened, [0o600]);
});

test("the umask decides the permissions of new files", noModes, async (t) => {
  const root = temporaryFolder(t);
  const umask = process.umask(0o027);
  t.after(() => process.umask(umask));
  await createFile(join(root, "folder", "a.md"), BYTES);
  await replaceFile(join(root, "b.md"), [BYTES]);
  assert.deepEqual([modeOf(join(root, "folder", "a.md")), modeOf(join(root, "b.md"))], [0o640, 0o640]);
});

test("a file is created with its bytes and its missing folders", async (t) => {
  const root = temporaryFolder(t);
  assert.equal(await createFile(join(root, "p", "tasks", "a.md"), BYTES), true);
  assert.deepEqual(readFileSync(join(root, "p", "tasks", "a.md")), BYTES);
  assert.deepEqual(readdirSync(join(root, "p", "tasks")), ["a.md"]);
});

test("a taken name stays unchanged, whether file, folder or link", async (t) => {
  const root = makeWorkspace(t, { "file.md": "old", "folder.md/x.md": "old" });
  symlinkSync("nowhere.md", join(root, "link.md"));
  const before = readdirSync(root);
  for (const name of ["file.md", "folder.md", "link.md"]) {
    assert.equal(await createFile(join(root, name), BYTES), false, name);
  }
  assert.deepEqual(readdirSync(root), before);
  assert.equal(readFileSync(join(root, "file.md"), "utf8"), "old");
  assert.deepEqual(readdirSync(join(root, "folder.md")), ["x.md"]);
});

interface Rival {
  /** Sends a path; returns how often the rival created it. */
  create(file: string): Promise<number>;
}

async function startRival(t: TestContext, label: string): Promise<Rival> {
  const script = fileURLToPath(new URL("../fixtures/create-child.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, label], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, "ready");
  return {
    create: async (file) => {
      child.stdin.write(`${file}\n`);
      return Number((await lines.next()).value);
    },
  };
}

test("if five processes create the same name at once, exactly one wins and its file is complete", async (t) => {
  const root = temporaryFolder(t);
  const rivals = await Promise.all(["b", "c", "d", "e"].map((label) => startRival(t, label)));
  for (let round = 0; round < 5; round++) {
    const file = join(root, `${round}.md`);
    const theirs = Promise.all(rivals.map((rival) => rival.create(file)));
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    const mine = await Promise.all(
      numbers.map((number) => createFile(file, Buffer.from(`a${number};`.repeat(20_000)))),
    );
    const won = [mine.filter(Boolean).length, ...(await theirs)];
    assert.equal(
      won.reduce((sum, count) => sum + count),
      1,
      `wins: ${won}`,
    );
    const text = readFileSync(file, "utf8");
    const start = text.slice(0, text.indexOf(";") + 1);
    assert.ok(text === start.repeat(20_000), `not the bytes of one writer: ${text.length}`);
  }
  assert.deepEqual(readdirSync(root), ["0.md", "1.md", "2.md", "3.md", "4.md"]);
});

/** A disk without hard links. */
function refuseLinks(t: TestContext): void {
  replaceCall(t, "linkSync", () => () => {
    throw systemError("EPERM");
  });
}

test("without hard links, one still wins and its file is complete", async (t) => {
  refuseLinks(t);
  const root = temporaryFolder(t);
  const file = join(root, "p", "a.md");
  const texts = Array.from({ length: 20 }, (_, number) => `${number};`.repeat(20_000));
  const won = await Promise.all(texts.map((text) => createFile(file, Buffer.from(text))));
  assert.equal(won.filter(Boolean).length, 1);
  assert.equal(readFileSync(file, "utf8"), texts[won.indexOf(true)]);
  assert.deepEqual(readdirSync(join(root, "p")), ["a.md"]);
});

test("without hard links, a failed creation leaves nothing under the name", async (t) => {
  refuseLinks(t);
  replaceCall(t, "renameSync", () => () => {
    throw systemError("ENOSPC");
  });
  const root = temporaryFolder(t);
  await assert.rejects(createFile(join(root, "a.md"), BYTES), { code: "ENOSPC" });
  assert.deepEqual(readdirSync(root), []);
});

test("a creation that fails for any other reason than missing hard links is an error", async (t) => {
  replaceCall(t, "linkSync", () => () => {
    throw systemError("EIO");
  });
  const root = temporaryFolder(t);
  await assert.rejects(createFile(join(root, "a.md"), BYTES), { code: "EIO" });
  assert.deepEqual(readdirSync(root), []);
});

test("a write that fails leaves no temporary file and the old content", async (t) => {
  const root = makeWorkspace(t, { "folder/x.md": "old", "file.md": "old" });
  const replace = (path: string) => replaceFile(join(root, ...path.split("/")), [BYTES]);
  await assert.rejects(replace("folder"), /EISDIR|EPERM|EEXIST|ENOTEMPTY/);
  await assert.rejects(replace("missing/a.md"), { code: "ENOENT" });
  await assert.rejects(replace("file.md/a.md"), /ENOTDIR|ENOENT/);
  await assert.rejects(createFile(join(root, "file.md", "a.md"), BYTES), /EEXIST|ENOTDIR|ENOENT/);
  assert.deepEqual(readdirSync(root), ["file.md", "folder"]);
  assert.deepEqual(readdirSync(join(root, "folder")), ["x.md"]);
  assert.equal(readFileSync(join(root, "file.md"), "utf8"), "old");
});

test("a disk that fills up half-way leaves no temporary file and the old content", async (t) => {
  const root = makeWorkspace(t, { "a.md": "old" });
  replaceAsyncCall(t, "open", (real) => async (...args) => {
    const handle = (await real(...args)) as { sync: () => Promise<void> };
    handle.sync = () => Promise.reject(systemError("ENOSPC"));
    return handle;
  });
  await assert.rejects(replaceFile(join(root, "a.md"), [BYTES]), { code: "ENOSPC" });
  await assert.rejects(createFile(join(root, "b.md"), BYTES), { code: "ENOSPC" });
  assert.deepEqual(readdirSync(root), ["a.md"]);
  assert.equal(readFileSync(join(root, "a.md"), "utf8"), "old");
});

test("a folder without write permission stays unchanged", noModes, async (t) => {
  const root = temporaryFolder(t);
  chmodSync(root, 0o755);
  const folder = join(root, "p");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.md"), "old");
  await withMode(folder, 0o555, async () => {
    await assert.rejects(replaceFile(join(folder, "a.md"), [BYTES]), { code: "EACCES" });
    await assert.rejects(createFile(join(folder, "b.md"), BYTES), { code: "EACCES" });
    await assert.rejects(createFile(join(folder, "deep", "b.md"), BYTES), { code: "EACCES" });
  });
  assert.deepEqual(readdirSync(folder), ["a.md"]);
  assert.equal(readFileSync(join(folder, "a.md"), "utf8"), "old");
});

test("a temporary file that cannot be removed changes neither success nor failure", async (t) => {
  const root = temporaryFolder(t);
  replaceCall(t, "unlinkSync", () => () => {
    throw systemError("EBUSY");
  });
  assert.equal(await createFile(join(root, "a.md"), BYTES), true);
  assert.equal(await createFile(join(root, "a.md"), BYTES), false);
  await assert.rejects(replaceFile(join(root, "none", "a.md"), [BYTES]), { code: "ENOENT" });
  assert.deepEqual(readFileSync(join(root, "a.md")), BYTES);
});

function pretendWindows(t: TestContext): void {
  const platform = Object.getOwnPropertyDescriptor(process, "platform") as PropertyDescriptor;
  Object.defineProperty(process, "platform", { ...platform, value: "win32" });
  t.after(() => Object.defineProperty(process, "platform", platform));
}

for (const code of ["EPERM", "EBUSY", "EACCES"]) {
  test(`on Windows a rename that ${code} refuses is tried again until the file is free`, async (t) => {
    const root = makeWorkspace(t, { "a.md": "old" });
    pretendWindows(t);
    let refusals = 3;
    let asked = 0;
    replaceCall(t, "renameSync", (real) => (...args) => {
      if (refusals-- > 0) throw systemError(code);
      return real(...args);
    });
    await replaceFile(join(root, "a.md"), [Buffer.from("new")], () => asked++);
    assert.equal(readFileSync(join(root, "a.md"), "utf8"), "new");
    // Another program may have written in the meantime.
    assert.equal(asked, 4);
    assert.deepEqual(readdirSync(root), ["a.md"]);
  });
}

test("on Windows a file that stays busy, or fails for another reason, keeps its bytes and leaves no temporary file", async (t) => {
  const root = makeWorkspace(t, { "a.md": "old" });
  pretendWindows(t);
  let [calls, code] = [0, ""];
  replaceCall(t, "renameSync", () => () => {
    calls++;
    throw systemError(code);
  });
  for (const [refusal, attempts] of [
    ["EBUSY", 7],
    ["ENOSPC", 1],
  ] as const) {
    [calls, code] = [0, refusal];
    await assert.rejects(replaceFile(join(root, "a.md"), [BYTES]), { code });
    assert.equal(calls, attempts);
    assert.equal(readFileSync(join(root, "a.md"), "utf8"), "old");
    assert.deepEqual(readdirSync(root), ["a.md"]);
  }
});

test("on other systems a refused rename fails at once", async (t) => {
  if (ON_WINDOWS) return t.skip("Windows waits");
  const root = makeWorkspace(t, { "a.md": "old" });
  let calls = 0;
  replaceCall(t, "renameSync", () => () => {
    calls++;
    throw systemError("EBUSY");
  });
  await assert.rejects(replaceFile(join(root, "a.md"), [BYTES]), { code: "EBUSY" });
  assert.equal(calls, 1);
  assert.deepEqual(readdirSync(root), ["a.md"]);
});

test("a file whose group cannot be kept is refused, unless it can be rebuilt", noModes, async (t) => {
  if (process.getuid?.() !== 0) return t.skip("needs root, to act for two users");
  const root = makeWorkspace(t, { "a.md": "old" });
  const file = join(root, "a.md");
  chownSync(file, 0, 61_000);
  await withMode(root, 0o777, async () => {
    await assert.rejects(replaceFile(file, [BYTES]), { code: "FILESYSTEM_ERROR", message: /chown/ });
    assert.deepEqual([readFileSync(file, "utf8"), readdirSync(root)], ["old", ["a.md"]]);
    await replaceFile(file, [BYTES], undefined, { anyOwner: true });
    assert.deepEqual([readFileSync(file), readdirSync(root)], [BYTES, ["a.md"]]);
  });
});
