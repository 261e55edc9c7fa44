import { basename, dirname, join, relative } from "node:path";
import { changedMeanwhile } from "../../lib/errors.ts";
import { isIgnored } from "../../notes/project/git-ignore.ts";
import { foldersUpwards, realPath, repositoryOf } from "../../storage/folders.ts";
import { readSmall } from "../../storage/read.ts";
import { readSettings, replaceSettings } from "../../storage/settings.ts";
import { TEMPORARY_PATTERN } from "../../storage/temp-files.ts";
import { contains, type UserFile } from "../../storage/user-file.ts";
import { type DoctorContext, type Finding, note } from "./finding.ts";

/** Notes that are kept in git: whether it leaves out the index, which differs on each machine. */
export function checkGit({ config, program }: DoctorContext): Finding[] {
  const missing = missingRule(config);
  if (missing === undefined) return [];
  const { lines, place } = missing;
  const message = `The notes are in git, which does not ignore the index (${basename(config.db)}).`;
  const remedy = `Add ${lines.join(" and ")} to ${place.shown}, a line each: ${program} doctor --fix does it.`;
  return [note("git", message, remedy, () => addLine(place, lines.join("\n")))];
}

/** Has git leave out the index of notes that are kept in it, and what lies beside a note while it is written. */
export async function ignoreIndex(config: Places): Promise<void> {
  const missing = missingRule(config);
  if (missing !== undefined) await addLine(missing.place, missing.lines.join("\n"));
}

type Places = Pick<DoctorContext["config"], "root" | "db">;

/** Undefined outside of repositories, and if git ignores the index already. */
function missingRule(config: Places): { place: UserFile; lines: string[] } | undefined {
  const root = realPath(config.root);
  const file = join(realPath(dirname(config.db)), basename(config.db));
  const repository = repositoryOf(root);
  if (repository === undefined || !contains(root, file)) return undefined;
  const folders = foldersUpwards(dirname(file)).filter((folder) => contains(repository, folder));
  const names = [join(repository, ".git", "info", "exclude"), ...folders.reverse().map(ignoreFile)];
  const pathFrom = (name: string) =>
    relative(name.endsWith("exclude") ? repository : dirname(name), file).replaceAll("\\", "/");
  if (isIgnored(names.map((name) => ({ text: readSmall(name) ?? "", path: pathFrom(name) }))))
    return undefined;
  const place = { file: ignoreFile(root), shown: ignoreFile(root), within: [repository] };
  return { place, lines: [`${basename(file)}*`, TEMPORARY_PATTERN] };
}

function ignoreFile(folder: string): string {
  return join(folder, ".gitignore");
}

/** Adds a line to the end of a file, which is made if missing; all other bytes stay. */
export async function addLine(place: UserFile, line: string): Promise<void> {
  const before = readSettings(place);
  const gap = before.text === "" || before.text.endsWith("\n") ? "" : "\n";
  const after = Buffer.concat([before.bytes ?? Buffer.alloc(0), Buffer.from(`${gap}${line}\n`)]);
  await replaceSettings(before, { after, changed: () => changedMeanwhile(place.shown, "Try again.") });
}

/** Removes a line wherever it stands; all other bytes stay. */
export async function removeLine(place: UserFile, line: string): Promise<void> {
  const before = readSettings(place);
  const lines = (before.bytes ?? Buffer.alloc(0)).toString("latin1").split(/(?<=\n)/);
  const after = Buffer.from(lines.filter((each) => each.trimEnd() !== line).join(""), "latin1");
  if (before.bytes !== undefined && !after.equals(before.bytes))
    await replaceSettings(before, { after, changed: () => changedMeanwhile(place.shown, "Try again.") });
}
