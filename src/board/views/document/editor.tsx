import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { diffStart } from "../../../lib/diff.ts";
import { parseFrontmatter } from "../../../markdown/frontmatter.ts";
import { Dialog } from "../../dialog.tsx";
import { isComposing, useKeys } from "../../keys.ts";
import { words } from "../../language.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { announce, report } from "../../notices.ts";
import { refresh } from "../../tasks.ts";
import { Diff } from "./diff.tsx";
import { type Draft, keepDraft, readDraft } from "./draft.ts";
import type { Doc } from "./model.ts";
import { applyTyped, readDiff, typedText } from "./text.ts";
import { isConflict, writeText } from "./write.ts";

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
  const beside = editor.isBehind ? typedText(doc.content) : editor.other;
  const alone = isPreview ? "preview" : "text";
  return (
    <section
      class="editor"
      aria-label={words.document.edit}
      onKeyDown={(event) => onEditorKey(event, leave, editor.save)}
    >
      <EditorBar editor={editor} isPreview={isPreview} setPreview={setPreview} leave={leave} />
      {beside !== undefined && <Choice editor={editor} beside={beside} />}
      <div class="panes" data-shown={beside === undefined ? alone : "both"}>
        <TextPane text={editor.text} onText={editor.setText} />
        {beside === undefined ? (
          <Preview text={editor.text} path={doc.path} />
        ) : (
          <textarea
            class="editor-text"
            aria-label={editor.isBehind ? words.document.theirs : words.document.mine}
            readOnly
            value={beside}
          />
        )}
      </div>
      {isLeaving && (
        <LeaveDialog
          onStay={() => setLeaving(false)}
          onDiscard={() => {
            editor.discard();
            onClose();
          }}
        />
      )}
    </section>
  );
}

type EditorState = ReturnType<typeof useEditor>;

/** `base` is the version that the person saw; `other` is text of theirs that they set aside. */
function useEditor({ doc, reload, onClose }: EditorProps) {
  const [draft, setDraft] = useState<Draft>(() => readDraft(doc.path) ?? draftOf(doc));
  const [other, setOther] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isDirty = draft.text !== typedText(draft.base);
  const isMoved = doc.content !== draft.base;
  const isSame = draft.text === typedText(doc.content);
  useEffect(() => {
    if (isMoved && (!isDirty || isSame)) setDraft(draftOf(doc));
  }, [isMoved, isDirty, isSame, doc]);
  useEffect(() => keepDraft(doc.path, isDirty ? draft : undefined), [doc.path, isDirty, draft]);
  useLeaving(doc.path, isDirty);
  const write = async () => {
    setBusy(true);
    try {
      await writeText(doc, applyTyped(doc.content, draft.text));
      keepDraft(doc.path, undefined);
      await reload();
      onClose();
    } catch (error) {
      if (isConflict(error)) await refresh(doc.project);
      else report(error);
    }
    setBusy(false);
  };
  const isBehind = isDirty && isMoved && !isSame && !isBusy;
  const setText = (text: string) => setDraft({ ...draft, text });
  return {
    text: draft.text,
    isDirty,
    isBusy,
    isBehind,
    other,
    setText,
    save: () =>
      isBehind ? announce(words.document.conflictTitle, true) : isDirty ? void write() : onClose(),
    saveMine: () => void write(),
    discard: () => keepDraft(doc.path, undefined),
    /** Goes on from a text, and sets the present one aside. */
    swap: (text: string) => {
      setOther(draft.text);
      setDraft({ text, base: doc.content });
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
  editor: EditorState;
  isPreview: boolean;
  setPreview(isPreview: boolean): void;
  leave(): void;
}

function EditorBar({ editor, isPreview, setPreview, leave }: EditorBarProps) {
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
      <button
        type="button"
        class="main"
        disabled={editor.isBusy || editor.isBehind || !editor.isDirty}
        onClick={editor.save}
      >
        {words.document.save}
      </button>
    </div>
  );
}

function TextPane({ text, onText }: { text: string; onText(text: string): void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  // At once: the next key is for the text.
  useLayoutEffect(() => {
    // Before the frontmatter, a typed line would make it plain text.
    const start = parseFrontmatter(text).bodyOffset;
    field.current?.setSelectionRange(start, start);
    field.current?.focus();
    field.current?.scrollTo(0, 0);
  }, []);
  return (
    <textarea
      ref={field}
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

const MAX_DIFF_CHARS = 100_000;

/** What differs between the person's text and the one beside it, and what they can do with both. */
function Choice({ editor, beside }: { editor: EditorState; beside: string }) {
  const { isBehind, text } = editor;
  const lines = useMemo(() => readDiff(diffStart(beside, text, MAX_DIFF_CHARS)), [beside, text]);
  return (
    <section class="conflict" aria-label={isBehind ? words.document.conflictTitle : words.document.mine}>
      {isBehind && (
        <div role="alert">
          <h2>{words.document.conflictTitle}</h2>
          <p>{words.document.conflictHint}</p>
        </div>
      )}
      <div class="toolbar">
        {isBehind && (
          <button type="button" class="main" onClick={editor.saveMine}>
            {words.document.saveMine}
          </button>
        )}
        <button type="button" onClick={() => editor.swap(beside)}>
          {isBehind ? words.document.takeTheirs : words.document.takeMine}
        </button>
      </div>
      <p class="soft">{words.document.differencesHint}</p>
      <Diff label={words.document.differences} lines={lines} />
    </section>
  );
}

function LeaveDialog({ onStay, onDiscard }: { onStay(): void; onDiscard(): void }) {
  return (
    <Dialog title={words.document.leaveTitle} onClose={onStay}>
      <p>{words.document.leaveHint}</p>
      <div class="toolbar">
        <button type="button" class="main" onClick={onStay}>
          {words.document.keepEditing}
        </button>
        <button type="button" class="danger" onClick={onDiscard}>
          {words.document.discard}
        </button>
      </div>
    </Dialog>
  );
}
