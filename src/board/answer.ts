import { useEffect, useState } from "preact/hooks";
import { projectOf } from "../core/notes/names.ts";
import { messageOf } from "./notices.ts";
import { call, state } from "./state.ts";
import { useStore } from "./store.ts";

export interface Answer<T> {
  /** The last one, until the next comes. */
  value: T | undefined;
  problem: string | undefined;
  isLoading: boolean;
}

/** What `load` gives, again whenever `key` changes. A late answer to an earlier key is dropped. */
export function useAnswer<T>(key: string, load: () => Promise<T>): Answer<T> {
  const [answer, setAnswer] = useState<{ key?: string; value?: T; problem?: string }>({});
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (value) => isCurrent && setAnswer({ key, value }),
      (error) => isCurrent && setAnswer((last) => ({ ...last, key, problem: messageOf(error) })),
    );
    return () => {
      isCurrent = false;
    };
  }, [key]);
  return { value: answer.value, problem: answer.problem, isLoading: answer.key !== key };
}

/** What a document says in short, again whenever its project changes; undefined until it is read. */
export function useSummary<T>(path: string, summarize: (text: string) => T): T | undefined {
  const version = useStore(state, ({ changes }) => changes.get(projectOf(path)) ?? 0);
  const { value } = useAnswer(`${path}\n${version}`, async () =>
    summarize((await call<{ content: string }>("read_doc", { path })).content),
  );
  return value;
}
