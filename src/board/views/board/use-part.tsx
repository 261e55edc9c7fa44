import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { say, words } from "../../language.ts";
import type { Task } from "../../model.ts";
import { useStore } from "../../store.ts";
import { ensured } from "./moves.ts";
import type { Filter } from "./tasks.ts";
import { useFilter } from "./use-board.ts";

/** How many items are shown at first, and how many more when the last ones come into view: few, so that scrolling stays smooth. */
interface Parts {
  first: number;
  more: number;
}

type Item = Task | { tasks: readonly Task[] };

/** The first items, and the one of `ensured`; `rest`, at the end of the list, shows more as soon as it is nearly in view. Another filter starts again. */
export function usePart<T extends Item>(items: readonly T[], { first, more }: Parts) {
  const filter = useFilter();
  const [part, setPart] = useState({ filter, most: first });
  const isNew = part.filter !== filter;
  const most = isNew ? first : part.most;
  // At the end of the page, all would come into view one after the other.
  useLayoutEffect(() => {
    if (isNew) scrollTo(0, 0);
  }, [filter]);
  const path = useStore(ensured, (value) => value);
  const needed = path === undefined ? 0 : items.findIndex((item) => holds(item, path)) + 1;
  const count = Math.max(most, needed);
  const left = items.length - count;
  const show = (some: number) => setPart({ filter, most: count + some });
  const rest = left > 0 && (
    <Rest count={left} filter={filter} onMore={() => show(more)} onAll={() => show(left)} />
  );
  return { shown: items.slice(0, count), rest };
}

/** Whether an item is the task of a path, or has it. */
function holds(item: Item, path: string): boolean {
  return "path" in item ? item.path === path : item.tasks.some((task) => task.path === path);
}

interface RestProps {
  count: number;
  filter: Filter;
  onMore(): void;
  onAll(): void;
}

function Rest({ count, filter, onMore, onAll }: RestProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const { current } = button;
    if (current === null) return;
    const seen = (entries: IntersectionObserverEntry[]) =>
      entries.some(({ isIntersecting }) => isIntersecting) && onMore();
    const observer = new IntersectionObserver(seen, { rootMargin: "600px" });
    observer.observe(current);
    // On paper no one scrolls.
    addEventListener("beforeprint", onAll);
    return () => {
      observer.disconnect();
      removeEventListener("beforeprint", onAll);
    };
  }, [count, filter]);
  return (
    <button ref={button} type="button" class="board-more" onClick={onMore}>
      {say(words.board.rest, { count })}
    </button>
  );
}
