import { useEffect, useState } from "preact/hooks";
import { ToolError } from "../mcp-client.ts";
import { report } from "../notices.ts";
import { call, state } from "../state.ts";
import { useStore } from "../store.ts";
import { type Doc, projectOf } from "./document-model.ts";

type Part = Omit<Doc, "backlinks" | "broken_links"> & Partial<Doc> & { next_offset?: number };

/** All parts of a document. One that changes meanwhile is read again from its start. */
export async function readDocument(path: string): Promise<Doc> {
  const first = await call<Part>("read_doc", { path });
  let { content } = first;
  for (let offset = first.next_offset; offset !== undefined; ) {
    const part: Part = await call("read_doc", { path: first.path, offset });
    if (part.hash !== first.hash) return readDocument(path);
    content += part.content;
    offset = part.next_offset;
  }
  const { backlinks = { total: 0, paths: [] }, broken_links = [] } = first;
  return { ...first, content, backlinks, broken_links };
}

/** `problem` if it cannot be read; then `doc` is what was there before, if it is the same document. */
export interface Reading {
  path: string;
  doc?: Doc;
  problem?: ToolError;
}

/** A document that follows every change of its project. */
export function useDocument(path: string): Reading {
  const [reading, setReading] = useState<Reading>({ path });
  const changes = useStore(state, (value) => value.changes[projectOf(path)] ?? 0);
  useEffect(() => {
    if (path === "") return;
    let isStale = false;
    readDocument(path)
      .then((doc) => {
        if (!isStale) setReading({ path, doc });
      })
      .catch((error) => {
        if (isStale) return;
        // Without a connection, what is shown stays: the page reads again when the connection is back.
        if (error instanceof ToolError) setReading({ path, problem: error });
        else report(error);
      });
    return () => {
      isStale = true;
    };
  }, [path, changes]);
  return reading.path === path ? reading : { path };
}
