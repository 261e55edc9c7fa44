import { bucketOf } from "../../../notes/plan/plan.ts";
import { BOARD_STATUSES, isShown } from "../../../notes/task/statuses.ts";
import { statusName, words } from "../../language.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { addressOf } from "../../route.ts";
import type { Plan } from "./read.ts";

/** The plan's overview, and where its status lists differ from the tasks. */
export function PlanPanel({ plan }: { plan: Plan }) {
  const { path, exists, parsed, drift } = plan;
  return (
    <section class="panel" aria-label={words.project.plan}>
      <h2>
        {words.project.plan}{" "}
        {exists && (
          <span class={drift.length > 0 ? "chip warn" : "chip good"}>
            {drift.length > 0 ? words.project.drift : words.project.inStep}
          </span>
        )}
      </h2>
      {!exists && <p class="soft">{words.project.noPlan}</p>}
      {parsed !== null && parsed.overview !== "" && <Markdown text={parsed.overview} path={path} />}
      {drift.length > 0 && <Drift plan={plan} />}
      {exists && <a href={addressOf("document", { path })}>{words.project.read}</a>}
    </section>
  );
}

function Drift({ plan: { parsed, actual, drift } }: { plan: Plan }) {
  return (
    <>
      {parsed !== null && <CountTable parsed={parsed} actual={actual} />}
      <ul>
        {drift.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}

function CountTable({ parsed, actual }: { parsed: NonNullable<Plan["parsed"]>; actual: Plan["actual"] }) {
  return (
    <table class="project-table">
      <thead>
        <tr>
          <td />
          <th scope="col">{words.project.plan}</th>
          <th scope="col">{words.project.inTasks}</th>
        </tr>
      </thead>
      <tbody>
        {BOARD_STATUSES.map((status) => {
          const [planned, counted] = [parsed[bucketOf(status)], actual[bucketOf(status)]];
          if (!isShown(status, planned + counted)) return null;
          return (
            <tr key={status} class={planned === counted ? "" : "differs"}>
              <th scope="row">{statusName(status)}</th>
              <td>{planned}</td>
              <td>{counted}</td>
            </tr>
          );
        })}
        <tr>
          <th scope="row">{words.project.total}</th>
          <td>{parsed.task_count}</td>
          <td>{actual.total}</td>
        </tr>
      </tbody>
    </table>
  );
}
