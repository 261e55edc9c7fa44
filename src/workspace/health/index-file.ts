import { readIndexFile, UnusableIndexError } from "../../files/index-file.ts";
import { headerVersion, openImage } from "../../index/image.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "../../index/schema.ts";
import { counted } from "../../lib/text.ts";
import { openWorkspace } from "../workspace.ts";
import { type Finding, note, ok, type Patient, problem } from "./finding.ts";

/** Whether the index file is ours, whole, and in step with the files. */
export function checkIndex(patient: Patient): Finding[] {
  const { db } = patient.config;
  try {
    const bytes = readIndexFile(db);
    if (bytes === undefined)
      return [ok("index", `There is no index at ${db} yet: the first call that needs it makes it.`)];
    return [inspectImage(patient, bytes)];
  } catch (error) {
    if (error instanceof UnusableIndexError)
      return [problem("index", `${db} ${error.message}.`, "Until then every start indexes all files again.")];
    const remedy = "Give this user the permission to read it, or delete it: it is made again from the files.";
    return [problem("index", `${db} cannot be read: every start indexes all files again.`, remedy)];
  }
}

function inspectImage(patient: Patient, bytes: Uint8Array): Finding {
  const { config, scan } = patient;
  const header = headerVersion(bytes);
  const isOurs = header?.application === APPLICATION_ID;
  if (!isOurs && config.dbNamed) {
    const remedy = "Name another file with --db or VIBE_DB: this one is never replaced.";
    return problem("index", `${config.db} is not an index of vibe-mcp.`, remedy);
  }
  if (isOurs && header.version > SCHEMA_VERSION) {
    const remedy = "Update this program, or give each version an index of its own with --db.";
    return note("index", `${config.db} belongs to a newer version: this one indexes in memory.`, remedy);
  }
  const image = openImage(bytes);
  if (!isOurs || header.version !== SCHEMA_VERSION || image === undefined) {
    const reason =
      isOurs && header.version !== SCHEMA_VERSION
        ? "is of an older version"
        : "is damaged, or no index of ours";
    const remedy = "The next call makes it again from the files, which lose nothing.";
    return { ...problem("index", `${config.db} ${reason}.`, remedy), fix: () => rebuild(patient) };
  }
  const known = scan.files.filter(({ path, size, modified }) => {
    const stamp = image.stamps.get(path);
    return stamp?.size === size && stamp.mtime === modified;
  });
  const waiting = scan.files.length - known.length;
  const size = `${(bytes.length / 1024 / 1024).toFixed(1)} MB`;
  const step =
    waiting === 0
      ? "in step with the files"
      : `${counted(waiting, "file")} changed since: the next call reads them`;
  return ok("index", `${config.db}: ${counted(known.length, "document")}, ${size}, ${step}.`);
}

/** Makes it again from the files; what is no index of ours is kept under another name. */
async function rebuild({ config, clock, log }: Patient): Promise<void> {
  const workspace = openWorkspace({ config: { ...config, reindex: true }, clock, log });
  try {
    await workspace.sync({});
  } finally {
    await workspace.close();
  }
}
