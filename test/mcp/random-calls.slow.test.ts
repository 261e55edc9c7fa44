import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { attempt } from "../../src/core/storage/fs-errors.ts";
import { hashOf } from "../../src/core/storage/read.ts";
import { numRuns, SEED } from "../fixtures/num-runs.ts";
import { type Call, FILES, ITS_HASH, LAST_CHANGE, randomCalls } from "../fixtures/random-calls.ts";
import { treeOf } from "../fixtures/random-writes.ts";
import { type Connected, connect, makeWorkspace } from "../fixtures/workspace.ts";

/** What a client may be given, and its share of the calls. */
const SETS = [
  [{ current: "p" }, 0.6],
  [{ tools: "core" }, 0.1],
  [{ api: "v1" }, 0.15],
  [{ readOnly: true }, 0.05],
  [{ tools: "vault" }, 0.1],
] as const;
const CALLS = numRuns(10_000);
/** In one workspace. */
const BATCH = 250;
const PATIENCE_MS = 30_000;

const CHANGE = /"change":"([^"]+)"/;

/** The call with what it stands for. */
function filled({ name, arguments: args }: Call, root: string, change: string): Call {
  const hash = (path: unknown) => hashOf(readFileSync(join(root, `${path}`))).slice(0, 16);
  const values = Object.entries(args).map(([key, value]) => {
    if (value === LAST_CHANGE) return [key, change];
    return [key, value === ITS_HASH ? (attempt(() => hash(args["path"])) ?? value) : value];
  });
  return { name, arguments: Object.fromEntries(values) };
}

/** Makes a call, and returns whether it failed, and its text. */
async function answer({ client }: Connected, call: Call): Promise<{ isError: boolean; text: string }> {
  const late = new AbortController();
  const answered = client.callTool(call).finally(() => late.abort());
  const timeout = wait(PATIENCE_MS, undefined, { signal: late.signal }).then(() => assert.fail("no answer"));
  const { isError, content } = await Promise.race([answered, timeout]);
  return { isError: isError === true, text: JSON.stringify(content) };
}

test(`${CALLS} calls by the tools' own schemas: all are answered, and what fails changes nothing`, async (t) => {
  for (const [at, [settings, share]] of SETS.entries())
    for (let left = Math.ceil(CALLS * share), batch = 0; left > 0; left -= BATCH, batch++) {
      const root = makeWorkspace(t, FILES);
      const connected = await connect(t, root, settings);
      const { tools } = await connected.client.listTools();
      const isReader = new Map(tools.map((tool) => [tool.name, tool.annotations?.readOnlyHint]));
      let change = "";
      let before = treeOf(root);
      for (const drawn of randomCalls(tools, {
        seed: SEED + at * 1000 + batch,
        count: Math.min(left, BATCH),
      })) {
        const call = filled(drawn, root, change);
        const said = `${JSON.stringify(settings)} ${JSON.stringify(call).slice(0, 2000)}`;
        const { isError, text } = await answer(connected, call).catch((error) =>
          assert.fail(`${said}: ${error}`),
        );
        const after = treeOf(root);
        if (isError || isReader.get(call.name)) assert.deepEqual(after, before, said);
        assert.deepEqual(
          connected.logged.filter((line) => line.includes("unexpected")),
          [],
          said,
        );
        assert.doesNotMatch(text, /INDEX_ERROR/, said);
        change = CHANGE.exec(text.replaceAll('\\"', '"'))?.[1] ?? change;
        before = after;
      }
      await connected.client.close();
      await connected.workspace.close();
    }
});
