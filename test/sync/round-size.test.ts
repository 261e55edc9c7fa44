import assert from "node:assert/strict";
import { test } from "node:test";
import { checkCount } from "../../src/together/sync/round-size.ts";

const paths = (folder: string, count: number) =>
  Array.from({ length: count }, (_, at) => `${folder}/${at}.md`);

test("what no machine could read is not sent, and the folder with most of it is named", () => {
  const notes = [...paths("p/tasks", 20), ...paths("q", 10)];
  assert.equal(checkCount(notes, 40), undefined);
  assert.match(
    checkCount(notes, 36) ?? "",
    /^over nine tenths of the 36 files and folders .* in 'p\/tasks':/,
  );
  for (const [data, folder] of [
    [paths("p/data", 60), "p/data"],
    [[...paths("p/data/one", 40), ...paths("p/data/two", 40)], "p/data"],
    [paths("q", 60), "q"],
  ] as const) {
    const named = new RegExp(`^the remote would have over 34 files and folders.* in '${folder}':`);
    assert.throws(() => checkCount([...notes, ...data], 34), { code: "CONFLICT", message: named });
  }
});
