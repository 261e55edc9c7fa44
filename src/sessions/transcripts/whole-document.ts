/** Longer elements hold pictures, or outputs of tools. */
const MAX_CHARS = 8 * 1024 * 1024;

/** Where a list of the document begins and ends. */
const LIST = /^ {2}(?:"[^"]{1,100}": \[|\],?)$/;

/**
 * The records of a transcript, a JSON text each: its lines, or if it is one JSON document, as `JSON.stringify(…, null, 2)` prints it,
 * what stands before its lists, and the elements of these. So the end of a document may be missing. Undefined stands for one that
 * is too long.
 */
export function* recordTexts(lines: Iterable<string | undefined>): Generator<string | undefined, void> {
  let document: ReturnType<typeof documentReader> | undefined;
  let isFirst = true;
  for (const line of lines) {
    if (isFirst && line?.trim() === "{") document = documentReader();
    else if (document === undefined) yield line;
    else yield* document.read(line);
    isFirst &&= line?.trim() === "";
  }
  if (document !== undefined) yield* document.end();
}

function documentReader() {
  const head: string[] = [];
  let element: string[] | undefined;
  let size = 0;
  function* endHead(): Generator<string, void> {
    const text = head.splice(0).join("\n").replace(/,\s*$/, "");
    if (text.trim() !== "") yield `{${text}}`;
  }
  function* readElement(line: string): Generator<string | undefined, void> {
    const isEnd = /^ {4}\},?$/.test(line);
    size += line.length;
    if (size < MAX_CHARS) element?.push(isEnd ? "}" : line);
    if (!isEnd) return;
    yield size < MAX_CHARS ? element?.join("\n") : undefined;
    element = undefined;
  }
  return {
    *read(given: string | undefined): Generator<string | undefined, void> {
      const line = given?.trimEnd();
      if (line === undefined) size = MAX_CHARS;
      else if (line === "    {") {
        yield* endHead();
        [element, size] = [[line], 0];
      } else if (element !== undefined) yield* readElement(line);
      else if (line !== "}" && !LIST.test(line)) head.push(line);
    },
    *end(): Generator<string, void> {
      yield* endHead();
      if (element !== undefined) yield element.join("\n");
    },
  };
}
