import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { SidedConflict } from "../../../markdown/conflicts.ts";
import { parseFrontmatter } from "../../../markdown/frontmatter.ts";
import { FormDialog } from "../../dialog.tsx";
import { isComposing, useKeys } from "../../keys.ts";
import { words } from "../../language.ts";
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
  const editor = useEditor({ doc, reload, onClose });
  const [isPreview, setPreview] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const leave = () => (editor.isDirty ? setLeaving(true) : onClose());
  useEditorKeys(leave, editor.save);
  const canSave = editor.isDirty && !editor.isBusy && editor.conflicts.length === 0;
  return (
    <section
      class="editor"
      aria-label={words.document.edit}
      onKeyDown={(event) => onEditorKey(event, leave, editor.save)}
    >
      <EditorBar
        canSave={canSave}
        save={editor.save}
        isPreview={isPreview}
        setPreview={setPreview}
        leave={leave}
      />
      {editor.isBehind && <p class="draft-notice">{words.document.changedMeanwhile(nameOfLast(doc.path))}</p>}
      {editor.conflicts.length > 0 && <p role="alert">{words.document.conflictHint}</p>}
      <ConflictPanels conflicts={editor.conflicts} choose={editor.choose} />
      <div class="panes" data-shown={isPreview ? "preview" : "text"}>
        <TextPane text={editor.text} path={doc.path} onText={editor.setText} />
        <Preview text={editor.text} path={doc.path} />
      </div>
      {isLeaving && (
        <FormDialog
          title={words.document.leaveTitle}
          action={words.document.discard}
          isDanger
          submit={async () => {
            keepDraft(doc.path, undefined);
            onClose();
          }}
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
    setText,
    choose: ({ start, end }: SidedConflict, text: string) =>
      setText(draft.text.slice(0, start) + text + draft.text.slice(end)),
    save: () => {
      if (conflicts.length > 0) announce(words.document.conflictHint, true);
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

/** For the list of keys, and for when the text has no focus. */
function useEditorKeys(leave: () => void, save: () => void): void {
  useKeys([
    { key: "Escape", label: words.app.cancel, run: leave },
    { key: "Ctrl+Enter", label: words.document.save, run: save },
  ]);
}

function onEditorKey(event: KeyboardEvent, leave: () => void, save: () => void): void {
  const isCommand = event.ctrlKey || event.metaKey;
  const isSave = isCommand && (event.key === "Enter" || event.key === "s");
  const isInDialog = event.target instanceof Element && event.target.closest("dialog") !== null;
  if (isInDialog || isComposing(event) || !(isSave || event.key === "Escape")) return;
  event.preventDefault();
  if (isSave) save();
  else leave();
}

interface EditorBarProps {
  canSave: boolean;
  save(): void;
  isPreview: boolean;
  setPreview(isPreview: boolean): void;
  leave(): void;
}

function EditorBar({ canSave, save, isPreview, setPreview, leave }: EditorBarProps) {
  return (
    <div class="editor-bar">
      <div class="editor-tabs">
        <button type="button" aria-pressed={!isPreview} onClick={() => setPreview(false)}>
          {words.document.text}
        </button>
        <button type="button" aria-pressed={isPreview} onClick={() => setPreview(true)}>
          {words.document.preview}
        </button>
      </div>
      <button type="button" onClick={leave}>
        {words.app.cancel}
      </button>
      <button type="button" class="main" disabled={!canSave} onClick={save}>
        {words.document.save}
      </button>
    </div>
  );
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
