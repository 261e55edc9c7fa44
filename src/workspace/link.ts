import { dirname, join, relative } from "node:path";
import { findLink, LINK_FILES, setLink } from "../domain/link.ts";
import { guarded } from "../files/errors.ts";
import { isInside } from "../files/gate.ts";
import { readContent } from "../files/read.ts";
import { readSmall, realPath, repositoryOf } from "../files/upwards.ts";
import { createFile, replaceFile } from "../files/write.ts";
import { UserError } from "../lib/errors.ts";
import { escapeName, quoteName } from "../lib/escape.ts";

/** Where the line that names a folder's project belongs. */
export interface LinkPlan {
  /** Absolute; it need not exist. */
  file: string;
  /** As a person in that folder would type it. */
  shown: string;
  /** The project that it names now. */
  current: string | undefined;
}

/**
 * The file of a folder's repository (outside of one: of the folder) that names its project, else the one that can: AGENTS.md
 * or CLAUDE.md where there is one, else a new AGENTS.md. Undefined inside the workspace, where the place says it.
 */
export function planLink(root: string, folder: string): LinkPlan | undefined {
  if (isInside(realPath(root), realPath(folder))) return undefined;
  const home = repositoryOf(folder) ?? folder;
  const places = [folder, home].flatMap((place) => LINK_FILES.map((name) => join(place, name)));
  const found = places.map((file) => ({ file, text: readSmall(file) }));
  const linked = found.find(({ text }) => findLink(text ?? "") !== null);
  const inHome = found.filter(({ file, text }) => dirname(file) === home && text !== undefined);
  const agents = inHome.find(({ file }) => file.endsWith("AGENTS.md")) ?? inHome[0];
  const { file, text } = linked ?? agents ?? { file: join(home, "AGENTS.md"), text: undefined };
  return { file, shown: relative(folder, file), current: findLink(text ?? "")?.name };
}

/** Writes `vibe: <project>` there, all else left as it is. Throws CONFLICT for a file that is not valid UTF-8 or that somebody changes. */
export async function writeLink({ file, shown }: LinkPlan, project: string): Promise<void> {
  await guarded("write", shown, async () => {
    const text = readSmall(file);
    if (text === undefined && (await createFile(file, Buffer.from(setLink("", project))))) return;
    // A link stays a link: what it leads to is written.
    const real = realPath(file);
    const { text: before, exact, hash } = readContent(real);
    if (!exact)
      throw conflict(
        `${quoteName(shown)} is not valid UTF-8. Add the line yourself: vibe: ${escapeName(project)}`,
      );
    await replaceFile(real, [Buffer.from(setLink(before, project))], () => {
      if (readContent(real).hash !== hash)
        throw conflict(`${quoteName(shown)} was changed by somebody else at this moment. Try again.`);
    });
  });
}

function conflict(message: string): UserError {
  return new UserError("CONFLICT", message);
}
