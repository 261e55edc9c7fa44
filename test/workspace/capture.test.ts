import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { projectBriefing, sessionStart } from "../../src/core/workspace/briefing/briefing.ts";
import { captureSession, previewSession } from "../../src/sessions/capture/capture.ts";
import { readTranscript, type Transcript } from "../../src/sessions/transcripts/transcript.ts";
import { claudeTranscript, type Told, WORK } from "../fixtures/transcripts.ts";
import { makeWorkspace, open, temporaryFolder, writeFiles } from "../fixtures/workspace.ts";

const FILES = {
  "payments-api/tasks/004-rotate-keys.md": "# Task: Rotate keys\n\nStatus: pending\n",
  "payments-api/plans/keys.md": "# Keys\n",
  "other/tasks/001-b.md": "# Task: B\n\nStatus: pending\n",
};
const NOTE = "payments-api/sessions/2025-02-09.md";
type Parts = Parameters<typeof claudeTranscript>[0];

function sessionOf(parts: Parts, told: Told = {}) {
  const read = (after?: ReadonlyMap<string, Date>): Transcript =>
    readTranscript(claudeTranscript(parts, told).split("\n"), {
      written: new Date(),
      ...(after && { after }),
    });
  return {
    project: "payments-api",
    folder: told.folder ?? "/home/ana/payments-api",
    home: "/home/ana",
    client: "claude-code" as const,
    id: told.session ?? "6a0c1d52",
    transcript: read(),
    readAfter: (day: string, until: Date) => read(new Map([[day, until]])),
  };
}

function workspaceOf(t: TestContext, files: Record<string, string> = {}) {
  const root = makeWorkspace(t, { ...FILES, ...files });
  const { workspace } = open(t, root);
  return { root, workspace, note: () => readFileSync(join(root, NOTE), "utf8") };
}

test("a session is kept in the note of its day, with links to its tasks and documents", async (t) => {
  const { root, workspace, note } = workspaceOf(t);
  const parts = [
    ...WORK,
    { call: "Read", input: { file_path: join(root, "other/tasks/001-b.md") } },
    { call: "Edit", input: { file_path: join(root, "payments-api/plans/keys.md") } },
    { call: "Edit", input: { file_path: "/home/ana/payments-api/src/keys.ts" } },
    { call: "Edit", input: { file_path: "/home/ana/.bashrc" } },
    { call: "Edit", input: { file_path: "/etc/hosts" } },
    { call: "mcp__tracker__update_task", input: { project: "payments-api", task: "999" } },
    { call: "mcp__vibe__create_task", input: { project: "payments-api", title: "Rotate keys" } },
  ];
  const [day] = await captureSession(workspace, sessionOf(parts));
  assert.equal(day?.action, "created");
  assert.equal(day.path, NOTE);
  assert.match(note(), /^# Session Log - 2025-02-09\n\n---\n\*\*14:05:00\*\*\n\n<!-- vibe-mcp capture /);
  assert.match(
    note(),
    /\n- \*\*Tasks:\*\* \[\[004-rotate-keys\]\] \(created\), \[\[other\/tasks\/001-b\]\] \(read\)\n/,
  );
  assert.match(
    note(),
    /\n- \*\*Files:\*\* \[\[payments-api\/plans\/keys\]\], `src\/keys\.ts`, `~\/\.bashrc`, `hosts`\n/,
  );
  assert.doesNotMatch(note(), /999|abcdefgh/);
});

test("the same session is captured again into its own block, and nothing else changes", async (t) => {
  const mine = "# Session Log - 2025-02-09\n\nMine, before.\n";
  const { workspace, note } = workspaceOf(t, { [NOTE]: mine });
  await captureSession(workspace, sessionOf(WORK));
  const first = note();
  assert.ok(first.startsWith(mine));
  assert.deepEqual(
    (await captureSession(workspace, sessionOf(WORK))).map(({ action }) => action),
    ["unchanged"],
  );
  await captureSession(workspace, sessionOf(WORK, { session: "other" }));
  const longer = sessionOf([...WORK, { ask: "And the tests?" }]);
  assert.equal(previewSession(workspace, longer)[0]?.action, "replaced");
  await captureSession(workspace, longer);
  assert.match(note(), /3\. And the tests\?/);
  // What another process read before stays behind.
  await captureSession(workspace, sessionOf(WORK));
  assert.match(note(), /3\. And the tests\?/);
  assert.equal(note().match(/^## Claude Code/gm)?.length, 2);
  assert.ok(note().startsWith(mine));
});

test("a block that someone edited stays, and what came later gets a block of its own", async (t) => {
  const { workspace, root, note } = workspaceOf(t);
  await captureSession(workspace, sessionOf(WORK));
  const edited = note().replace("Now write the audit log.", "Write the audit log (done by Luis).");
  writeFileSync(join(root, NOTE), edited);
  const again = await captureSession(workspace, sessionOf(WORK));
  assert.equal(again[0]?.action, "unchanged");
  assert.equal(note(), edited);
  const longer = [...WORK, { ask: "And the tests?" }];
  for (const action of ["added", "unchanged"]) {
    assert.equal((await captureSession(workspace, sessionOf(longer)))[0]?.action, action);
    assert.ok(note().startsWith(edited.trimEnd()));
    assert.match(note(), /\*\*Asked:\*\*\n1\. And the tests\?\n/);
  }
  await captureSession(workspace, sessionOf([...longer, { ask: "And the docs?" }]));
  assert.match(note(), /\*\*Asked:\*\*\n1\. And the tests\?\n2\. And the docs\?\n/);
  assert.equal(note().match(/^## Claude Code/gm)?.length, 2);
});

test("a session that the agent logged itself gets a shorter block below", async (t) => {
  const { workspace, note } = workspaceOf(t, { [NOTE]: "# Session Log - 2025-02-09\n\n## Done\n- Keys\n" });
  const logs = { call: "mcp__vibe__log_session", input: { project: "payments-api", content: "Keys" } };
  await captureSession(workspace, sessionOf([...WORK, logs]));
  assert.match(note(), /- Keys\n[\s\S]*\*\*Asked:\*\*/);
  assert.doesNotMatch(note(), /Said last/);
});

test("sessions that end at once all keep their blocks, and the history has each note before", async (t) => {
  const { root, workspace, note } = workspaceOf(t);
  const others = [open(t, root).workspace, open(t, root).workspace];
  const ids = Array.from({ length: 9 }, (_, at) => `session-${at}`);
  await Promise.all(
    ids.map((session, at) =>
      captureSession([workspace, ...others][at % 3] ?? workspace, { ...sessionOf(WORK), id: session }),
    ),
  );
  for (const id of ids) assert.equal(note().split(`capture claude-code ${id} `).length, 2, id);
});

test("the next session's briefing begins with what the agent left open, and with what was asked", async (t) => {
  const { workspace } = workspaceOf(t, {
    [NOTE]: `# Session Log - 2025-02-09\n\n${"Words. ".repeat(900)}\n`,
  });
  await captureSession(workspace, sessionOf(WORK));
  const text = await sessionStart(workspace, { project: "payments-api", maxTokens: 2_000 });
  assert.match(
    text,
    /## Last Session \(2025-02-09\): `payments-api\/sessions\/2025-02-09\.md`\n\n\*\*Next:\*\*\n> - Ask Luis about the staging keys\n> - Delete the old ones\n\n\*\*Asked:\*\*\n> 1\. Rotate the signing keys.*\n> 2\. Now write the audit log\.\n/,
  );
  assert.match(text, /Continue with the next steps of the last session/);
  const whole = await sessionStart(workspace, { project: "payments-api" });
  assert.doesNotMatch(whole, /<!--/);
  const briefing = await projectBriefing(workspace, { project: "payments-api" });
  assert.match(briefing, /\*\*Asked:\*\*\n> 1\. Rotate the signing keys/);
});

test("only a block that this machine wrote says what was asked, and each session has one", async (t) => {
  const [state, other] = [temporaryFolder(t), temporaryFolder(t)];
  const root = makeWorkspace(t, FILES);
  const { workspace } = open(t, root, { state });
  const note = () => readFileSync(join(root, NOTE), "utf8");
  await captureSession(workspace, sessionOf(WORK));
  const written = note();
  const briefing = (from = workspace, project = "payments-api") => sessionStart(from, { project });
  assert.match(await briefing(), /\*\*Asked:\*\*\n> 1\. Rotate the signing keys/);
  assert.equal((await captureSession(workspace, sessionOf(WORK)))[0]?.action, "unchanged");

  const elsewhere = open(t, root, { state: other }).workspace;
  const said = /\*\*Asked, as this note says:\*\*\n> 1\. Rotate the signing keys/;
  assert.match(await briefing(elsewhere), said);
  assert.doesNotMatch(await briefing(elsewhere), /\*\*Asked:/);

  // The note of another project, and a block of a version that did not sign.
  writeFiles(root, { "other/sessions/2025-02-09.md": written });
  assert.doesNotMatch(await briefing(workspace, "other"), /\*\*Asked:/);
  writeFileSync(join(root, NOTE), written.replace(/ [0-9a-f]{32} -->/, " -->"));
  assert.doesNotMatch(await briefing(), /\*\*Asked:/);
  await captureSession(workspace, sessionOf(WORK));
  assert.equal(note(), written);
});
