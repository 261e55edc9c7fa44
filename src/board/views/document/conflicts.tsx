import { useMemo, useState } from "preact/hooks";
import { conflictSides, type Side, type SidedConflict } from "../../../core/markdown/conflicts.ts";
import { say, words } from "../../language.ts";
import { report } from "../../notices.ts";
import { refresh } from "../../tasks.ts";
import type { Doc } from "./model.ts";
import { canWrite, isConflict, writeText } from "./write.ts";

const MAX_SHOWN = 20;

/** What a merge left between git's markers: both versions side by side, to choose one or keep both. */
export function Conflicts({ doc, reload }: { doc: Doc; reload(): Promise<void> }) {
  const conflicts = useMemo(() => conflictSides(doc.content), [doc.content]);
  const [isBusy, setBusy] = useState(false);
  const choose = async ({ start, end }: SidedConflict, text: string) => {
    setBusy(true);
    try {
      await writeText(doc, doc.content.slice(0, start) + text + doc.content.slice(end));
      await reload();
    } catch (error) {
      if (isConflict(error)) await refresh(doc.project);
      else report(error);
    } finally {
      setBusy(false);
    }
  };
  return <ConflictPanels conflicts={conflicts} choose={canWrite(doc.path) && !isBusy ? choose : undefined} />;
}

interface PanelsProps {
  conflicts: readonly SidedConflict[];
  /** Puts a text in the place of a conflict; undefined if the person cannot. */
  choose: ((conflict: SidedConflict, text: string) => void) | undefined;
}

/** The first conflicts of a text, both sides of each side by side. */
export function ConflictPanels({ conflicts, choose }: PanelsProps) {
  return conflicts
    .slice(0, MAX_SHOWN)
    .map((conflict) => (
      <ConflictPanel
        key={`${conflict.first} ${conflict.last}`}
        conflict={conflict}
        choose={choose && ((text) => choose(conflict, text))}
      />
    ));
}

interface PanelProps {
  conflict: SidedConflict;
  choose: ((text: string) => void) | undefined;
}

function ConflictPanel({ conflict, choose }: PanelProps) {
  const { first, last, ours, theirs } = conflict;
  const id = `conflict-${first}`;
  return (
    <section class="panel merge-conflict" aria-labelledby={id}>
      <p class="conflict-head">
        <span id={id} class="soft">
          {say(words.document.mergeConflict, { first, last })}
        </span>
        {choose !== undefined && (
          <button type="button" onClick={() => choose(ours.text + theirs.text)}>
            {words.document.keepBoth}
          </button>
        )}
      </p>
      <div class="conflict-sides">
        <ConflictSide side={ours} name={words.document.ours} choose={choose} />
        <ConflictSide side={theirs} name={words.document.other} choose={choose} />
      </div>
    </section>
  );
}

function ConflictSide({ side, name, choose }: { side: Side; name: string } & Pick<PanelProps, "choose">) {
  const title = side.label === "" ? name : `${name}: ${side.label}`;
  return (
    <div>
      <p class="conflict-head">
        <bdi>{title}</bdi>
        {choose !== undefined && (
          <button
            type="button"
            class="quiet"
            aria-label={say(words.document.keepNamed, { side: title })}
            onClick={() => choose(side.text)}
          >
            {words.document.keep}
          </button>
        )}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
      <section class="diff" aria-label={title} tabIndex={0}>
        <pre>{side.text}</pre>
      </section>
    </div>
  );
}
