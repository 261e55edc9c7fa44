import { parseFrontmatter } from "../../../core/markdown/frontmatter.ts";
import { isTaskField } from "../../fields.ts";
import { words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { Panel } from "../../panel.tsx";
import { FieldButtons } from "../board/peek/field-buttons.tsx";
import type { Doc } from "./model.ts";

/** The frontmatter; the fields of a task look and change as beside the board. */
export function Fields({ doc: { content }, task }: { doc: Doc; task: Task | undefined }) {
  const { data, problem } = parseFrontmatter(content);
  const others = Object.entries(data).filter(
    ([name]) => task === undefined || !(name === "status" || isTaskField(name)),
  );
  if (task === undefined && others.length === 0 && problem === null) return null;
  return (
    <Panel class="fields" title={words.document.fields}>
      {problem !== null && <p class="problem-text">{problem}</p>}
      {task?.unread?.map((line) => (
        <p key={line} class="problem-text">
          {line}
        </p>
      ))}
      {task !== undefined && <FieldButtons task={task} />}
      {others.map(([name, value]) => (
        <dl key={name} class="field">
          <dt>{name}</dt>
          <dd>{textOf(value)}</dd>
        </dl>
      ))}
    </Panel>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");
}
