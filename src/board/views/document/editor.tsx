import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SidedConflict } from "../../../core/markdown/conflicts.ts";
import { parseFrontmatter } from "../../../core/markdown/frontmatter.ts";
import { FormDialog } from "../../dialog.tsx";
import { useKeys } from "../../keys.ts";
import { say, words } from "../../language.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { announce, report } from "../../notices.ts";
import { ConflictPanels } from "./conflicts.tsx";
import { type Draft, keepDraft, readDraft } from "./draft.ts";
import type { Doc } from "./model.ts";
import { addedConflicts, typedText } from "./text.ts";
import { addPicture, nameOfLast, saveDraft } from "./write.ts";

interface EditorProps {
  doc: Doc;
  reload(): Promise<void>;
  onClose(): void;
}

/** The whole text beside its preview. */
export function Editor({ doc, reload, onClose }: EditorProps) {
  const { path } = doc;
  const { text, isDirty, isBusy, isBehind, conflicts, hint, setText, choose, save } = useEditor({
    doc,
    reload,
    onClose,
  });
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => (isDirty ? setLeaving(true) : onClose());
  useKeys([
    { key: "Escape", label: words.app.cancel, also: "fields", run: leave },
    { key: "Ctrl+Enter", or: "Ctrl+s", label: words.document.save, also: "fields", run: save },
  ]);
  const discard = async () => {
    keepDraft(path, undefined);
    onClose();
  };
  return (
    <section class="editor" aria-label={words.document.edit}>
      <div class="editor-bar">
        <button type="button" onClick={leave}>
          {words.app.cancel}
        </button>
        <button
          type="button"
          class="main"
          disabled={!isDirty || isBusy || conflicts.length > 0}
          onClick={save}
        >
          {words.document.save}
        </button>
      </div>
      {isBehind && (
        <p class="draft-notice">{say(words.document.changedMeanwhile, { who: nameOfLast(path) })}</p>
      )}
      {conflicts.length > 0 && <p role="alert">{hint}</p>}
      <ConflictPanels text={text} conflicts={conflicts} choose={choose} />
      <div class="panes">
        <TextPane text={text} path={path} onText={setText} />
        <Preview text={text} path={path} />
      </div>
      {isLeaving && (
        <FormDialog
          title={words.document.leaveTitle}
          action={words.document.discard}
          isDanger
          submit={discard}
          onClose={() => setLeaving(false)}
        >
          <p>{words.document.leaveHint}</p>
        </FormDialog>
      )}
    </section>
  );
}

/** A text that changed since it was opened is merged with what the person typed when they save; `conflicts` wait for their choice. */
function useEditor({ doc, reload, onClose }: EditorProps) {
  const [draft, setDraft] = useState<Draft>(() => readDraft(doc.path) ?? draftOf(doc));
  const [isBusy, setBusy] = useState(false);
  const isDirty = draft.text !== typedText(draft.base);
  const isMoved = doc.content !== draft.base;
  const isSame = draft.text === typedText(doc.content);
  const conflicts = useMemo(() => addedConflicts(typedText(draft.base), draft.text), [draft]);
  useEffect(() => {
    if (isMoved && (!isDirty || isSame)) setDraft(draftOf(doc));
  }, [isMoved, isDirty, isSame, doc]);
  useEffect(() => keepDraft(doc.path, isDirty ? draft : undefined), [doc.path, isDirty, draft]);
  useLeaving(doc.path, isDirty);
  const hint = say(words.document.conflictHint, { who: nameOfLast(doc.path), count: draft.merged ?? 0 });
  const setText = (text: string) => setDraft({ ...draft, text });
  const write = async () => {
    setBusy(true);
    try {
      const open = await saveDraft(draft, doc);
      if (open === undefined) {
        keepDraft(doc.path, undefined);
        onClose();
      } else setDraft(open);
      await reload();
    } catch (error) {
      report(error);
    }
    setBusy(false);
  };
  return {
    text: draft.text,
    isDirty,
    isBusy,
    isBehind: isDirty && isMoved && !isSame && !isBusy,
    conflicts,
    hint,
    setText,
    choose: ({ start, end }: SidedConflict, text: string) =>
      setText(draft.text.slice(0, start) + text + draft.text.slice(end)),
    save: () => {
      if (conflicts.length > 0) announce(hint, true);
      else if (isDirty) void write();
      else onClose();
    },
  };
}

function draftOf({ content }: Doc): Draft {
  return { text: typedText(content), base: content };
}

/** Before the tab is closed, the browser asks; other views keep the draft, and say so. */
function useLeaving(path: string, isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isDirty]);
  useEffect(() => {
    return () => {
      if (readDraft(path) !== undefined) announce(words.document.draftKept);
    };
  }, [path]);
}

interface TextPaneProps {
  text: string;
  path: string;
  onText(text: string): void;
}

function TextPane({ text, path, onText }: TextPaneProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  // At once: the next key is for the text.
  useLayoutEffect(() => {
    // Before the frontmatter, a typed line would make it plain text.
    const start = parseFrontmatter(text).bodyOffset;
    field.current?.setSelectionRange(start, start);
    field.current?.focus();
    field.current?.scrollTo(0, 0);
  }, []);
  const take = (event: Event, data: DataTransfer | null) => {
    const [file] = data?.types.includes("text/plain") ? [] : (data?.files ?? []);
    if (file === undefined) return;
    event.preventDefault();
    const insert = (link: string) => {
      const { current } = field;
      if (current === null) return;
      current.setRangeText(link, current.selectionStart, current.selectionEnd, "end");
      onText(current.value);
    };
    addPicture(path, file).then(insert, report);
  };
  return (
    <textarea
      ref={field}
      onPaste={(event) => take(event, event.clipboardData)}
      onDragOver={(event) => event.dataTransfer?.types.includes("Files") && event.preventDefault()}
      onDrop={(event) => take(event, event.dataTransfer)}
      class="editor-text"
      aria-label={words.document.text}
      value={text}
      spellcheck={false}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  );
}

const PREVIEW_WAIT_MS = 200;
/** Longer texts can be typed into before their preview is ready. */
const QUICK_CHARS = 20_000;

/** Rendered when the person stops typing for a moment. */
function Preview({ text, path }: { text: string; path: string }) {
  const [shown, setShown] = useState(text.length > QUICK_CHARS ? "" : text);
  useEffect(() => {
    const timer = setTimeout(() => setShown(text), PREVIEW_WAIT_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section class="editor-preview" aria-label={words.document.preview} tabIndex={0}>
      <Markdown text={shown} path={path} />
    </section>
  );
}
