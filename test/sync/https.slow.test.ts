import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { createLog } from "../../src/core/lib/log.ts";
import { AutoSync } from "../../src/together/sync/auto-sync.ts";
import { noOpenssl, startWeb } from "../fixtures/https-server.ts";
import { imageOf, noGit, startMachine } from "../fixtures/machines.ts";
import { temporaryFolder } from "../fixtures/workspace.ts";

const options = { skip: noGit || noOpenssl };
const PASSWORD = "correct-horse";

/** Git's own server for HTTP, behind a password. */
function serveGit(folder: string, state: { hangs: boolean }) {
  return (request: IncomingMessage, response: ServerResponse) => {
    if (state.hangs) return;
    const expected = `Basic ${Buffer.from(`ana:${PASSWORD}`).toString("base64")}`;
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { "WWW-Authenticate": 'Basic realm="notes"' }).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? "/", "https://localhost");
    const {
      "content-type": type = "",
      "content-encoding": encoding = "",
      "git-protocol": protocol = "",
    } = request.headers as Record<string, string>;
    const child = spawn("git", ["http-backend"], {
      env: {
        PATH: process.env["PATH"],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: "1",
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: type,
        HTTP_CONTENT_ENCODING: encoding,
        GIT_PROTOCOL: protocol,
        REMOTE_USER: "ana",
        REMOTE_ADDR: "127.0.0.1",
      },
    });
    request.pipe(child.stdin);
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("close", () => {
      const answer = Buffer.concat(chunks);
      const end = answer.indexOf("\r\n\r\n");
      const fields = answer
        .toString("latin1", 0, end)
        .split("\r\n")
        .map((line) => line.split(": ") as [string, string]);
      const { Status: status = "200", ...headers } = Object.fromEntries(fields);
      response.writeHead(Number.parseInt(status, 10), headers).end(answer.subarray(end + 4));
    });
  };
}

async function secureRemote(t: TestContext) {
  const folder = temporaryFolder(t);
  execFileSync("git", ["init", "-q", "--bare", join(folder, "notes.git")]);
  execFileSync("git", ["-C", join(folder, "notes.git"), "config", "http.receivepack", "true"]);
  const state = { hangs: false };
  const { port, ca } = await startWeb(t, serveGit(folder, state));
  const cert = join(folder, "ca.pem");
  writeFileSync(cert, ca);
  /** What a user's own settings have. */
  const keep = (home: string, password: string) => {
    const store = join(home, "passwords");
    writeFileSync(store, `https://ana:${password}@localhost%3a${port}\n`);
    const helper = `[credential]\n\thelper = store --file=${store}\n`;
    writeFileSync(join(home, ".gitconfig"), `[http]\n\tsslCAInfo = ${cert}\n${helper}`);
  };
  return { address: `https://localhost:${port}/notes.git`, keep, state };
}

test(
  "over https, git's own credential helper gives the password; a wrong one is said, and waits for the right one",
  options,
  async (t) => {
    const { address, keep, state } = await secureRemote(t);
    const ana = await startMachine(t, { name: "ana", remote: address, files: { "p/status.md": "# P\n" } });
    assert.match(ana.first.problem ?? "", /certificate|cannot be reached/);
    keep(ana.home, "wrong");
    assert.match((await ana.setUp()).problem ?? "", /refuses the password/);
    keep(ana.home, PASSWORD);
    assert.deepEqual((await ana.setUp()).sent, ["p/status.md"]);
    const ben = await startMachine(t, {
      name: "ben",
      remote: address,
      files: {},
      prepare: (home) => keep(home, PASSWORD),
    });
    assert.deepEqual(imageOf(ben.root), imageOf(ana.root));
    keep(ben.home, "changed");
    writeFileSync(join(ben.root, "p/new.md"), "# New\n");
    const refused = await ben.sync();
    assert.match(refused.problem ?? "", /refuses the password/);
    assert.equal(refused.unsent, 1);
    keep(ben.home, PASSWORD);
    assert.deepEqual((await ben.sync()).sent, ["p/new.md"]);

    state.hangs = true;
    const { workspace, env } = ben;
    const sharing = new AutoSync({ workspace, state: ben.state, env, log: createLog("error", () => {}) });
    const waiting = sharing.exchange("p");
    const started = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await ben.call("search", { query: "New" });
    await sharing.close();
    await waiting;
    assert.ok(performance.now() - started < 15_000, "a server that ends waits for no remote");
  },
);
