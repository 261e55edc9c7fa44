import { useMemo, useState } from "preact/hooks";
import { groupBy } from "../../../core/lib/collections.ts";
import { compareText } from "../../../core/lib/text.ts";
import { taskName } from "../../../core/notes/names.ts";
import { isClosed } from "../../../core/notes/task/statuses.ts";
import { Kept } from "../../kept.tsx";
import { say, statusName, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { addressOf, setParameters } from "../../route.ts";
import { waitsFor } from "../../task-facts.tsx";
import { type Graph, type GraphNode, graphOf } from "./graph.ts";
import { useSelected } from "./selection.ts";
import type { BoardProps } from "./use-board.ts";
import { usePart } from "./use-part.tsx";
import "./graph.css";

/** Graphs of projects. */
const PARTS = { first: 2, more: 2 };

/** What depends on what, project by project. */
export function GraphsView({ board: { shown: tasks, showsAll } }: BoardProps) {
  const projects = useMemo(() => {
    const some = showsAll ? tasks : tasks.filter(({ status }) => !isClosed(status));
    const groups = [...groupBy(some, ({ project }) => project)].map(([project, tasks]) => ({
      project,
      tasks,
    }));
    return groups.sort((a, b) => compareText(a.project, b.project));
  }, [tasks, showsAll]);
  const { shown, rest } = usePart(projects, PARTS);
  return (
    <>
      <label class="graph-done">
        <input
          type="checkbox"
          checked={showsAll}
          onChange={({ currentTarget }) => setParameters({ done: currentTarget.checked ? "all" : undefined })}
        />
        {words.board.graph.withDone}
      </label>
      {shown.map(({ project, tasks: own }) => (
        <ProjectGraph key={project} project={project} tasks={own} />
      ))}
      {rest}
    </>
  );
}

function ProjectGraph({ project, tasks }: { project: string; tasks: readonly Task[] }) {
  const graph = useMemo(() => graphOf(tasks), [tasks]);
  const { layers, circles, loose } = graph;
  return (
    <section class="graph" aria-label={project}>
      <h2 dir="auto">
        {project} <span class="board-count">{tasks.length}</span>
      </h2>
      {circles.map((circle) => (
        <p key={circle[0]?.path} class="problem-text">
          {say(words.board.graph.circle, {
            names: [...circle, ...circle.slice(0, 1)].map(taskName).join(" → "),
          })}
        </p>
      ))}
      {layers.length === 0 ? <p class="soft">{words.board.graph.none}</p> : <Drawing graph={graph} />}
      {loose.length > 0 && layers.length > 0 && (
        <p class="soft">{say(words.board.graph.loose, { count: loose.length })}</p>
      )}
    </section>
  );
}

/** In rem, as in graph.css. */
const NODE = { width: 14, height: 4.5, right: 4, below: 0.75 };

/** The middle of the left side of a node. */
const startOf = ({ layer, row }: GraphNode) =>
  [layer * (NODE.width + NODE.right), row * (NODE.height + NODE.below) + NODE.height / 2] as const;

function Drawing({ graph: { layers, edges } }: { graph: Graph }) {
  const [near, setNear] = useState<string>();
  const width = layers.length * (NODE.width + NODE.right) - NODE.right;
  const rows = Math.max(...layers.map((nodes) => nodes.length));
  const height = rows * (NODE.height + NODE.below) - NODE.below;
  const look = ({ target }: Event) => {
    const node = target instanceof Element ? target.closest<HTMLElement>("[data-path]") : null;
    setNear(node?.dataset["path"]);
  };
  const lines = useMemo(() => edges.map((edge) => ({ ...edge, way: wayOf(edge) })), [edges]);
  return (
    // biome-ignore lint/a11y: what the pointer shows is shown for the focus, too.
    <div
      class="graph-frame"
      data-columns
      onMouseOver={look}
      onFocusIn={look}
      onMouseLeave={() => setNear(undefined)}
    >
      <div class="graph-drawing">
        <svg
          class="graph-lines"
          viewBox={`0 0 ${width} ${height}`}
          style={{ width: `${width}rem` }}
          aria-hidden="true"
        >
          {lines.map(({ from, to, way }) => (
            <path key={`${from.task.path}\n${to.task.path}`} d={way} class={classOf({ from, to }, near)} />
          ))}
        </svg>
        {layers.map((nodes, layer) => (
          <ol
            key={layer}
            data-column={`layer-${layer}`}
            aria-label={say(words.board.graph.layer, { layer: layer + 1 })}
          >
            {nodes.map((node) => (
              <Node key={node.task.path} {...node} />
            ))}
          </ol>
        ))}
      </div>
    </div>
  );
}

type Edge = Graph["edges"][number];

/** A line that leads back closes a circle. */
function classOf({ from, to }: Edge, near: string | undefined): string {
  const isNear = near === from.task.path || near === to.task.path;
  return `${from.layer < to.layer ? "" : "graph-back"} ${isNear ? "graph-near" : ""}`;
}

function wayOf({ from, to }: Edge): string {
  const [left, y] = startOf(from);
  const [endX, endY] = startOf(to);
  const x = left + NODE.width;
  const bend = NODE.right / 2 + (endX < x ? NODE.right : 0);
  return `M${x} ${y}C${x + bend} ${y} ${endX - bend} ${endY} ${endX} ${endY}`;
}

function Node({ task, layer, row }: GraphNode) {
  const isSelected = useSelected(task.path);
  return (
    <Kept by={[task, layer, row, isSelected]}>
      {() => {
        const { path, number, title, status, ready, open_dependencies: open } = task;
        return (
          <li
            class={`graph-node ${ready ? "graph-ready" : ""} ${isSelected ? "selected" : ""}`}
            style={{ gridArea: `${row + 1} / ${layer + 1}` }}
            tabIndex={-1}
            data-path={path}
            title={taskName(task)}
          >
            <span class="graph-facts">
              {number} {ready ? <span class="fact good">{words.task.ready}</span> : statusName(status)}
              {!isClosed(status) && open.length > 0 && <span class="unseen">{waitsFor(open)}</span>}
            </span>
            <a href={addressOf("document", { path })} tabIndex={-1} dir="auto">
              {title}
            </a>
          </li>
        );
      }}
    </Kept>
  );
}
