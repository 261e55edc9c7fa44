import { say, words } from "../language.ts";
import "./markdown.css";
import { type ComponentChildren, h, type VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { anchorMaker, slug } from "../../core/markdown/anchors.ts";
import { parseFrontmatter } from "../../core/markdown/frontmatter.ts";
import { Kept } from "../kept.tsx";
import { addressOf } from "../route.ts";
import { calloutOf, markCallouts } from "./callouts.ts";
import { type LinkTarget, linkTarget, pictureTarget, wikiTarget } from "./links.ts";
import { Picture } from "./picture.tsx";
import { render } from "./render.ts";
import { nesting } from "./text.ts";
import { trusted } from "./trusted-html.ts";

/** A checkbox that a person ticks: `at` is where its mark, `x` or a space, stands in the text. */
export interface Checkbox {
  at: number;
  /** What it shall be. */
  isDone: boolean;
}

export interface Heading {
  /** The `id` of the element; `idOf` gives it for the heading of a link. */
  id: string;
  text: string;
  /** Below the title of the page: from 2. */
  level: number;
}

/** Markdown that was read: its elements are inert, so that nothing in them is loaded or run. */
export interface Parsed {
  elements: Element;
  /** Where the elements' text starts. */
  bodyOffset: number;
  headings: readonly Heading[];
  /** The text of a level-1 heading at the start. */
  title: string | undefined;
  /** It would take too long to render, so this is the text itself. */
  isPlain?: boolean;
}

interface RenderOptions {
  /** Without the title at the start, too. */
  isTitled: boolean;
  /** Nothing is shown yet: the text itself will be, if its rendering takes more than a moment. */
  isFirst: boolean;
  signal: AbortSignal;
}

const MOMENT_MS = 200;
/** Browsers need a second to show more elements. */
const MAX_TAGS = 40_000;

/** Reads a document's body, without its frontmatter. `show` gets what is returned, unless `signal` aborts. */
export async function readMarkdown(
  text: string,
  show: (parsed: Parsed) => void,
  { isTitled, isFirst, signal }: RenderOptions,
): Promise<Parsed | undefined> {
  const { bodyOffset } = parseFrontmatter(text);
  const body = text.slice(bodyOffset);
  const plain = { elements: inert("<pre><code></code></pre>"), bodyOffset, headings: [], title: undefined };
  plain.elements.querySelector("code")?.append(body);
  const timer = isFirst ? setTimeout(() => signal.aborted || show(plain), MOMENT_MS) : undefined;
  const html = await render(body, signal);
  clearTimeout(timer);
  if (signal.aborted) return undefined;
  const isPlain = html === undefined || html.split("<", MAX_TAGS).length === MAX_TAGS;
  const parsed = isPlain ? { ...plain, isPlain } : { bodyOffset, ...outlined(inert(html), isTitled) };
  show(parsed);
  return parsed;
}

function inert(html: string): Element {
  return new DOMParser().parseFromString(trusted(html), "text/html").body;
}

/** Gives headings their ids and levels. */
function outlined(elements: Element, isTitled: boolean): Omit<Parsed, "bodyOffset"> {
  markCallouts(elements);
  const first = elements.firstElementChild;
  const title = first?.localName === "h1" ? (first.textContent ?? "") : undefined;
  const headings: Heading[] = [];
  const [anchorOf, levelOf] = [anchorMaker(), nesting()];
  for (const heading of elements.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const shown = heading.textContent ?? "";
    const id = `${PREFIX}${heading.id === "" ? anchorOf(shown) : heading.id}`;
    heading.id = id;
    if (isTitled && heading === first && title !== undefined) continue;
    const level = levelOf(Number(heading.localName.slice(1)));
    heading.setAttribute("data-level", String(level));
    headings.push({ id, text: shown, level });
  }
  if (isTitled && title !== undefined) first?.remove();
  return { elements, headings, title };
}

const PREFIX = "md-";

/** The element that a link's `#heading` names, which may be written as an anchor or in words. */
export function idOf(heading: string): string {
  const last = heading.slice(heading.lastIndexOf("#") + 1);
  return `${PREFIX}${last.startsWith("user-content-") ? last : slug(last)}`;
}

interface MarkdownProps {
  text: string;
  /** The document's path from the workspace's root: its relative links start there. */
  path: string;
  /** Without the title at its start. */
  isTitled?: boolean;
  /** Without it, checkboxes cannot be ticked. */
  onTick?: ((box: Checkbox) => void) | undefined;
}

/** Rendered Markdown. While another text is read, the last one stays. */
export function Markdown({ text, isTitled = false, ...rest }: MarkdownProps) {
  const [parsed, setParsed] = useState<Parsed>();
  useEffect(() => {
    const stop = new AbortController();
    void readMarkdown(text, setParsed, { isTitled, isFirst: parsed === undefined, signal: stop.signal });
    return () => stop.abort();
  }, [text, isTitled]);
  return parsed === undefined ? null : <MarkdownElements parsed={parsed} {...rest} />;
}

/** Renders Markdown that was read already. */
export function MarkdownElements({
  parsed,
  path,
  onTick,
  ticks = NO_TICKS,
}: Omit<MarkdownProps, "text" | "isTitled"> & {
  parsed: Parsed;
  /** By their place: checkboxes that are ticked or not, whatever the text says. */
  ticks?: ReadonlyMap<number, boolean>;
}) {
  const tick = useRef(onTick);
  tick.current = onTick;
  const canTick = onTick !== undefined;
  const report = (box: Checkbox) => tick.current?.(box);
  const { bodyOffset } = parsed;
  const context = { path, bodyOffset, ticks, depth: 0, tick: canTick ? report : undefined };
  return (
    <div class="markdown">
      {parsed.isPlain && <p class="soft">{words.markdown.plain}</p>}
      <Kept by={[parsed, path, canTick, ticks]}>{() => <>{childrenOf(parsed.elements, context)}</>}</Kept>
    </div>
  );
}

const NO_TICKS: ReadonlyMap<number, boolean> = new Map();

interface Context {
  path: string;
  bodyOffset: number;
  ticks: ReadonlyMap<number, boolean>;
  depth: number;
  tick: ((box: Checkbox) => void) | undefined;
}

/** Deeper ones are shown as text: each level is a call. */
const MAX_DEPTH = 100;
const KEY_CHARS = 100;

/** Blocks keep their key while their text stays, so that focus and scrolling survive a change elsewhere. */
function childrenOf(element: Element, context: Context): ComponentChildren[] {
  if (context.depth > MAX_DEPTH) return [element.textContent];
  const inner = { ...context, depth: context.depth + 1 };
  const counts = new Map<string, number>();
  return [...element.childNodes].map((node) => {
    if (!(node instanceof Element)) return node.textContent;
    const vnode = nodeOf(node, inner);
    const name = `${node.localName} ${(node.textContent ?? "").slice(0, KEY_CHARS)}`;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    vnode.key = `${name} ${count}`;
    return vnode;
  });
}

const PLAIN = new Set("p br hr strong em del code ul ol li thead tbody tr th td sup section".split(" "));

type Render = (element: Element, context: Context) => VNode;

/** How the elements that need more than their name are shown. */
const RENDERS: Record<string, Render> = {
  a: renderLink,
  blockquote: renderQuote,
  img: renderImage,
  input: renderCheckbox,
  pre: renderCode,
  table: renderTable,
  ...Object.fromEntries(["h1", "h2", "h3", "h4", "h5", "h6"].map((name) => [name, renderHeading])),
};

/** Only names and attributes that are listed here reach the page. */
function nodeOf(element: Element, context: Context): VNode {
  const name = element.localName;
  const render = Object.hasOwn(RENDERS, name) ? RENDERS[name] : undefined;
  if (render !== undefined) return render(element, context);
  const shown = PLAIN.has(name) ? name : "span";
  return h(
    shown,
    attributesOf(element),
    ...(name === "br" || name === "hr" ? [] : [childrenOf(element, context)]),
  );
}

function attributesOf(element: Element): Record<string, string | number> {
  const { id, localName } = element;
  const align = element.getAttribute("align");
  const start = Number(element.getAttribute("start") ?? 1);
  return {
    ...(id !== "" && { id: id.startsWith(PREFIX) ? id : PREFIX + id }),
    ...(localName === "ol" && start !== 1 && { start }),
    ...((align === "right" || align === "center") && { class: `md-${align}` }),
    ...(localName === "section" && { class: "md-footnotes" }),
    ...(isTask(element) && { class: "md-task" }),
  };
}

function isTask({ localName, firstElementChild: first }: Element): boolean {
  return (
    localName === "li" && (first?.localName === "input" || first?.firstElementChild?.localName === "input")
  );
}

function renderHeading(element: Element, context: Context): VNode {
  const level = element.getAttribute("data-level") ?? "2";
  return h(`h${level}`, { id: element.id, tabIndex: -1 }, childrenOf(element, context));
}

function renderQuote(element: Element, context: Context): VNode {
  const kind = calloutOf(element);
  if (kind === undefined) return <blockquote>{childrenOf(element, context)}</blockquote>;
  return (
    <div class={`md-callout md-${kind}`} role="note">
      <p class="md-callout-name">{words.markdown.callouts[kind]}</p>
      {childrenOf(element, context)}
    </div>
  );
}

function renderLink(element: Element, context: Context): VNode {
  const wiki = element.getAttribute("data-wiki");
  if (wiki !== null) {
    const picture = element.hasAttribute("data-embed") && pictureTarget(context.path, `![[${wiki}]]`);
    if (picture) return <Picture {...picture} />;
    const { target, text } = wikiTarget(wiki);
    return <Link target={target} path={context.path} children={text} />;
  }
  const target = linkTarget(element.getAttribute("href") ?? "");
  const label = element.getAttribute("aria-label");
  const id = attributesOf(element)["id"];
  return (
    <Link target={target} path={context.path} id={id} label={label} children={childrenOf(element, context)} />
  );
}

interface LinkProps {
  target: LinkTarget;
  path: string;
  children: ComponentChildren;
  id?: string | number | undefined;
  label?: string | null;
}

function Link({ target, path, children, id, label }: LinkProps) {
  const named = { id: id === undefined ? undefined : String(id), "aria-label": label ?? undefined };
  if (target.kind === "text") return <span {...named}>{children}</span>;
  if (target.kind === "external")
    return (
      <a
        {...named}
        href={target.url}
        target="_blank"
        rel="noopener noreferrer"
        title={words.markdown.newTab}
        class="md-external"
      >
        {children}
      </a>
    );
  const { heading } = target;
  const place = target.kind === "here" ? { path } : { link: target.link, from: path };
  return (
    <a {...named} href={addressOf("document", { ...place, heading })}>
      {children}
    </a>
  );
}

/** Only pictures of the workspace are loaded: one from elsewhere would tell that server who reads what. */
function renderImage(element: Element, { path }: Context): VNode {
  const [alt, source] = [element.getAttribute("alt") ?? "", element.getAttribute("src") ?? ""];
  const picture = pictureTarget(path, `![](<${source}>)`);
  if (picture !== undefined) return <Picture {...picture} label={alt} />;
  const text = [words.markdown.image, alt].filter((part) => part).join(": ");
  const chip = <span class="chip">{text}</span>;
  const target = linkTarget(source);
  if (target.kind !== "external" || element.closest("a") !== null) return chip;
  return <Link target={target} path={path} children={chip} />;
}

function renderCheckbox(element: Element, { tick, ticks, bodyOffset }: Context): VNode {
  const at = bodyOffset + Number(element.getAttribute("data-at"));
  const label = (element.parentElement?.textContent ?? "").trim();
  return (
    <input
      type="checkbox"
      checked={ticks.get(at) ?? element.hasAttribute("checked")}
      disabled={tick === undefined}
      aria-label={label || words.markdown.task}
      onChange={({ currentTarget }) => tick?.({ at, isDone: currentTarget.checked })}
    />
  );
}

function renderCode(element: Element, context: Context): VNode {
  const language = /^language-(\S{1,40})/.exec(element.firstElementChild?.className ?? "")?.[1] ?? "";
  return (
    <Scroller label={language === "" ? words.markdown.code : say(words.markdown.codeIn, { language })}>
      <pre>{childrenOf(element, context)}</pre>
    </Scroller>
  );
}

function renderTable(element: Element, context: Context): VNode {
  return (
    <Scroller label={words.markdown.table}>
      <table>{childrenOf(element, context)}</table>
    </Scroller>
  );
}

/** A box that the keyboard can scroll, if there is something to scroll. */
function Scroller({ label, children }: { label: string; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const box = element.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => setScrolls(box.scrollWidth > box.clientWidth));
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const reachable = scrolls ? ({ tabIndex: 0, role: "group", "aria-label": label } as const) : {};
  return (
    <div ref={element} class="md-scroll" {...reachable}>
      {children}
    </div>
  );
}
