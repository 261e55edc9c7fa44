import { describeDocument, locateDocument } from "../../domain/document.ts";
import { parseTaskNumber } from "../../domain/names.ts";
import { isTaskStatus } from "../../domain/status.ts";
import { type Gate, gateOf } from "../../files/gate.ts";
import { namesIn } from "../../files/inspect.ts";
import { readScanned } from "../../files/read.ts";
import type { ScannedFile } from "../../files/walk.ts";
import { escapeName } from "../../lib/escape.ts";
import { groupBy } from "../../lib/group.ts";
import { counted } from "../../lib/text.ts";
import { type Finding, note, ok, type Patient, problem, some } from "./finding.ts";

/** What search leaves out, and what is read in another way than its writer may expect. */
export function checkDocuments({ config, scan }: Patient): Finding[] {
  const unreadable = scan.failed.filter(
    (path) => path !== "" && !scan.skipped.some((left) => left.path === path),
  );
  const left = [
    ...scan.skipped.map(({ path, reason }) =>
      problem(
        "left-out",
        `${escapeName(path) || "the root"}: ${reason}.`,
        REMEDIES[reason.split(":")[0] ?? ""] ?? "Move it, or rename it.",
      ),
    ),
    ...unreadable.map((path) =>
      problem("left-out", `${escapeName(path)}: not readable.`, REMEDIES["not readable"] ?? ""),
    ),
  ];
  const loose = namesIn(config.root).filter((name) => /^[^.].*\.md$/i.test(name));
  if (loose.length > 0) {
    const message = `${some(loose)} in the root itself: belongs to no project, and is not indexed.`;
    left.push(note("left-out", message, "Move it into a project's folder."));
  }
  const found = [...left, ...checkNumbers(scan.files), ...checkTexts(config.root, scan.files)];
  if (found.length > 0) return found;
  return [ok("documents", "No file is left out, and all of them read as they are meant.")];
}

const REMEDIES: Record<string, string> = {
  "not readable": "Give this user the permission to read it.",
  "nested too deeply": "Move it up: folders are followed 64 deep.",
  "a link out of the workspace or to a hidden place":
    "Put the folder itself into the workspace: links are followed only inside it.",
  "larger than 32 MB": "Split it; the vault tools page through it as it is.",
  "its name is not valid UTF-8": "Rename it.",
  "its name has a control character or a line break": "Rename it: what it holds is not read until then.",
};

/** Two tasks of one number: who says `004` means either. */
function checkNumbers(files: readonly ScannedFile[]): Finding[] {
  const tasks = files.filter(({ path }) => locateDocument(path)?.folder === "tasks");
  const groups = groupBy(tasks, ({ path }) => {
    const number = parseTaskNumber(path);
    return number === null ? "" : `${path.split("/")[0]}/${Number(number)}`;
  });
  groups.delete("");
  return [...groups.values()].flatMap((group) => {
    if (group.length === 1) return [];
    const remedy = "Give one of them another number; changing their status by number is refused until then.";
    const message = `${group.length} tasks carry one number: ${some(group.map(({ path }) => path))}.`;
    return [problem("tasks", message, remedy)];
  });
}

/** What only the texts tell. */
function checkTexts(root: string, files: readonly ScannedFile[]): Finding[] {
  const gate = gateOf(root);
  const found: Finding[] = [];
  const lossy: string[] = [];
  const unclear: string[] = [];
  for (const file of files) {
    const { path } = file;
    const location = locateDocument(path);
    const content = read(gate, file);
    if (location === null || content === undefined) continue;
    const { problem: reason, task, status } = describeDocument(location, content.text);
    if (reason !== null)
      found.push(
        note("frontmatter", `${escapeName(path)}: ${reason}`, "Mend it: until then it counts as text."),
      );
    if (!content.exact) lossy.push(path);
    if (task !== null && !isTaskStatus(status)) unclear.push(path);
  }
  if (lossy.length > 0) {
    const message = `Not valid UTF-8: ${some(lossy)}. Search reads it as well as it can, and no tool rewrites it.`;
    found.push(note("encoding", message, "Convert it to UTF-8, e.g. with iconv."));
  }
  if (unclear.length > 0) {
    const message = `${counted(unclear.length, "task")} without a status that is known: ${some(unclear)}.`;
    const remedy = "Write a line `Status: pending` (in-progress, done, blocked) into it.";
    found.push(note("tasks", message, remedy));
  }
  return found;
}

function read(gate: Gate, file: ScannedFile) {
  try {
    return readScanned(gate, file)?.content;
  } catch {
    return undefined; // Told by the walk, or gone since.
  }
}
