import { join } from "node:path";
import { escapeName, quoteForShell } from "../../lib/escape.ts";
import { counted } from "../../lib/text.ts";
import { firstConflicts } from "../../markdown/conflicts.ts";
import { baseName, projectOf } from "../../notes/names.ts";
import { originalsOf } from "../../notes/task/copies.ts";
import { copyReason, type LeftOut, notTasks } from "../../notes/task/left-out.ts";
import { sharedNumbers } from "../../notes/task/shared-numbers.ts";
import { isTaskStatus, STATUS_REMEDY } from "../../notes/task/statuses.ts";
import { textProblem } from "../../notes/text-form.ts";
import { gateOf } from "../../storage/path-gate.ts";
import { readOrNull } from "../read.ts";
import { type DoctorContext, type Finding, note, ok, problem, some } from "./finding.ts";
import { linkChecker } from "./links.ts";
import { checkNames } from "./names.ts";
import { planChecker } from "./plans.ts";

/** Files that search leaves out, and texts that it may read differently from what their author expects. */
export function checkDocuments(context: DoctorContext): Finding[] {
  const { scan } = context;
  const { skipped, failed } = scan;
  const unreadable = failed
    .filter((path) => path !== "" && !skipped.some((one) => one.path === path))
    .map((path) => ({ path, reason: "not readable" }));
  const found: Finding[] = [...skipped, ...unreadable].map(({ path, reason }) => {
    const remedy = REMEDIES[reason.split(":")[0] ?? ""] ?? "Move it, or rename it.";
    const finding = problem("left-out", `${escapeName(path) || "the root"}: ${reason}.`, remedy);
    return { ...finding, leftOut: [{ path, reason }] };
  });
  found.push(...checkNames(context), ...checkNumbers(context), ...checkTexts(context));
  return found.length > 0 ? found : [ok("documents", "No file is left out, and all of them can be read.")];
}

const REMEDIES: Record<string, string> = {
  "not readable": "Give this user the permission to read it.",
  "it is in iCloud, not on this disk": "Open it, or have its folder kept on this machine.",
  "nested too deeply": "Move it up: folders are followed 64 deep.",
  "a link out of the workspace or to a hidden place":
    "Put the folder itself into the workspace: links are followed only inside it.",
  "larger than 32 MB": "Split it, or read it with the vault tools.",
  "its name is not valid UTF-8": "Rename it.",
  "its name has a control character or a line break": "Rename it: it is not read until then.",
};

/** Tasks that share a number: `004` may mean any of them. */
function checkNumbers({ scan, program }: DoctorContext): Finding[] {
  return sharedNumbers(scan.files).map((group) => {
    const paths = group.map(({ path }) => path);
    const project = projectOf(paths[0] ?? "");
    const command = `${program} renumber ${quoteForShell(project)}`;
    const remedy = `Renumber all but one: ${escapeName(command, 2000)}`;
    return problem("tasks", `${group.length} tasks have the same number: ${some(paths)}.`, remedy);
  });
}

const MAX_VALUES = 20;
/** More pairs of an original and its copy are not named one by one. */
const MAX_PAIRS = 10;

interface ReadDocument {
  path: string;
  title: string;
  task: object | null;
}

/** Copies beside their originals: both hold a part of the work. */
function checkCopies({ config }: DoctorContext, documents: readonly ReadDocument[]): Finding[] {
  const originals = [...originalsOf(documents)].map(([copy, { path }]) => ({ copy, path }));
  const [first] = originals;
  if (first === undefined) return [];
  const pairs = originals.map(({ copy, path }) => `${copy} of ${baseName(path)}`);
  const message = `${counted(originals.length, "copy", "copies")} of notes that another program left: ${some(pairs, MAX_PAIRS)}. No task is read from it.`;
  const files = [first.path, first.copy].map((path) => quoteForShell(join(config.root, path)));
  const remedy = `Compare each pair, e.g. with git diff --no-index ${files.join(" ")}. Keep what you need in the original, and delete the copy.`;
  const leftOut = originals.map(({ copy, path }) => ({ path: copy, reason: copyReason(path) }));
  return [{ ...problem("copies", message, remedy), leftOut }];
}

/** Other files among tasks, without those that something else is said of. */
function checkOthers(documents: readonly ReadDocument[], said: readonly LeftOut[]): Finding[] {
  const known = new Set([...originalsOf(documents).keys(), ...said.map(({ path }) => path)]);
  const leftOut = notTasks(documents).filter(({ path }) => !known.has(path));
  if (leftOut.length === 0) return [];
  const message = `Among the tasks, but not counted: ${some(leftOut.map(({ path, reason }) => `${path} (${reason})`))}.`;
  const remedy = "Nothing has to be done. To make one a task, give its name a number, such as 012-name.md.";
  return [{ ...note("tasks", message, remedy), leftOut }];
}

interface Texts {
  marked: readonly string[];
  lossy: readonly LeftOut[];
  unclear: readonly string[];
  unread: readonly LeftOut[];
}

function textFindings({ marked, lossy, unclear, unread }: Texts): Finding[] {
  const found: Finding[] = [];
  if (marked.length > 0) {
    const message = `A merge left both sides between markers of git: ${some(marked)}.`;
    found.push(problem("conflicts", message, "Choose what stays, and remove the markers."));
  }
  if (lossy.length > 0) {
    const message = `Not plain UTF-8: ${some(lossy.map(({ path, reason }) => `${path} (${reason})`))}. Search reads it as well as it can, and no tool rewrites it.`;
    const remedy = "Convert it to UTF-8 with LF or CRLF at the ends of lines, e.g. with iconv.";
    found.push({ ...note("encoding", message, remedy), leftOut: lossy });
  }
  if (unclear.length > 0) {
    const message = `${counted(unclear.length, "task")} without a known status: ${some(unclear)}.`;
    const leftOut = unclear.map((path) => ({ path, reason: "no known status" }));
    found.push({ ...note("tasks", message, STATUS_REMEDY), leftOut });
  }
  if (unread.length > 0) {
    const values = unread.map(({ path, reason }) => `${path}: ${reason}`);
    const message = `${counted(unread.length, "value")} in frontmatter not read: ${some(values, MAX_VALUES)}.`;
    found.push({ ...note("values", message, "Write them in a form that is read."), leftOut: unread });
  }
  return found;
}

/** Problems inside the documents. */
function checkTexts(context: DoctorContext): Finding[] {
  const gate = gateOf(context.config.root);
  const links = linkChecker(context);
  const plans = planChecker(context);
  const found: Finding[] = [];
  const marked: string[] = [];
  const lossy: LeftOut[] = [];
  const unclear: string[] = [];
  const unread: LeftOut[] = [];
  const read: ReadDocument[] = [];
  for (const file of context.scan.files) {
    const { path } = file;
    const document = readOrNull(gate, file);
    if (document === null) continue;
    links.read(document);
    plans.read(document);
    const { problem: reason, task, status, title } = document.facts;
    read.push({ path, title, task });
    const conflicts = firstConflicts(document.text);
    marked.push(...conflicts.map(({ first, last }) => `${path}:${first}-${last}`));
    if (reason !== null && conflicts.length === 0)
      found.push({
        ...note("frontmatter", `${escapeName(path)}: ${reason}`, "Correct it."),
        leftOut: [{ path, reason }],
      });
    unread.push(...document.facts.unread.map((reason) => ({ path, reason })));
    const oddForm = textProblem(document);
    if (oddForm !== null) lossy.push({ path, reason: oddForm });
    if (task !== null && !isTaskStatus(status)) unclear.push(path);
  }
  found.push(...textFindings({ marked, lossy, unclear, unread }));
  found.push(...checkCopies(context, read), ...checkOthers(read, lossy));
  return [...found, ...plans.findings(), ...links.findings()];
}
