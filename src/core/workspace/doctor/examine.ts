import { join } from "node:path";
import { counted } from "../../lib/text.ts";
import { STANDARD_FOLDERS } from "../../notes/names.ts";
import { inspectPath, isWritable } from "../../storage/inspect.ts";
import { scanWorkspace } from "../../storage/walk.ts";
import { checkDocuments } from "./documents.ts";
import { type DoctorContext, type Finding, note, ok, problem, some } from "./finding.ts";
import { checkGit } from "./git.ts";
import { checkHistory } from "./history.ts";
import { checkIndex } from "./index-file.ts";
import { checkClock, checkFreshness, checkLocks, checkNode, checkTemporaries } from "./machine.ts";

/** Checks everything that can keep a workspace from working; changes nothing. `node` is the version of Node. */
export async function examine(
  options: Omit<DoctorContext, "scan" | "scanMs">,
  node: string,
): Promise<Finding[]> {
  const start = performance.now();
  const scan = scanWorkspace(options.config.root);
  const context: DoctorContext = { ...options, scan, scanMs: performance.now() - start };
  const root = checkRoot(context);
  if (root.length === 1) return [checkNode(node), ...root];
  return [
    checkNode(node),
    ...root,
    ...checkIndex(context),
    ...checkDocuments(context),
    ...(await checkHistory(context)),
    ...checkGit(context),
    ...checkLocks(context),
    ...checkTemporaries(context),
    ...checkClock(context),
    checkFreshness(context),
  ];
}

/** Whether the workspace exists and can be written. */
function checkRoot({ config, scan, program }: DoctorContext): Finding[] {
  const { root } = config;
  const place = inspectPath(root);
  if (place.kind === "missing") {
    const remedy = `Create a project: ${program} init my-project. Or name another root with --root or VIBE_ROOT.`;
    return [note("root", `There is no workspace at ${root} yet.`, remedy)];
  }
  if (place.kind !== "folder") {
    const reason = place.kind === "unreachable" ? `cannot be reached: ${place.reason}` : "is not a folder";
    const remedy = "Name a folder with --root or VIBE_ROOT.";
    return [problem("root", `${root} ${reason}.`, remedy)];
  }
  const counts = `${counted(scan.projects.length, "project")}, ${counted(scan.files.length, "document")}`;
  const served = "hidden files and other formats than Markdown are not served";
  return [ok("root", `${root}: ${counts}; ${served}.`), checkPermissions(root, scan.projects)];
}

/** Only the permissions: `checkClock` finds a disk that is mounted read-only. */
function checkPermissions(root: string, projects: readonly string[]): Finding {
  const inner = projects.flatMap((name) => [name, ...STANDARD_FOLDERS.map((folder) => `${name}/${folder}`)]);
  const closed = ["", ...inner].filter((path) => {
    const folder = join(root, ...path.split("/"));
    return inspectPath(folder).kind !== "missing" && !isWritable(folder);
  });
  if (closed.length === 0) return ok("permissions", "All folders can be read and written.");
  const message = `Not readable and writable: ${some(closed.map((path) => path || "the root itself"))}.`;
  const remedy =
    "Give this user the permission to read, write and enter them (chmod u+rwx), or serve with --read-only.";
  return problem("permissions", message, remedy);
}
