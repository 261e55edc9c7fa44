import { useRef, useState } from "preact/hooks";
import type { Checkbox } from "../../markdown/markdown.tsx";
import type { Task } from "../../model.ts";
import { report } from "../../notices.ts";
import { refresh } from "../../tasks.ts";
import type { Doc } from "./model.ts";
import { canWrite, writeTick } from "./write.ts";

/** `ticks` are shown until they are saved, which happens one after the other: each needs the version that the last one made. */
export function useTicks(
  { path, project, content }: Doc,
  task: Task | undefined,
  reload: () => Promise<void>,
) {
  const [ticks, setTicks] = useState<ReadonlyMap<number, boolean>>(new Map());
  const last = useRef(Promise.resolve());
  const write = async (box: Checkbox) => {
    try {
      await writeTick({ path, content }, box, task);
      await reload();
    } catch (error) {
      report(error);
      await refresh(project).catch(report);
    }
    setTicks((all) => new Map([...all].filter(([at, isDone]) => at !== box.at || isDone !== box.isDone)));
  };
  const tick = (box: Checkbox) => {
    setTicks((all) => new Map(all).set(box.at, box.isDone));
    last.current = last.current.then(() => write(box));
  };
  return { ticks, tick: canWrite(path) ? tick : undefined, settled: () => last.current };
}
