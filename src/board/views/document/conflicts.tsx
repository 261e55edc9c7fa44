import { useEffect, useMemo, useRef } from "preact/hooks";
import { conflictSides, type SidedConflict } from "../../../core/markdown/conflicts.ts";
import { parseFrontmatter } from "../../../core/markdown/frontmatter.ts";
import { findHeadings, type Heading } from "../../../core/markdown/headings.ts";
import { useKeys } from "../../keys.ts";
import { say, words } from "../../language.ts";
import { report } from "../../notices.ts";
import { refresh } from "../../tasks.ts";
import { useKeptFocus } from "../../view-focus.ts";
import type { Doc } from "./model.ts";
import { differing } from "./text.ts";
import { canWrite, isConflict, writeText } from "./write.ts";

const MAX_SHOWN = 20;

/** What a merge left between git's markers: both versions side by side, to choose one or keep both. */
export function Conflicts({ doc, reload }: { doc: Doc; reload(): Promise<void> }) {
  const conflicts = useMemo(() => conflictSides(doc.content), [doc.content]);
  const isBusy = useRef(false);
  const choose = async ({ start, end }: SidedConflict, text: string) => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await writeText(doc, doc.content.slice(0, start) + text + doc.content.slice(end));
      await reload();
    } catch (error) {
      if (isConflict(error)) await refresh(doc.project);
      else report(error);
    } finally {
      isBusy.current = false;
    }
  };
  const isOffered = canWrite(doc.path);
  return <ConflictPanels text={doc.content} conflicts={conflicts} choose={isOffered ? choose : undefined} />;
}

interface PanelsProps {
  text: string;
  conflicts: readonly SidedConflict[];
  /** Puts a text in the place of a conflict; undefined if the person cannot. */
  choose: ((conflict: SidedConflict, text: string) => void) | undefined;
}

/** The first conflicts of a text, each with what can stay; keys choose for the first one. */
export function ConflictPanels({ text, conflicts, choose }: PanelsProps) {
  const [first] = conflicts;
  const element = useRef<HTMLDivElement>(null);
  useKeptFocus((before) => before?.closest(".merge-conflict") != null);
  // In the text field, which has the focus by then, the keys would type.
  useEffect(() => {
    if (document.activeElement?.matches("textarea")) element.current?.querySelector("button")?.focus();
  }, [first === undefined]);
  const ways = first && choose ? waysOf(first) : [];
  useKeys(
    ways.map(({ name, result }, at) => ({
      key: `${at + 1}`,
      label: `${words.task.conflict}: ${name}`,
      isFirst: true,
      run: () => first && choose?.(first, result),
    })),
  );
  if (first === undefined) return null;
  // A marker below a line makes it look like a heading.
  const isReal = (one: Heading) => conflicts.every(({ start, end }) => one.end <= start || one.start >= end);
  const headings = findHeadings(text, parseFrontmatter(text).bodyOffset).filter(isReal);
  return (
    <div ref={element}>
      {conflicts.slice(0, MAX_SHOWN).map((conflict, at) => (
        <ConflictPanel
          key={`${conflict.first} ${conflict.last}`}
          conflict={conflict}
          heading={headings.findLast(({ start }) => start < conflict.start)?.text}
          place={conflicts.length > 1 ? `${at + 1} / ${conflicts.length}` : ""}
          choose={choose && ((result) => choose(conflict, result))}
        />
      ))}
    </div>
  );
}

interface PanelProps {
  conflict: SidedConflict;
  heading: string | undefined;
  place: string;
  choose: ((text: string) => void) | undefined;
}

function ConflictPanel({ conflict, heading = words.document.text, place, choose }: PanelProps) {
  const id = `conflict-${conflict.first}`;
  return (
    <section class="panel merge-conflict" aria-labelledby={id}>
      <p class="conflict-head soft">
        <span id={id}>{[heading, say(words.document.line, { line: conflict.first })].join(" · ")}</span>
        {place}
      </p>
      {waysOf(conflict).map(({ name, result, shown: [before, other, after] }, at) => (
        <button
          key={at}
          type="button"
          class="conflict-way"
          disabled={choose === undefined}
          onClick={() => choose?.(result)}
        >
          <kbd>{at + 1}</kbd>
          <bdi>{name}</bdi>
          <span dir="auto">
            {before}
            <mark>{other}</mark>
            {after}
          </span>
        </button>
      ))}
    </section>
  );
}

/** What can stay of a conflict, and what people read of it: what differs stands in the middle. */
function waysOf({ ours, theirs }: SidedConflict) {
  const [mine, other] = differing(ours.text, theirs.text);
  return [
    { name: ours.label.replace(/^HEAD$/, "") || words.document.ours, result: ours.text, shown: mine },
    { name: theirs.label || words.document.other, result: theirs.text, shown: other },
    { name: words.document.both, result: ours.text + theirs.text, shown: [words.document.bothHint] },
  ];
}
