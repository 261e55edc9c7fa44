import { formatDay } from "../../dates.ts";
import { say, statusName, words } from "../../language.ts";
import { Panel } from "../../panel.tsx";
import { addressOf } from "../../route.ts";
import type { File } from "../../sessions.ts";

interface FilesProps {
  name: string;
  folders: Record<string, File[]>;
  totals: Record<string, number>;
}

/** The files of each folder, closed at first. */
export function Files({ name, folders, totals }: FilesProps) {
  return (
    <Panel title={words.project.files}>
      {Object.entries(folders).map(([folder, files]) => {
        const total = totals[folder] ?? files.length;
        return (
          <details key={folder} class="project-folder">
            <summary>
              {folder === "" ? words.project.root : folder} <span class="soft">{total}</span>
            </summary>
            <ul class="rows">
              {files.map((file) => (
                <li key={file.filename}>
                  <FileRow path={[name, folder, file.filename].filter(Boolean).join("/")} file={file} />
                </li>
              ))}
            </ul>
            {total > files.length && (
              <p class="soft">{say(words.project.more, { count: total - files.length })}</p>
            )}
          </details>
        );
      })}
    </Panel>
  );
}

function FileRow({ path, file: { filename, status, updated } }: { path: string; file: File }) {
  return (
    <>
      <a href={addressOf("document", { path })}>{filename}</a>
      <span class="soft project-file-facts">
        {status && <span class="chip">{statusName(status)}</span>} {formatDay(updated)}
      </span>
    </>
  );
}
