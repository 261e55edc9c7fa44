import { test } from "node:test";
import { describeDocument, locateDocument } from "../../src/core/notes/document.ts";
import { mergeNotes } from "../../src/core/notes/merge/merge.ts";
import { blockLines } from "../../src/sessions/transcripts/block.ts";
import { readTranscript } from "../../src/sessions/transcripts/transcript.ts";
import { backlogFiles } from "../../src/setup/imports/backlog.ts";
import { beadsTasks } from "../../src/setup/imports/beads.ts";
import { taskmasterTasks } from "../../src/setup/imports/taskmaster.ts";
import { assertProportionate } from "../fixtures/growth.ts";
import { DAY } from "../fixtures/transcripts.ts";

/** What a text repeats to make a reader look at it again and again. */
const PARTS = [
  " #",
  "#",
  " ",
  "\t ",
  "- \n",
  "- [ ] a\n",
  "[",
  "[](",
  "![",
  "`",
  "``` ",
  "<",
  "<!-- ",
  "</",
  '"',
  "'",
  "\\",
].concat([
  "|-",
  "**",
  "_",
  ": ",
  "a: ",
  "a=",
  "{",
  "()",
  "(",
  "(a",
  "&#1",
  "://a:",
  "-----BEGIN ",
  "password=",
  "git commit -m ",
  "\n<!-- AC:BEGIN -->\n",
  "\r",
  " \n",
  " #a",
  " #1",
  "%% #a ",
  " #a {",
]);

const merge = (isSession: boolean) => (text: string) =>
  mergeNotes({ base: "", ours: `a${text}x`, theirs: `b${text}y` }, { isSession });
const describe = (path: string) => (text: string) => {
  const location = locateDocument(path);
  return location && describeDocument(location, `${text}x`);
};
const lines = (...records: object[]) => records.map((record) => JSON.stringify(record));
const about = { sessionId: "s", cwd: "/x", timestamp: "2026-11-20T10:00:00.000Z" };

const READERS: Record<string, (text: string) => unknown> = {
  "a task": describe("p/tasks/001-a.md"),
  "a plan": describe("p/plans/a.md"),
  "a session": describe("p/sessions/2026-01-01.md"),
  "two tasks that merge": merge(false),
  "two sessions that merge": merge(true),
  "a task of Backlog.md": (text) =>
    backlogFiles([
      {
        path: "tasks/task-1 - x.md",
        text: `---\nid: task-1\ntitle: x\nstatus: To Do\n---\n\n## a${text}x\n\n${text}x\n`,
      },
    ]),
  "an issue of beads": (text) =>
    beadsTasks([
      { path: "a", lines: lines({ id: "a-1", title: text, description: `a${text}x`, status: text }) },
    ]),
  "a task of Task Master": (text) =>
    taskmasterTasks({
      path: "a",
      text: JSON.stringify({ tasks: [{ id: 1, title: text, details: `a${text}x`, status: text }] }),
    }),
  "what an agent said": (text) => blockLines({ ...DAY, said: `# a${text}x`, asks: [`a${text}x`] }),
  "a record of a session": (text) =>
    readTranscript(
      lines(
        { ...about, type: "user", message: { role: "user", content: `a${text}x` } },
        { ...about, type: "assistant", message: { content: [{ type: "text", text: `# a${text}x` }] } },
      ),
      { written: new Date(0) },
    ),
};

for (const [name, read] of Object.entries(READERS))
  test(`reading ${name} takes time in proportion to its length`, () => {
    assertProportionate(PARTS, read, 4_000);
  });
