import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { OPTIONS, type Option } from "../../src/core/config/options.ts";
import { connectHttp, freePort, send, startHttp } from "../fixtures/http.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const read = (name: string) => readFileSync(join("deploy", name), "utf8");

/** A reason to skip if a program is not installed. */
function without(program: string, args: string[]): string | false {
  return spawnSync(program, args).status === 0 ? false : `${program} is not installed`;
}

const noCaddy = without("caddy", ["version"]);

test("Caddy accepts the Caddyfile and its formatting", { skip: noCaddy }, (t) => {
  const home = temporaryFolder(t);
  const run = (...args: string[]) =>
    spawnSync("caddy", args, {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: home, DOMAIN: "localhost" },
    });
  const valid = run("validate", "--adapter", "caddyfile", "--config", join("deploy", "Caddyfile"));
  assert.equal(valid.status, 0, valid.stderr);
  assert.equal(run("fmt", join("deploy", "Caddyfile")).stdout, read("Caddyfile"));
});

test("both transports work through Caddy, without delayed events", { skip: noCaddy }, async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# Zanzibar\n" });
  const server = await startHttp(t, ["--root", root, "--trust-proxy"]);
  const port = await freePort();
  const home = temporaryFolder(t);
  const caddy = spawn("caddy", ["run", "--adapter", "caddyfile", "--config", join("deploy", "Caddyfile")], {
    env: {
      PATH: process.env["PATH"],
      HOME: home,
      XDG_DATA_HOME: home,
      XDG_CONFIG_HOME: home,
      DOMAIN: `http://localhost:${port}`,
      UPSTREAM: `127.0.0.1:${server.port}`,
    },
    stdio: "ignore",
  });
  t.after(() => caddy.kill("SIGKILL"));
  const front = { origin: `http://localhost:${port}` };
  while (!(await send(front, { path: "/health" }).catch(() => undefined))?.ok)
    await new Promise(setImmediate);
  for (const sse of [false, true]) {
    const { call, client } = await connectHttp(t, front, { sse });
    assert.equal((await call("search", { query: "zanzibar" }))["total_matches"], 1);
    await client.close();
  }
  assert.equal((await send(front, { token: null })).status, 401);
  const refused = await send(front, { token: null, headers: { "X-Forwarded-For": "203.0.113.9" } });
  await refused.text();
  server.child.kill();
  await server.exit;
  assert.doesNotMatch(server.stderr(), /203\.0\.113\.9/);
});

test("systemd accepts the unit and rates it as well protected", {
  skip: without("systemd-analyze", ["--version"]),
}, (t) => {
  const file = unitFor(t);
  const verified = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
  assert.equal(verified.status, 0, verified.stderr);
  assert.doesNotMatch(verified.stderr, /vibe-mcp\.service/);
  const rated = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", file], {
    encoding: "utf8",
  });
  assert.equal(rated.status, 0, rated.stdout.split("\n").slice(-3).join("\n"));
});

function unitFor(t: TestContext): string {
  const file = join(temporaryFolder(t), "vibe-mcp.service");
  copyFileSync(join("deploy", "vibe-mcp.service"), file);
  return file;
}

test("the Dockerfile copies exactly the files that .dockerignore allows", (t) => {
  const allowed =
    read("Dockerfile.dockerignore")
      .match(/^!(\S+)/gm)
      ?.map((line) => line.slice(1)) ?? [];
  const copied = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  assert.deepEqual(copied.sort(), allowed.sort());
  const folder = temporaryFolder(t);
  const probe = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(read("Dockerfile"))?.[1] ?? "";
  const [program, , script = ""] = JSON.parse(probe) as string[];
  assert.equal(program, "node");
  writeFileSync(join(folder, "probe.cjs"), script);
  const probed = spawnSync(process.execPath, [join(folder, "probe.cjs")], { env: { VIBE_PORT: "1" } });
  assert.equal(probed.status, 1, "the probe fails if no server answers");
});

test("every setting in deploy/ exists", () => {
  const known = Object.values<Option>(OPTIONS).map(({ variable }) => variable);
  const own = ["VIBE_DATA"];
  for (const name of ["Dockerfile", "compose.yaml", "vibe-mcp.service", "Caddyfile"]) {
    for (const [variable] of read(name).matchAll(/\bVIBE_[A-Z_]+/g))
      assert.ok(known.includes(variable) || own.includes(variable), `${name}: ${variable}`);
  }
});
