import { headerVersion, openImage } from "../../index/index-image.ts";
import { APPLICATION_ID, SCHEMA_VERSION } from "../../index/schema.ts";
import { counted } from "../../lib/text.ts";
import { readIndexFile, UnusableIndexError } from "../../storage/index-file.ts";
import { openWorkspace } from "../workspace.ts";
import { type DoctorContext, type Finding, note, ok, problem } from "./finding.ts";

/** Whether the index file is ours, whole, and in step with the files. */
export function checkIndex(context: DoctorContext): Finding[] {
  const { db } = context.config;
  try {
    const bytes = readIndexFile(db);
    if (bytes === undefined)
      return [ok("index", `There is no index at ${db} yet: the first call that needs it creates it.`)];
    return [inspectImage(context, bytes)];
  } catch (error) {
    if (error instanceof UnusableIndexError)
      return [problem("index", `${db} ${error.message}.`, "Until then every start indexes all files again.")];
    const remedy = "Give this user the permission to read it, or delete it: it is rebuilt from the files.";
    return [problem("index", `${db} cannot be read: every start indexes all files again.`, remedy)];
  }
}

function inspectImage(context: DoctorContext, bytes: Uint8Array): Finding {
  const { config, scan } = context;
  const { db, dbNamed } = config;
  const { application, version = 0 } = headerVersion(bytes) ?? {};
  const isOurs = application === APPLICATION_ID;
  if (!isOurs && dbNamed) {
    const remedy = "Name another file with --db or VIBE_DB: this one is never replaced.";
    return problem("index", `${db} is not an index of vibe-mcp.`, remedy);
  }
  if (isOurs && version > SCHEMA_VERSION) {
    const remedy = "Update this program, or give each version an index of its own with --db.";
    return note("index", `${db} belongs to a newer version: this one indexes in memory.`, remedy);
  }
  const isOlder = isOurs && version < SCHEMA_VERSION;
  const image = isOurs && !isOlder ? openImage(bytes) : undefined;
  if (image === undefined) {
    const reason = isOlder ? "is of an older version" : "is damaged, or not an index of vibe-mcp";
    const remedy = "The next call rebuilds it from the files; nothing is lost.";
    return problem("index", `${db} ${reason}.`, remedy, () => rebuild(context));
  }
  const indexed = scan.files.filter(({ path, size, mtime }) => {
    const fingerprint = image.fingerprints.get(path);
    return fingerprint?.size === size && fingerprint.mtime === mtime;
  }).length;
  const changed = scan.files.length - indexed;
  const size = `${(bytes.length / 1024 / 1024).toFixed(1)} MB`;
  const step =
    changed === 0
      ? "in step with the files"
      : `${counted(changed, "file")} changed since: the next call reads them`;
  return ok("index", `${db}: ${counted(indexed, "document")}, ${size}, ${step}.`);
}

/** A file that is not an index of ours is kept under another name. */
async function rebuild({ config, clock, log }: DoctorContext): Promise<void> {
  const workspace = openWorkspace({ config: { ...config, reindex: true }, clock, log });
  try {
    await workspace.index.sync({});
  } finally {
    await workspace.close();
  }
}
