import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { UserError } from "../../src/core/lib/errors.ts";
import { planLink, writeLink } from "../../src/core/workspace/place/project-block.ts";
import { ON_WINDOWS } from "../fixtures/disk.ts";
import { numRuns } from "../fixtures/num-runs.ts";
import { temporaryFolder, writeFiles } from "../fixtures/workspace.ts";
import { contentOf } from "./newcomer.ts";
import { report } from "./runs.ts";
import { swapping } from "./swapper.ts";

const skip = ON_WINDOWS && "Links need a right of their own there";

test("a link that replaces AGENTS.md during the call leads no write out", { skip }, async (t) => {
  const [repository, outside, home] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  writeFiles(repository, { ".git/HEAD": "" });
  writeFiles(outside, { shell: "echo hello\n" });
  const place = join(repository, "AGENTS.md");
  const stop = await swapping(t, place, { outside: join(outside, "shell"), inner: "" });
  const counts = { written: 0, refused: 0 };
  const writes = numRuns(40);
  while (counts.written < writes || counts.refused < writes) {
    const plan = planLink(join(home, ".vibe"), { folder: repository, home });
    assert.ok(plan !== undefined);
    try {
      await writeLink(plan, `number ${counts.written}`);
      counts.written++;
    } catch (error) {
      assert.ok(error instanceof UserError, String(error));
      counts.refused++;
    }
  }
  await stop();
  assert.deepEqual(contentOf(outside), { shell: "echo hello\n" });
  report(t, "AGENTS.md swapped for a link", counts.written + counts.refused, "nothing outside");
});
