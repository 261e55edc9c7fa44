import { words } from "../../language.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { Panel } from "../../panel.tsx";
import { addressOf } from "../../route.ts";
import type { Plan } from "./read.ts";

/** The plan's overview, and where its status lists differ from the tasks. */
export function PlanPanel({ plan: { path, exists, parsed, drift } }: { plan: Plan }) {
  const { project } = words;
  const chip =
    drift.length > 0 ? (
      <span class="chip warn">{project.drift}</span>
    ) : (
      <span class="chip good">{project.inStep}</span>
    );
  return (
    <Panel title={project.plan} aside={exists && chip}>
      {!exists && <p class="soft">{project.noPlan}</p>}
      {parsed !== null && parsed.overview !== "" && <Markdown text={parsed.overview} path={path} />}
      <ul class="plain-list">
        {drift.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {exists && <a href={addressOf("document", { path })}>{project.read}</a>}
    </Panel>
  );
}
