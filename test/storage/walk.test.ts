import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { basename, join } from "node:path";
import { test } from "node:test";
import { temporaryFor } from "../../src/core/storage/temp-files.ts";
import {
  MAX_DOCUMENT_BYTES,
  namesBelow,
  type Scan,
  scanFolder,
  scanWorkspace,
} from "../../src/core/storage/walk.ts";
import { listTaskFiles } from "../../src/core/workspace/find/task-files.ts";
import { ON_WINDOWS, replaceCall, systemError, withMode } from "../fixtures/disk.ts";
import { makeWorkspace, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const paths = (scan: Scan) => scan.files.map((file) => file.path).sort();

/** Why a scan skipped files, by path. */
const skipped = (scan: Scan) => Object.fromEntries(scan.skipped.map(({ path, reason }) => [path, reason]));

function link(root: string, target: string, path: string): void {
  symlinkSync(target, join(root, ...path.split("/")));
}

test("a scan finds the Markdown files of every project, at any depth and in any letter case", (t) => {
  const root = makeWorkspace(t, {
    "a/status.md": "1",
    "a/tasks/001-x.MD": "22",
    "a/assets/diagrams/deep/flow.Md": "333",
    "a/readme.txt": "no",
    "a/md": "no",
    "a/x.md.bak": "no",
    "b/empty/": "",
    "loose.md": "4444",
  });
  const scan = scanWorkspace(root);
  assert.deepEqual(paths(scan), [
    "a/assets/diagrams/deep/flow.Md",
    "a/status.md",
    "a/tasks/001-x.MD",
    "loose.md",
  ]);
  assert.deepEqual(scan.projects, [".", "a", "b"]);
  assert.deepEqual(paths(scanWorkspace(root, ".")), ["loose.md"]);
  assert.deepEqual([scan.failed, scan.skipped, scan.temporaries], [[], [], []]);
});

test("what a cloud keeps elsewhere is not here, not gone, and its number is not free", (t) => {
  const root = makeWorkspace(t, {
    "p/tasks/001-a.md": "# Task: A\n",
    "p/tasks/.007-b.md.icloud": "bplist00",
    "p/.picture.png.icloud": "bplist00",
  });
  const { failed, skipped, ...scan } = scanWorkspace(root);
  assert.deepEqual(
    scan.files.map(({ path }) => path),
    ["p/tasks/001-a.md"],
  );
  assert.deepEqual(failed, ["p/tasks/007-b.md"]);
  assert.deepEqual(skipped, [{ path: "p/tasks/007-b.md", reason: "it is in iCloud, not on this disk" }]);
  assert.deepEqual(listTaskFiles(root, "p"), ["p/tasks/001-a.md", "p/tasks/007-b.md"]);
});

test("a scanned file has its path, size and times", (t) => {
  const root = makeWorkspace(t, { "p/tasks/a.md": "héllo" });
  const [file] = scanWorkspace(root).files;
  const real = join(realpathSync.native(root), "p", "tasks", "a.md");
  const { mtimeMs, ctimeMs } = statSync(real);
  assert.deepEqual(file, {
    path: "p/tasks/a.md",
    file: real,
    size: 6,
    mtime: mtimeMs,
    ctime: ctimeMs,
  });
});

test("a scan of one project lists the files of that project and the names of all", (t) => {
  const root = makeWorkspace(t, { "a/x.md": "", "b/x.md": "", "ab/x.md": "" });
  const scan = scanWorkspace(root, "a");
  assert.deepEqual(paths(scan), ["a/x.md"]);
  assert.deepEqual(scan.projects, ["a", "ab", "b"]);
});

test("documents end in .md or .markdown, in any letter case", (t) => {
  const root = makeWorkspace(t, { "p/a.md": "", "p/b.MARKDOWN": "", "p/c.mdx": "", "p/d.txt": "" });
  assert.deepEqual(paths(scanWorkspace(root)), ["p/a.md", "p/b.MARKDOWN"]);
});

test("hidden files, folders, projects and links are left out silently", (t) => {
  const root = makeWorkspace(t, {
    "p/.hidden.md": "",
    "p/.git/x.md": "",
    "p/tasks/.obsidian/deep/x.md": "",
    ".vibe-mcp/x.md": "",
    "p/seen.md": "",
  });
  link(root, "seen.md", "p/.link.md");
  link(root, "p", ".project");
  const scan = scanWorkspace(root);
  assert.deepEqual([paths(scan), scan.projects, scan.skipped], [["p/seen.md"], ["p"], []]);
});

test("a folder named like a document is a folder", (t) => {
  const root = makeWorkspace(t, { "p/x.md/y.md": "", "p.md/z.md": "" });
  const scan = scanWorkspace(root);
  assert.deepEqual(
    [paths(scan), scan.projects],
    [
      ["p.md/z.md", "p/x.md/y.md"],
      ["p", "p.md"],
    ],
  );
});

test("FIFOs, sockets and links to them are not documents and are never opened", {
  skip: ON_WINDOWS && "Windows has no FIFOs in folders",
}, async (t) => {
  const root = makeWorkspace(t, { "p/a.md": "" });
  execFileSync("/usr/bin/env", ["mkfifo", join(root, "p", "fifo.md")]);
  link(root, "fifo.md", "p/to-fifo.md");
  const server = createServer();
  await new Promise<void>((done) => server.listen(join(root, "p", "socket.md"), done));
  t.after(() => server.close());
  link(root, "socket.md", "p/to-socket.md");
  link(root, "/dev/null", "p/device.md");
  const scan = scanWorkspace(root);
  assert.deepEqual([paths(scan), scan.failed], [["p/a.md"], []]);
});

test("dangling and circular links are skipped without an error", (t) => {
  const root = makeWorkspace(t, { "p/a.md": "" });
  link(root, "nowhere.md", "p/broken.md");
  link(root, "nowhere", "p/broken");
  link(root, "a.md/b.md", "p/through-a-file.md");
  link(root, "self.md", "p/self.md");
  link(root, "right", "p/left");
  link(root, "left", "p/right");
  link(root, "nowhere", "broken-project");
  const scan = scanWorkspace(root);
  assert.deepEqual([paths(scan), scan.projects, scan.failed], [["p/a.md"], ["p"], []]);
});

test("a link to a folder above is followed until the loop closes", (t) => {
  const root = makeWorkspace(t, { "p/tasks/deep/a.md": "", "q/b.md": "" });
  link(root, ".", "p/here");
  link(root, "../..", "p/tasks/root");
  link(root, "../../../p", "p/tasks/deep/project");
  link(root, ".", "root-as-project");
  const scan = scanWorkspace(root);
  assert.deepEqual(
    [paths(scan), scan.projects],
    [
      ["p/tasks/deep/a.md", "q/b.md"],
      ["p", "q"],
    ],
  );
});

test("links out of the workspace or to hidden files are skipped with a reason", (t) => {
  const outside = makeWorkspace(t, { "secret.md": "", "folder/secret.md": "", "file.txt": "" });
  const root = makeWorkspace(t, { "p/a.md": "", ".git/x.md": "", "p/.hidden/x.md": "" });
  link(root, join(outside, "folder"), "p/out");
  link(root, join(outside, "secret.md"), "p/out.md");
  link(root, join(outside, "file.txt"), "p/out.txt");
  link(root, outside, "outer");
  link(root, "../.git", "p/git");
  link(root, ".hidden/x.md", "p/hidden.md");
  link(root, "..", "p/above");
  link(root, "../..", "p/far-above");
  const scan = scanWorkspace(root);
  assert.deepEqual([paths(scan), scan.projects, scan.failed], [["p/a.md"], ["p"], []]);
  const named = ["outer", "p/far-above", "p/git", "p/hidden.md", "p/out", "p/out.md"];
  assert.deepEqual(Object.keys(skipped(scan)).sort(), named);
  for (const reason of Object.values(skipped(scan))) assert.match(reason, /^a link out/);
});

test("the target of a link inside the workspace is found under both paths", (t) => {
  const root = makeWorkspace(t, { "a/shared/x.md": "", "b/own.md": "", "c/": "" });
  link(root, "../a/shared", "b/shared");
  link(root, "../a/shared/x.md", "b/copy.md");
  link(root, "../a/shared/x.md", "c/no-document");
  link(root, "a", "alias");
  const scan = scanWorkspace(root);
  assert.deepEqual(paths(scan), [
    "a/shared/x.md",
    "alias/shared/x.md",
    "b/copy.md",
    "b/own.md",
    "b/shared/x.md",
  ]);
  assert.deepEqual(scan.projects, ["a", "alias", "b", "c"]);
  assert.deepEqual(scan.skipped, []);
});

test("folders that all link to each other are walked once per project, not once per route", (t) => {
  const names = Array.from({ length: 12 }, (_, number) => `f${number}`);
  const root = temporaryFolder(t);
  for (const name of names) {
    writeFiles(root, { [`p/${name}/x.md`]: "", [`project-${name}/x.md`]: "" });
    for (const other of names.filter((candidate) => candidate !== name)) {
      link(root, `../${other}`, `p/${name}/to-${other}`);
      link(root, `../project-${other}`, `project-${name}/to-${other}`);
    }
  }
  const scan = scanWorkspace(root);
  const within = paths(scan).filter((path) => path.startsWith("p/"));
  for (const name of names) assert.ok(within.includes(`p/${name}/x.md`), name);
  assert.ok(within.length <= 24, `${within.length} files in one project`);
  assert.equal(scan.files.length - within.length, 12 * 12);
});

test("a root that is a link is followed, and its files are link-free", (t) => {
  const base = makeWorkspace(t, { "real/p/a.md": "" });
  link(base, "real", "root");
  const scan = scanWorkspace(join(base, "root"));
  assert.deepEqual(
    scan.files.map((file) => file.file),
    [join(realpathSync.native(base), "real", "p", "a.md")],
  );
});

test("the scan of a missing root, or of a file, fails", (t) => {
  const base = makeWorkspace(t, { "file.md": "" });
  link(base, "nowhere", "broken");
  for (const name of ["missing", "file.md", "broken"]) {
    const nothing = { projects: [], files: [], failed: [""], skipped: [], temporaries: [], links: [] };
    assert.deepEqual(scanWorkspace(join(base, name)), nothing);
  }
});

test("an unreadable folder is failed, and the rest is scanned", {
  skip: ON_WINDOWS && "chmod takes no read permission on Windows",
}, async (t) => {
  const root = makeWorkspace(t, { "p/private/deep/a.md": "", "p/b.md": "", "q/c.md": "", "r/d.md": "" });
  chmodSync(root, 0o755);
  for (const path of ["p/private", "q"]) {
    const scan = await withMode(join(root, path), 0, () => scanWorkspace(root));
    const rest = ["p/b.md", "p/private/deep/a.md", "q/c.md", "r/d.md"].filter(
      (name) => !name.startsWith(path),
    );
    assert.deepEqual([paths(scan), scan.projects, scan.failed], [rest, ["p", "q", "r"], [path]]);
    assert.deepEqual(skipped(scan), { [path]: "not readable: the permission is missing" });
  }
});

test("files in a folder that can be listed but not entered are failed, not deleted", {
  skip: ON_WINDOWS && "chmod takes no search permission on Windows",
}, async (t) => {
  const root = makeWorkspace(t, { "p/listed/a.md": "", "p/listed/deep/b.md": "" });
  chmodSync(root, 0o755);
  const scan = await withMode(join(root, "p", "listed"), 0o444, () => scanWorkspace(root));
  assert.deepEqual([paths(scan), scan.failed.sort()], [[], ["p/listed/a.md", "p/listed/deep"]]);
});

test("a link that cannot be followed now is failed, not deleted", {
  skip: ON_WINDOWS && "chmod takes no search permission on Windows",
}, async (t) => {
  const root = makeWorkspace(t, { "p/private/deep/a.md": "", "q/": "" });
  link(root, "../p/private/deep", "q/folder");
  link(root, "../p/private/deep/a.md", "q/file.md");
  link(root, "p/private/deep", "project");
  chmodSync(root, 0o755);
  const scan = await withMode(join(root, "p", "private"), 0, () => scanWorkspace(root));
  assert.deepEqual(scan.failed.sort(), ["p/private", "project", "q/file.md", "q/folder"]);
  assert.deepEqual(scan.projects, ["p", "project", "q"]);
});

test("one folder that is unreadable is failed, whether its files are looked at or only named", {
  skip: ON_WINDOWS && "chmod takes no read permission on Windows",
}, async (t) => {
  const root = makeWorkspace(t, { "p/tasks/001-a.md": "# A\n" });
  chmodSync(root, 0o755);
  await withMode(join(root, "p/tasks"), 0o300, () => {
    for (const scan of [scanFolder, namesBelow])
      assert.deepEqual(scan(root, "p/tasks").failed, ["p/tasks"], scan.name);
  });
});

test("an unreadable root is failed, with the reason", (t) => {
  const root = makeWorkspace(t, { "p/a.md": "" });
  replaceCall(t, "readdirSync", () => () => {
    throw systemError("EIO");
  });
  const scan = scanWorkspace(root);
  assert.deepEqual([scan.failed, scan.files], [[""], []]);
  assert.deepEqual(skipped(scan), { "": "not readable: the disk answered with an error" });
});

test("a folder that becomes a file during the scan is failed, and the rest is scanned", (t) => {
  const root = makeWorkspace(t, { "p/gone/a.md": "", "p/stays/b.md": "" });
  replaceCall(t, "readdirSync", (real) => (...args) => {
    const entries = real(...args);
    if (basename(realpathSync.native(String(args[0]))) === "p") {
      rmSync(join(root, "p", "gone"), { recursive: true });
      writeFileSync(join(root, "p", "gone"), "");
    }
    return entries;
  });
  const scan = scanWorkspace(root);
  assert.deepEqual([paths(scan), scan.failed], [["p/stays/b.md"], ["p/gone"]]);
});

test("a file that is deleted during the scan is left out without an error", (t) => {
  const root = makeWorkspace(t, { "p/gone.md": "", "p/stays.md": "" });
  replaceCall(t, "readdirSync", (real) => (...args) => {
    const entries = real(...args);
    rmSync(join(root, "p", "gone.md"), { force: true });
    return entries;
  });
  const scan = scanWorkspace(root);
  assert.deepEqual([paths(scan), scan.failed], [["p/stays.md"], []]);
});

test("a file without readable stats is failed, not deleted", (t) => {
  const root = makeWorkspace(t, { "p/bad.md": "", "p/good.md": "" });
  replaceCall(t, "statSync", (real) => (...args) => {
    if (String(args[0]).endsWith("bad.md")) throw systemError("EIO");
    return real(...args);
  });
  const scan = scanWorkspace(root);
  assert.deepEqual([paths(scan), scan.failed], [["p/good.md"], ["p/bad.md"]]);
});

const ODD_NAMES = [
  "with spaces.md",
  "🙂 emoji.md",
  "#hash%2F.md",
  "cafe\u0301.md",
  "caf\u00e9.md",
  `${"x".repeat(247)}.md`,
  "\uFFFD.md",
];

test("unusual names are unchanged", (t) => {
  const root = makeWorkspace(t, Object.fromEntries(ODD_NAMES.map((name) => [`p/${name}`, ""])));
  // Some disks take both compositions of é for one name.
  const onDisk = readdirSync(join(root, "p"));
  assert.ok(onDisk.length >= ODD_NAMES.length - 1);
  assert.deepEqual(paths(scanWorkspace(root)), onDisk.map((name) => `p/${name}`).sort());
});

/** Writes a file, or without content makes a folder, with a name in bytes. */
function tryName(folder: string, name: Buffer, content?: string): boolean {
  const file = Buffer.concat([Buffer.from(`${folder}/`), name]);
  try {
    if (content === undefined) mkdirSync(file);
    else writeFileSync(file, content);
    return true;
  } catch {
    return false; // macOS and Windows take Unicode names only.
  }
}

test("names that are not UTF-8 are skipped with a reason, whatever is beside them", (t) => {
  const root = makeWorkspace(t, { "p/\uFFFD.md": "real", "p/a.md": "" });
  const bytes = (start: number, end = "") => Buffer.concat([Buffer.from([start]), Buffer.from(end)]);
  if (!tryName(join(root, "p"), bytes(0xff, ".md"), "x")) return t.skip("this disk takes Unicode names only");
  tryName(join(root, "p"), bytes(0xfe, "other.md"), "x");
  tryName(join(root, "p"), bytes(0xfe));
  tryName(root, bytes(0xff));
  tryName(root, bytes(0xfe));
  const scan = scanWorkspace(root);
  assert.deepEqual([paths(scan), scan.projects, scan.failed], [["p/a.md", "p/\uFFFD.md"], ["p"], []]);
  const reason = "its name is not valid UTF-8";
  assert.deepEqual(skipped(scan), {
    "p/\uFFFD": reason,
    "p/\uFFFD.md": reason,
    "p/\uFFFDother.md": reason,
    "\uFFFD": reason,
  });
});

test("a file of the largest size is a document; with one more byte it is skipped with a reason", (t) => {
  const root = makeWorkspace(t, { "p/fits.md": "", "p/large.md": "" });
  truncateSync(join(root, "p", "fits.md"), MAX_DOCUMENT_BYTES);
  truncateSync(join(root, "p", "large.md"), MAX_DOCUMENT_BYTES + 1);
  const scan = scanWorkspace(root);
  assert.deepEqual([paths(scan), skipped(scan)], [["p/fits.md"], { "p/large.md": "larger than 32 MB" }]);
});

test("folders are walked 64 deep; deeper ones are skipped with a reason", (t) => {
  const root = temporaryFolder(t);
  const folder = (depth: number) => Array.from({ length: depth }, () => "d").join("/");
  writeFiles(root, { [`${folder(64)}/seen.md`]: "", [`${folder(70)}/unseen.md`]: "" });
  const scan = scanWorkspace(root);
  assert.deepEqual(paths(scan), [`${folder(64)}/seen.md`]);
  assert.deepEqual(skipped(scan), { [folder(65)]: "nested too deeply" });
});

test("temporary files are listed as temporary, not as documents", (t) => {
  const root = makeWorkspace(t, { "p/tasks/a.md": "" });
  const real = realpathSync.native(root);
  const litter = ["x.db", "p/a.md", "p/tasks/a.md"].map((path) =>
    temporaryFor(join(real, ...path.split("/"))),
  );
  for (const file of litter) writeFileSync(file, "half");
  writeFileSync(join(real, "p", ".vibe-mcp-mine.tmp"), "");
  const scan = scanWorkspace(root);
  assert.deepEqual([scan.temporaries.sort(), paths(scan)], [litter.sort(), ["p/tasks/a.md"]]);
});

test("two scans of the same workspace are equal", (t) => {
  const root = makeWorkspace(t, { "p/z.md": "", "p/a/x.md": "", "q/b.md": "" });
  link(root, "../q", "p/q");
  link(root, "../p/a", "q/a");
  assert.deepEqual(scanWorkspace(root), scanWorkspace(root));
});
