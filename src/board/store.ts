import { useEffect, useRef, useState } from "preact/hooks";

/** A value that views follow. */
export interface Store<T> {
  get(): T;
  update(change: (value: T) => T): void;
  follow(follower: () => void): () => void;
}

export function createStore<T>(start: T): Store<T> {
  let value = start;
  const followers = new Set<() => void>();
  return {
    get: () => value,
    update: (change) => {
      const next = change(value);
      if (Object.is(next, value)) return;
      value = next;
      for (const follower of [...followers]) follower();
    },
    follow: (follower) => {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
  };
}

/** The part of a store that a view shows; the view renders again only when that part changes. */
export function useStore<T, P>(store: Store<T>, part: (value: T) => P): P {
  const [, render] = useState({});
  const shown = part(store.get());
  const latest = useRef({ part, shown });
  latest.current = { part, shown };
  useEffect(() => {
    const look = () => {
      const { current } = latest;
      if (!Object.is(current.part(store.get()), current.shown)) render({});
    };
    look();
    return store.follow(look);
  }, [store]);
  return shown;
}
