import { useEffect, useState } from "preact/hooks";
import { messageOf } from "./notices.ts";

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
