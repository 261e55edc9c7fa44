import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { builtFile } from "../fixtures/built.ts";
import { callers, makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const skip =
  spawnSync("unshare", ["--mount", "sh", "-c", "mount -t tmpfs none /mnt && nsenter --version"]).status !==
    0 && "needs unshare, nsenter and the right to mount";
const FILL = 'mkdir -p "$0/p/tasks" && echo "# A zebra" > "$0/p/a.md" && echo "# S" > "$0/p/status.md"';
const MOUNT = 'mount -t tmpfs none "$1"';

interface Found {
  total_matches: number;
}

for (const [what, place, named] of [
  ["the root", "", "of the notes"],
  ["a project", "p", "'p'"],
] as const)
  test(`${what} on a disk that is unmounted is not there, and comes back`, { skip }, async (t) => {
    const root = makeWorkspace(t, place === "" ? {} : { "q/a.md": "# A\n" });
    const mount = join(root, place);
    mkdirSync(mount, { recursive: true });
    const start = `${MOUNT} && ${FILL} && shift && exec "$@"`;
    const server = [process.execPath, builtFile(t), "--root", root];
    const transport = new StdioClientTransport({
      command: "unshare",
      args: ["--mount", "sh", "-c", start, root, mount, ...server],
      env: { PATH: process.env["PATH"] ?? "", HOME: temporaryFolder(t), TZ: "UTC" },
      stderr: "ignore",
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    t.after(() => client.close());
    const { call, fail } = callers(client);
    const there = (...command: string[]) =>
      execFileSync("nsenter", ["--mount", "--target", String(transport.pid), ...command], {
        encoding: "utf8",
      });
    const isFound = async () => (await call<Found>("search", { query: "zebra", project: "p" })).total_matches;
    assert.equal(await isFound(), 1);
    there("umount", "-l", mount);
    for (const [tool, args] of [
      ["search", { query: "zebra", project: "p" }],
      ["get_briefing", { project: "p" }],
      ["read_doc", { path: "p/a.md" }],
      ["create_doc", { path: "p/references/late.md", content: "# Late\n" }],
      ["create_task", { project: "p", title: "Late", objective: "Late" }],
      ["vault_create", { path: "p/late.md", content: "# Late\n" }],
    ] as const)
      assert.match(
        (await fail(tool, args)).message,
        new RegExp(`^The folder ${named} is not there now`),
        tool,
      );
    if (place !== "") await call("create_doc", { path: "q/b.md", content: "# Other disks are there\n" });
    assert.equal(there("ls", "-A", mount), "", "nothing is written where the disk was");
    there("sh", "-c", `${MOUNT} && ${FILL}`, root, mount);
    assert.equal(await isFound(), 1);
    await call("create_doc", { path: "p/references/again.md", content: "# Again\n" });
  });
