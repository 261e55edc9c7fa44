import { change } from "../../changes.ts";
import { say, statusName, words } from "../../language.ts";
import { report } from "../../notices.ts";
import { Panel } from "../../panel.tsx";
import { addressOf } from "../../route.ts";
import { can } from "../../state.ts";
import { canWrite } from "../document/write.ts";
import type { ProjectNotes } from "./read.ts";

/** The notes that name what the project's repository no longer has. */
export function OutdatedPanel({ name, outdated }: { name: string } & Pick<ProjectNotes, "outdated">) {
  if (outdated.length === 0) return null;
  return (
    <Panel title={words.project.outdated}>
      <ul class="rows">
        {outdated.map(({ path, says }) => (
          <li key={path}>
            <a href={addressOf("document", { path })}>{path.slice(path.indexOf("/") + 1)}</a>{" "}
            {canWrite(path) && (
              <button type="button" class="quiet" onClick={() => confirm(name, path).catch(report)}>
                {words.project.isRight}
              </button>
            )}
            <br />
            <span class="soft">{says.join("; ")}</span>
          </li>
        ))}
      </ul>
      {can("create_task") && (
        <button type="button" onClick={() => ask(name, outdated).catch(report)}>
          {words.project.askAgent}
        </button>
      )}
    </Panel>
  );
}

function confirm(project: string, path: string): Promise<void> {
  return change(project, "update_doc", { path, confirmed: true }, say(words.document.saved, { name: path }));
}

function ask(project: string, outdated: ProjectNotes["outdated"]): Promise<void> {
  const { reviewTask: title, reviewObjective: objective } = words.project;
  const steps = outdated.map(({ path, says }) => `\`${path}\`: ${says.join("; ")}`);
  const said = say(words.board.created, { name: title, status: statusName("pending") });
  return change(project, "create_task", { project, title, objective, steps }, said);
}
