/** As GitHub knows them. */
export const CALLOUTS = ["note", "tip", "important", "warning", "caution"] as const;
export type Callout = (typeof CALLOUTS)[number];

/** Obsidian's marks for folding are read, and shown open. */
const MARK = /^\[!(\w+)\][-+]?[ \t]*/;
const KIND = "data-callout";

/** The kind of a quote that `markCallouts` found to be one. */
export function calloutOf(quote: Element): Callout | undefined {
  return CALLOUTS.find((kind) => kind === quote.getAttribute(KIND));
}

/** Marks the quotes that start with `[!NOTE]` and the like, which goes; what follows on its line becomes a bold paragraph. */
export function markCallouts(elements: Element): void {
  for (const quote of elements.querySelectorAll("blockquote")) {
    const paragraph = quote.firstElementChild;
    const start = paragraph?.firstChild;
    if (paragraph?.localName !== "p" || !(start instanceof Text)) continue;
    const [mark = "", name = ""] = MARK.exec(start.data) ?? [];
    const kind = CALLOUTS.find((one) => one === name.toLowerCase());
    if (kind === undefined) continue;
    quote.setAttribute(KIND, kind);
    start.data = start.data.slice(mark.length);
    splitTitle(paragraph);
  }
}

function splitTitle(paragraph: Element): void {
  const [title, strong] = ["p", "strong"].map((name) => paragraph.ownerDocument.createElement(name));
  if (title === undefined || strong === undefined) return;
  title.append(strong);
  for (let node = paragraph.firstChild; node !== null; node = paragraph.firstChild) {
    const text = node instanceof Text ? node : undefined;
    const end = text?.data.indexOf("\n") ?? -1;
    if (text !== undefined && end !== -1) {
      strong.append(text.data.slice(0, end));
      text.data = text.data.slice(end + 1);
      break;
    }
    strong.append(node);
  }
  if (strong.textContent?.trim() !== "") paragraph.before(title);
  if (!paragraph.hasChildNodes()) paragraph.remove();
}
