import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { KILL } from "../fixtures/built.ts";
import { numRuns, someOf } from "../fixtures/num-runs.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";
import { report } from "./runs.ts";
import { type Served, serve } from "./server.ts";

const ROUNDS = numRuns(1000);

/** A workspace whose folders a second process keeps swapping for links; all files outside say "secret". */
async function swapped(t: TestContext): Promise<Served & { outside: () => string[] }> {
  const base = temporaryFolder(t);
  writeFiles(base, {
    "root/p/notes/a.md": "# Shared\n\nshared inside\n",
    "root/p/sessions/2020-01-01.md": "# Shared\n\nshared inside\n",
    "outside/notes/a.md": "# Shared\n\nshared secret\n",
    "outside/notes/secret.md": "# Shared\n\nshared secret\n",
    "outside/sessions/2020-01-01.md": "# Shared\n\nshared secret\n",
  });
  const served = await serve(t, join(base, "root"), { args: ["--tools", "all"] });
  const script = fileURLToPath(new URL("./swap-child.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, base], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill(KILL));
  await once(child.stdout, "data");
  return { ...served, outside: () => stateOf(join(base, "outside")) };
}

/** Everything below a folder: names, times and texts. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const file = join(folder, name);
      const { mtimeMs } = statSync(file);
      return `${name} ${mtimeMs} ${statSync(file).isFile() ? readFileSync(file, "utf8") : ""}`;
    });
}

const DOCUMENT = { project: "p", folder: "notes", filename: "a.md" };

const ATTACKED: Record<string, { name: string; args: (round: number) => Record<string, unknown> }> = {
  read: { name: "read_doc", args: () => DOCUMENT },
  write: { name: "update_doc", args: (round) => ({ ...DOCUMENT, content: `shared inside ${round}\n` }) },
  create: {
    name: "create_doc",
    args: (round) => ({ ...DOCUMENT, filename: `new-${round}.md`, content: "shared inside\n" }),
  },
  log: { name: "log_session", args: () => ({ project: "p", content: "shared inside" }) },
  search: { name: "search", args: () => ({ query: "shared", project: "p" }) },
};

for (const [what, { name, args }] of someOf(Object.entries(ATTACKED))) {
  test(`a link swapped in during a call leads no ${what} out of the workspace`, {
    skip: process.platform !== "linux" && "elsewhere a window of microseconds remains (docs/security.md)",
    timeout: 600_000,
  }, async (t) => {
    const { client, outside } = await swapped(t);
    const before = outside();
    const outcomes = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const result = await client.callTool({ name, arguments: args(round) });
      const [{ text = "" } = {}] = result.content as { text?: string }[];
      assert.ok(!text.includes("secret"), text);
      const code =
        result.isError === true ? (JSON.parse(text) as { error: { code: string } }).error.code : "ok";
      outcomes.set(code, (outcomes.get(code) ?? 0) + 1);
    }
    assert.deepEqual(outside(), before);
    assert.ok((outcomes.get("ok") ?? 0) > ROUNDS / 25, JSON.stringify([...outcomes]));
    assert.ok(outcomes.size > 1 || what === "search", "no call met a swap");
    report(t, `a link swapped in during ${name}`, ROUNDS, "nothing read or written outside");
  });
}
