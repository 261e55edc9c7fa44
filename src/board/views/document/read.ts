import { useEffect, useRef, useState } from "preact/hooks";

import { projectOf, TASK_FOLDERS } from "../../../core/notes/names.ts";
import { type Parsed, readMarkdown } from "../../markdown/markdown.tsx";
import { ToolError } from "../../mcp-client.ts";
import { report } from "../../notices.ts";
import { call, state } from "../../state.ts";
import { useStore } from "../../store.ts";
import type { Doc, Part } from "./model.ts";
import { withoutStatusLine } from "./text.ts";

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

/** `problem` if it cannot be read. */
interface ReadDocument {
  path: string;
  doc?: Doc;
  parsed?: Parsed;
  problem?: ToolError;
}

/** A document that follows every change of its project; `reload` reads it at once. */
export function useDocument(path: string): ReadDocument & { reload(): Promise<void> } {
  const [reading, setReading] = useState<ReadDocument>({ path });
  const changes = useStore(state, (value) => value.changes.get(projectOf(path)) ?? 0);
  const stop = useRef(new AbortController());
  const rendered = useRef<{ content: string; parsed: Parsed } | undefined>(undefined);
  const show = async (doc: Doc, signal: AbortSignal) => {
    const { content, path } = doc;
    if (rendered.current?.content === content)
      return setReading({ path, doc, parsed: rendered.current.parsed });
    const options = { isTitled: true, isFirst: rendered.current === undefined, signal };
    const text = doc.folder === TASK_FOLDERS[0] ? withoutStatusLine(content) : content;
    const parsed = await readMarkdown(text, (now) => setReading({ path, doc, parsed: now }), options);
    if (parsed !== undefined) rendered.current = { content, parsed };
  };
  const reload = async () => {
    stop.current.abort();
    stop.current = new AbortController();
    const { signal } = stop.current;
    const next = await readOrProblem(path);
    if (signal.aborted || next === undefined) return;
    if (next.doc === undefined) setReading(next);
    else await show(next.doc, signal);
  };
  useEffect(() => {
    void reload();
    return () => stop.current.abort();
  }, [path, changes]);
  return { ...reading, reload };
}

/** Undefined without a connection: what is shown stays, and is read again when the connection is back. */
async function readOrProblem(path: string): Promise<ReadDocument | undefined> {
  try {
    return { path, doc: await readDocument(path) };
  } catch (error) {
    if (error instanceof ToolError) return { path, problem: error };
    report(error);
    return undefined;
  }
}
