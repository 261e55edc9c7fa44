import { summarizeSession } from "../notes/session/summary.ts";
import { writerOf } from "./activity/groups.ts";
import { activity } from "./activity/store.ts";
import { Who } from "./activity/who.tsx";
import { useSummary } from "./answer.ts";
import { addressOf } from "./route.ts";
import type { Session } from "./sessions.ts";
import { useStore } from "./store.ts";

interface SessionProps {
  session: Session;
  /** What the link says. */
  name: string;
}

/** A session in a list: its link, who held it and how it begins. */
export function SessionItem({ session: { path }, name }: SessionProps) {
  const value = useSummary(path, summarizeSession);
  return (
    <>
      <a class="session-name" href={addressOf("document", { path })}>
        {name}
      </a>
      {value?.holders.map(({ client, model }) => (
        <span key={`${client} ${model}`} class="soft session-who">
          <Who name={client} kind="agent" /> {model !== "" && <bdi>{model}</bdi>}
        </span>
      ))}
      {value?.holders.length === 0 && <Writers path={path} />}
      {value !== undefined && value.lines.length > 0 && (
        <ul class="plain-list soft session-lines" dir="auto">
          {value.lines.map((line) => (
            <li key={line} class="session-line">
              {line}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Who wrote a note that names nobody, as far as the feed knows. */
function Writers({ path }: { path: string }) {
  const names = useStore(activity, ({ entries = [] }) => {
    const writers = entries.filter((entry) => entry.path === path).map(writerOf);
    return [...new Set(writers.filter(({ kind }) => kind === "agent").map(({ name }) => name))].join("\n");
  });
  if (names === "") return null;
  return (
    <span class="soft session-who">
      {names.split("\n").map((name) => (
        <Who key={name} name={name} kind="agent" />
      ))}
    </span>
  );
}
