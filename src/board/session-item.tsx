import { projectOf } from "../core/notes/names.ts";
import { summarizeSession } from "../core/notes/session/summary.ts";
import { Who } from "./activity/who.tsx";
import { useAnswer } from "./answer.ts";
import { addressOf } from "./route.ts";
import type { Session } from "./sessions.ts";
import { call, state } from "./state.ts";
import { useStore } from "./store.ts";

interface SessionProps {
  session: Session;
  /** What the link says. */
  name: string;
}

/** What a session says in short, again whenever its project changes. */
export function useSession(path: string) {
  const version = useStore(state, ({ changes }) => changes.get(projectOf(path)));
  return useAnswer(`${path}\n${version}`, async () =>
    summarizeSession((await call<{ content: string }>("read_doc", { path })).content),
  ).value;
}

/** A session in a list: its link, who held it and how it begins. */
export function SessionItem({ session: { path }, name }: SessionProps) {
  const value = useSession(path);
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
