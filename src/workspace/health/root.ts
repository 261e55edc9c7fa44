import { join } from "node:path";
import { STANDARD_FOLDERS } from "../../domain/names.ts";
import { inspectPlace, isWritable } from "../../files/inspect.ts";
import { counted } from "../../lib/text.ts";
import { type Finding, type Patient, some } from "./finding.ts";

/** Whether the workspace is there, and whether it can be written. */
export function checkRoot({ config, scan, program }: Patient): Finding[] {
  const { root } = config;
  const place = inspectPlace(root);
  if (place.kind === "missing") {
    const remedy = `Create a project: ${program} init my-project. Or name another root with --root or VIBE_ROOT.`;
    return [{ check: "root", state: "note", message: `There is no workspace at ${root} yet.`, remedy }];
  }
  if (place.kind !== "folder") {
    const reason = place.kind === "unreachable" ? `cannot be reached: ${place.reason}` : "is not a folder";
    const remedy = "Name a folder with --root or VIBE_ROOT.";
    return [{ check: "root", state: "problem", message: `${root} ${reason}.`, remedy }];
  }
  const counts = `${counted(scan.projects.length, "project")}, ${counted(scan.files.length, "document")}`;
  const found: Finding = { check: "root", state: "ok", message: `${root}: ${counts}.` };
  return [found, checkPermissions(config.root, scan.projects)];
}

/** As the system tells it; a disk that is mounted read-only is met by the check of the clock. */
function checkPermissions(root: string, projects: readonly string[]): Finding {
  const inner = projects.flatMap((name) => [name, ...STANDARD_FOLDERS.map((folder) => `${name}/${folder}`)]);
  const closed = ["", ...inner].filter((path) => {
    const folder = join(root, ...path.split("/"));
    return inspectPlace(folder).kind !== "missing" && !isWritable(folder);
  });
  if (closed.length === 0)
    return { check: "permissions", state: "ok", message: "All folders can be read and written." };
  return {
    check: "permissions",
    state: "problem",
    message: `Not readable and writable: ${some(closed.map((path) => path || "the root itself"))}.`,
    remedy:
      "Give this user the permission to read, write and enter them (chmod u+rwx), or serve with --read-only.",
  };
}
