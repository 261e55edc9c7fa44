import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { MAX_CHUNK_CHARS } from "../../src/core/markdown/chunks.ts";
import { MAX_HEADINGS } from "../../src/core/markdown/headings.ts";
import { someOf } from "../fixtures/num-runs.ts";
import { makeWorkspace, open } from "../fixtures/workspace.ts";
import { type Served, serve } from "./server.ts";

const MB = 1024 * 1024;
const SIZE = 16 * MB;
/** So little text takes no more memory than this (a briefing of eight million headings 680 MB); with a chunk for each it took gigabytes. */
const MOST_MEMORY = 800 * MB;

const words = Array.from({ length: 5000 }, (_, n) => (n * 7919).toString(36));
const paragraph = (n: number) =>
  `${Array.from({ length: 80 }, (_, at) => words[(n * 31 + at * at) % words.length]).join(" ")}.\n\n`;
const prose = Array.from({ length: 20_000 }, (_, n) => paragraph(n)).join("");

/** The lines that make a document most expensive. */
const TEXTS: Record<string, string> = {
  "one heading after another": "# h\n".repeat(SIZE / 4),
  "decisions within decisions": "# Decisions\n".repeat(SIZE / 48),
  "links without end": "[a](b.md) [[c]] `[[d]]` ![[\n".repeat(SIZE / 32),
  "nothing but blank lines": "\n".repeat(SIZE),
  "ordinary prose": prose,
};

/** Returns how many pings were answered before `work` was done. */
async function pingsDuring({ client }: Served, work: Promise<unknown>): Promise<number> {
  let [pings, isDone] = [0, false];
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await client.ping({ timeout: 600_000 });
    if (!isDone) pings++;
  }
  await done;
  return pings;
}

for (const [name, text] of someOf(Object.entries(TEXTS))) {
  test(`a server answers other calls while it indexes a document of ${name}, once`, async (t) => {
    const files = ["plans/execution-plan.md", "notes/large.md"].map((path) => [`p/${path}`, text]);
    const root = makeWorkspace(t, { ...Object.fromEntries(files), "p/a.md": "wombat" });
    const first = await serve(t, root);
    const answer = first.call<{ total_matches: number }>("search", { query: "wombat" });
    assert.ok((await pingsDuring(first, answer)) > 0);
    assert.equal((await answer).total_matches, 1);
    const briefing = first.client.getPrompt({ name: "session_start", arguments: { project: "p" } });
    await pingsDuring(first, briefing);
    const status = `/proc/${first.pid}/status`;
    const peak = existsSync(status) ? /VmHWM:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1] : 0;
    assert.ok(Number(peak) * 1024 < MOST_MEMORY, `${peak} KB`);
    await first.close();
    const second = await serve(t, root);
    const { stats } = await second.call<{ stats: Record<string, number> }>("reindex");
    assert.equal(stats["added"], 0, "it is indexed already");
    await second.close();
    const { workspace } = open(t, root);
    const chunks = await workspace.index.query(
      (db) => db.exec("SELECT count(*) FROM chunks")[0]?.values[0]?.[0],
    );
    const most = files.length * (MAX_HEADINGS + (2 * text.length) / MAX_CHUNK_CHARS + 1);
    assert.ok(Number(chunks) <= most, `${chunks} chunks`);
  });
}
