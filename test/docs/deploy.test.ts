import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { OPTIONS, type Option } from "../../src/config/options.ts";
import { connectHttp, send, startHttp } from "../fixtures/http.ts";
import { makeWorkspace, temporaryFolder } from "../fixtures/workspace.ts";

const read = (name: string) => readFileSync(join("deploy", name), "utf8");

/** A reason to skip when a program is not installed. */
function without(program: string, args: string[]): string | false {
  return spawnSync(program, args).status === 0 ? false : `${program} is not installed`;
}

const noCaddy = without("caddy", ["version"]);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("Caddy accepts the Caddyfile, as it is formatted", { skip: noCaddy }, (t) => {
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

test("through Caddy both transports work, and events are not held back", { skip: noCaddy }, async (t) => {
  const root = makeWorkspace(t, { "p/status.md": "# Zanzibar\n" });
  const server = await startHttp(t, ["--root", root, "--trust-proxy"]);
  const port = await freePort();
  const home = temporaryFolder(t);
  const caddy = spawn("caddy", ["run", "--adapter", "caddyfile", "--config", join("deploy", "Caddyfile")], {
    env: {
      ...{ PATH: process.env["PATH"], HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
      ...{ DOMAIN: `http://localhost:${port}`, UPSTREAM: `127.0.0.1:${server.port}` },
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
  const told = await send(front, { token: null, headers: { "X-Forwarded-For": "203.0.113.9" } });
  await told.text();
  server.child.kill();
  await server.exit;
  assert.doesNotMatch(server.stderr(), /203\.0\.113\.9/);
});

test("systemd accepts the unit, and finds it well protected", {
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

test("docker can build the image from the files that it is given", (t) => {
  const given =
    read("Dockerfile.dockerignore")
      .match(/^!(\S+)/gm)
      ?.map((line) => line.slice(1)) ?? [];
  const copied = [...read("Dockerfile").matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = ""]) =>
    names.split(" "),
  );
  assert.deepEqual(copied.sort(), given.sort());
  const folder = temporaryFolder(t);
  const probe = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(read("Dockerfile"))?.[1] ?? "";
  const [program, , script = ""] = JSON.parse(probe) as string[];
  assert.equal(program, "node");
  writeFileSync(join(folder, "probe.cjs"), script);
  const nobody = spawnSync(process.execPath, [join(folder, "probe.cjs")], { env: { VIBE_PORT: "1" } });
  assert.equal(nobody.status, 1, "the probe says no when nobody answers");
});

test("every setting that the kit names is one of the table", () => {
  const known = Object.values<Option>(OPTIONS).map(({ variable }) => variable);
  const own = ["VIBE_DATA"];
  for (const name of ["Dockerfile", "compose.yaml", "vibe-mcp.service", "Caddyfile"]) {
    for (const [variable] of read(name).matchAll(/\bVIBE_[A-Z_]+/g))
      assert.ok(known.includes(variable) || own.includes(variable), `${name}: ${variable}`);
  }
});
