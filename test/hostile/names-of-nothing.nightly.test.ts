import assert from "node:assert/strict";
import { test } from "node:test";
import { createListening } from "../../src/core/mcp/resources/listen.ts";
import { createSubscriptions } from "../../src/core/mcp/resources/subscriptions.ts";
import { connect, makeWorkspace } from "../fixtures/workspace.ts";

const NOTES = Object.fromEntries(
  Array.from({ length: 3000 }, (_, at) => [`p/references/note-${at}.md`, "x\n"]),
);

test("a request to follow 1,000 names of nothing is answered, and others are meanwhile", async (t) => {
  const { notes, call } = await connect(t, makeWorkspace(t, NOTES));
  const listening = createListening(notes, { updated: async () => {}, listChanged: async () => {} });
  t.after(listening.close);
  const names = Array.from({ length: 1000 }, (_, at) => `vibe://projects/p/references/noté-${at}x.md`);
  const resourceSubscriptions = [...names, "vibe://projects/p/references/note-7.md"].reverse();
  const started = process.cpuUsage();
  const opened = listening.open({
    method: "subscriptions/listen",
    id: 1,
    params: { notifications: { resourceSubscriptions } },
  });
  let turns = 0;
  const timer = setInterval(() => turns++, 5);
  const acknowledged = await opened;
  clearInterval(timer);
  const spent = process.cpuUsage(started);
  const { notifications } = acknowledged?.params ?? {};
  assert.deepEqual(notifications?.resourceSubscriptions, ["vibe://projects/p/references/note-7.md"]);
  assert.ok(turns > 0, "nothing else ran meanwhile");
  assert.ok((spent.user + spent.system) / 1e6 < 40, "suggestions for each name took minutes");
  await call("read_doc", { path: "p/references/note-7.md" });
});

test("many spellings of one note are followed as a few", async (t) => {
  const { notes } = await connect(t, makeWorkspace(t, { "p/references/note.md": "x\n" }));
  const subscriptions = createSubscriptions(notes, {
    updated: async () => {},
    listChanged: async () => {},
  });
  t.after(subscriptions.close);
  const letters = [..."note"].map((letter) => [letter, `%${letter.charCodeAt(0).toString(16)}`]);
  const spellings = Array.from({ length: 16 }, (_, bits) =>
    letters.map((forms, at) => forms[(bits >> at) & 1]).join(""),
  );
  const added = spellings.map((name) => {
    try {
      return subscriptions.add(`vibe://projects/p/references/${name}.md`);
    } catch {
      return false;
    }
  });
  assert.equal(added.filter(Boolean).length, 4);
});
